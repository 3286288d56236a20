"""NAQANet, the reading-comprehension model of Section 2: its labels, its training, its answers."""
