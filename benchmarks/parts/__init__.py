"""What the benchmarks share; nothing here is run by itself."""
