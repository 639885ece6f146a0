"""Learners who are driven at once."""
