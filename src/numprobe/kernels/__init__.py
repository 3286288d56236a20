"""Small networks as functions of a bank's weights."""
