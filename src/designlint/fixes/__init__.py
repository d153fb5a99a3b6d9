"""
Fixes: proposed by rules, placed in files, proven by judging the changed design.

In: a judged design and its faults. Out: each fault with its fixes, their edits, and what they resolve and cause.
It knows no command line, and writes no file.
"""
