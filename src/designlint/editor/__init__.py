"""
The language server: what an editor shows and offers while a design is being written.

In: requests of the Language Server Protocol. Out: its answers: diagnostics, actions, completions, hovers.
It knows no rule by name, and writes no file.
"""
