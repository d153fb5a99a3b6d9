"""The formats of foreign files, one module each: what a file of its kind looks like, its model, its words."""
