"""The design as a knowledge graph: its nodes, what is stated about each, and the same in RDF."""
