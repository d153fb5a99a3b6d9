"""What commands other than `check` show of a design: one module per view."""
