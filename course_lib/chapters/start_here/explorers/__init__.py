"""The explorer of chapter 0."""
