"""
Expressions of rules: parsed once into a tree that is evaluated, explained and written as SPARQL.

In: texts of authors, and what their names stand for. Out: trees (`tree`), their answers about a subject (`evaluation`), which
way an answer moves with each word (`directions`), texts with places for values (`templates`). It knows no rule, no finding.
"""
