"""`designlint` and `python -m designlint`: the version at once, everything else by the command line."""

import gc
import sys

from designlint.version import ASKED, __version__


def main() -> None:
    """Run the command line; never returns."""
    if sys.argv[1:] in ASKED:
        try:
            print(f"designlint {__version__}", flush=True)
            sys.exit(0)
        except OSError:
            pass  # the command line says what is wrong
    from designlint.cli.main import main as run

    try:
        run()
    finally:
        gc.freeze()  # Python would walk all that is about to go, which takes an eighth of a check


if __name__ == "__main__":  # a process that shares the work of a run imports this too
    main()
