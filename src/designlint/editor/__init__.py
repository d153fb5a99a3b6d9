"""The language server: what an editor shows and offers while a design is being written."""
