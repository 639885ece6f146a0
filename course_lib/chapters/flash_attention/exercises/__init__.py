"""The exercises of chapter 8, one a file."""
