"""`python -m designlint`."""

from designlint.cli.main import main

if __name__ == "__main__":  # a process that shares the work of a run imports this too
    main()
