"""The exercises of chapter 4, one a file."""
