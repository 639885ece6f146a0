"""The explorers of chapter 3, one a file."""
