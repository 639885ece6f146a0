"""The exercises of chapter 3, one a file."""
