"""What several figures are drawn with."""
