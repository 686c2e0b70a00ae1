"""The application: extraction, evaluation, parse ranking, annotation, command line."""
