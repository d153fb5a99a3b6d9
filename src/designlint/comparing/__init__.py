"""
How two designs differ, and how a design differs from what was built.

In: two sides, each a file, a folder, a git revision, or files that machines wrote. Out: differences, as values.
It knows no command line and no format: `views` says how a difference reads.
"""
