"""
What an approver reads and signs: a design held against the principles, as a document.

In: checked designs. Out: one document of plain values, written as HTML, PDF, Markdown, JSON or OSCAL.
It knows no rule and no formula.
"""
