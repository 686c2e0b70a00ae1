"""What every experiment stands in: settings, results, pages, plots, and who does the work."""
