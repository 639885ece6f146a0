"""The exercises of chapter 1, one a file."""
