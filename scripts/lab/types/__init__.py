"""What kind of interaction: measurements on corpora of events."""
