"""Predictions of any program scored against gold annotations."""
