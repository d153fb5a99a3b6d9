"""What reads the files that authors write (ontology, catalogue, rules) and compiles them into one bundle."""
