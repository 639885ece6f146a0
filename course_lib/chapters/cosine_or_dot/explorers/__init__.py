"""The explorers of chapter 2, one a file."""
