"""Preconditioners and solvers as a user might write them."""

import numpy as np


class Jacobi:
    def setUp(self, A):
        self.d = A.diagonal()

    def apply(self, r, z):
        z[:] = r / self.d


class BlockIncompleteCholesky:
    """Block IC(0) as methods 8 has it, row by row with loops: L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T on the blocks of A."""

    def setUp(self, A):
        A.sort_indices()
        self.rows = []  # per row: columns below the diagonal and blocks of L
        self.inverses = []  # of the diagonal blocks of L
        for i in range(A.shape[0] // 3):
            span = slice(A.indptr[i], A.indptr[i + 1])
            blocks = dict(zip(A.indices[span], A.data[span]))
            row = {}
            pivot = blocks[i].copy()
            for j in sorted(j for j in blocks if j < i):
                block = blocks[j].copy()
                for k, other in self.rows[j].items():
                    if k in row:
                        block -= row[k] @ other.T
                row[j] = block @ self.inverses[j].T
                pivot -= row[j] @ row[j].T
            self.rows.append(row)
            self.inverses.append(np.linalg.inv(np.linalg.cholesky(pivot)))

    def apply(self, r, z):
        x = r.reshape(-1, 3).copy()
        for i, row in enumerate(self.rows):
            for j, block in row.items():
                x[i] -= block @ x[j]
            x[i] = self.inverses[i] @ x[i]
        for i in range(len(x) - 1, -1, -1):
            x[i] = self.inverses[i].T @ x[i]
            for j, block in self.rows[i].items():
                x[j] -= block.T @ x[i]
        z[:] = x.reshape(-1)
