"""The exercises of chapter 7, one a file."""
