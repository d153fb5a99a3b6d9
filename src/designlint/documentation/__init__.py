"""
Everything that is generated from the ontology and the rules: schemas, context, shapes, reference pages.

In: a compiled bundle. Out: texts of files, the same bytes each time.
It knows no design.
"""
