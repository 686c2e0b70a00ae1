"""Reports: tables for the terminal, pages in Markdown and HTML, and plots."""
