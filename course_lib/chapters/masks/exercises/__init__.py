"""The exercises of chapter 6, one a file."""
