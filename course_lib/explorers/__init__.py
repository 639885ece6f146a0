"""Sliders over the kernels: the engine, and one file a chapter."""
