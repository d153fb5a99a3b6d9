"""Everything that is generated from the ontology and the rules: schemas, context, shapes, reference pages."""
