"""The reading-comprehension study (Section 2): DROP's data and metric, question types, changed numbers, NAQANet."""
