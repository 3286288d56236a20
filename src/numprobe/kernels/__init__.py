"""Small networks as functions over a bank's weights."""
