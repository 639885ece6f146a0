"""The library of the course: kernels, figures, exercises and explorers, one room each."""
