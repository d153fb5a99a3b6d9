"""
The command line: arguments, exit codes, printing.

In: what a user types. Out: what the terminal shows, files, and the exit code. It knows no rule.
Each module but `main` is a command, named after itself, imported only when it is called.
"""
