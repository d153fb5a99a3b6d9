"""
The design as a knowledge graph: its subjects, what is stated about each, what follows, and the same in RDF.

In: a tree and the words of the language. Out: subjects and facts, each with the facts it came from.
It knows no rule's verdict and no text that a user reads.
"""
