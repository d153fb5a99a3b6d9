"""What an approver reads and signs: a design held against the principles, as a document."""
