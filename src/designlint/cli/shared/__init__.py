"""What commands share: options, loading, running, printing, exit codes."""
