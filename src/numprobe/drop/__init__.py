"""The reading-comprehension study (Section 2): DROP's data, metric, question types and changed numbers."""
