"""`designlint` and `python -m designlint`: the version at once, everything else by the command line."""

import gc
import os
import sys

from designlint.version import ASKED, __version__


def main() -> None:
    """Run the command line; never returns."""
    if sys.argv[1:] in ASKED:
        try:
            print(f"designlint {__version__}", flush=True)
        except OSError:
            pass  # the command line says what is wrong
        else:
            _end(0)
    gc.disable()  # a run is short and builds few cycles: collecting them costs a twentieth of it
    from designlint.cli.shared.archive import Archive

    folder = os.path.dirname(__file__)  # noqa: PTH120 (`pathlib` takes as long as the archive spares)
    archive = Archive("designlint", folder, "cli/shared/archived.py")
    archive.install()
    try:
        from designlint.cli.shared.imported import libraries

        libraries()
        from designlint.cli.main import main as run

        run()
    except SystemExit as left:
        archive.close()
        _end(left.code)
        raise
    finally:
        gc.freeze()  # Python would walk all that is about to go, which takes an eighth of a check


def _end(code: object) -> None:
    """End the process at once where no thread still works: Python would take down all that it holds, which takes 10 ms."""
    if not isinstance(code, int) or "threading" in sys.modules:
        return
    import atexit

    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        return  # a stream that is closed: Python's own end says so as it sees fit
    os._exit(code)


if __name__ == "__main__":  # a process that shares the work of a run imports this too
    main()
