"""The exercise engine: exercises and bets are data, and everything here acts on that data."""
