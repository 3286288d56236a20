"""The one training engine: many networks as one batched computation."""
