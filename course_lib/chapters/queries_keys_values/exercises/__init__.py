"""The exercises of chapter 5, one a file."""
