"""Raw text in, interactions with evidence out."""
