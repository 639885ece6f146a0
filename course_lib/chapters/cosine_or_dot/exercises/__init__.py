"""The exercises of chapter 2, one a file."""
