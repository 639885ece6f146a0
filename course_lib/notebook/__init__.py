"""What a notebook calls: exercise, bet, settle, hint, reveal, progress."""
