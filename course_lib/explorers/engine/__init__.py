"""The explorer engine: a picture that is drawn once and updated in place."""
