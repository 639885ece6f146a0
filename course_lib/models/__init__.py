"""Small networks made of the kernels, and the weights that the course trained itself."""
