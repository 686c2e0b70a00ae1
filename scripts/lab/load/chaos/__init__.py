"""Faults of every kind put into a long run, whose result must be that of an undisturbed one."""
