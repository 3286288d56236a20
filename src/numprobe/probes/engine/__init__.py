"""The one training engine."""
