"""What the course's makers and `make` run; run a part as `python -m tools.build`."""
