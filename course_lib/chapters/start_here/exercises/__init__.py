"""The exercises of chapter 0, one a file."""
