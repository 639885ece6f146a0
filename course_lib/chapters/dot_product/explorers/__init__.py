"""The explorers of chapter 1, one a file."""
