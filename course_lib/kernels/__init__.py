"""The mathematics of attention: arrays in, arrays out. Needs numpy or torch, nothing else."""
