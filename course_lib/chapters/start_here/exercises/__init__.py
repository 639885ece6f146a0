"""The exercise of chapter 0."""
