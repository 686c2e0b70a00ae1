"""The application under load: a crowd of clients, long runs of made-up abstracts."""
