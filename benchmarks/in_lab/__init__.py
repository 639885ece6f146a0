"""What benchmarks need that look into a running JupyterLab."""
