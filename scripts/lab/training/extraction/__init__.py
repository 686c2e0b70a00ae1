"""The extraction model: trained, calibrated and judged by leaving corpora out."""
