"""A report in words or for machines: one format per module, each with `render`."""
