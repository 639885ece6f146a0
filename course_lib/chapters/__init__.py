"""What each chapter hands to a learner: a folder a chapter."""
