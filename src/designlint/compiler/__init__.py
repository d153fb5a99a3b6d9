"""
What authors write (ontology, catalogue, rules), compiled into one bundle.

In: Turtle and YAML of authors. Out: words, catalogue entries in canonical units, the order of derivations, rules as Python.
It knows no design. Every fault of an author is an `AuthoringError` with file and line.
"""
