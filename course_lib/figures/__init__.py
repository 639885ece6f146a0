"""Pictures: arrays in, matplotlib figures out. No widgets."""
