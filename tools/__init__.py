"""What contributors run beside the product: generated files, benchmarks, accuracy."""
