"""
The design language: words, units, kinds of values, the catalogue, suggestions for what is misspelt.

In: the compiled ontology. Out: words and values in canonical units, and the same spelled for people.
It knows no design, no rule and no file but those that it ships with.
"""
