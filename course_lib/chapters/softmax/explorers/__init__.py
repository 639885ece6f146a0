"""The explorers of chapter 4, one a file."""
