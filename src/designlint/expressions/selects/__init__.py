"""
Queries that join subjects, answered in place: the part of SPARQL that rules need, without an RDF store.

In: the text of a SELECT, compiled once into plain data (`parser`), and what tells the subjects of a graph. Out: rows of values,
the same that a SPARQL engine gives (`evaluation`). It knows no rule and no RDF; what it does not read is left to an engine.
"""
