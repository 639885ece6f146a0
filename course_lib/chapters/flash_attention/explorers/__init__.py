"""The pictures with sliders, one a file."""
