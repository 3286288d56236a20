"""NAQANet, the reading-comprehension model of Section 2: network, training, answers and embeddings."""
