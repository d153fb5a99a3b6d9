"""Published training runs and fabrics, as facts and as designs."""
