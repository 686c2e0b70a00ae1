"""The web page and the JSON API beside it (extra ``web``)."""
