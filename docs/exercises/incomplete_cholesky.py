import numpy as np


class IncompleteCholesky:
    def setUp(self, A):
        self.L = np.eye(A.shape[0])

    def apply(self, r, z):
        z[:] = r  # L L^T z = r
