"""The exercises of chapter 0."""
