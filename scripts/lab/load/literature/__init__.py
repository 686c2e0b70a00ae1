"""A real long run: the articles of an unlabelled text, killed and taken up again on the way, and what it found."""
