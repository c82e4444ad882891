"""A right solution of each exercise, at most 20 lines, and mistakes as replacements of a piece of its text."""

SPRING_FORCE = '''
import numpy as np
class SpringForce:
    def __init__(self, edges, lengths, stiffness):
        self.edges, self.lengths, self.k = edges, lengths, stiffness
    def energy(self, x):
        l = np.linalg.norm(x[self.edges[:, 1]] - x[self.edges[:, 0]], axis=1)
        return 0.5 * self.k * ((l - self.lengths) ** 2).sum()
    def force(self, x):
        f = np.zeros_like(x)
        for (i, j), L in zip(self.edges, self.lengths):
            d = x[j] - x[i]
            pull = self.k * (1 - L / np.linalg.norm(d)) * d
            f[i] += pull
            f[j] -= pull
        return f
'''

SPRING_JACOBIAN = '''
import numpy as np
class SpringJacobian:
    def __init__(self, edges, lengths, stiffness):
        self.edges, self.lengths, self.k = edges, lengths, stiffness
    def force(self, x):
        d = x[self.edges[:, 1]] - x[self.edges[:, 0]]
        pull, f = self.k * d * (1 - self.lengths / np.linalg.norm(d, axis=1))[:, None], np.zeros_like(x)
        np.add.at(f, self.edges[:, 0], pull); np.add.at(f, self.edges[:, 1], -pull)
        return f
    def jacobian(self, x):
        J = np.zeros((x.size, x.size))
        for (i, j), L in zip(self.edges, self.lengths):
            d = x[j] - x[i]; l = np.linalg.norm(d); dd = np.outer(d, d) / l**2
            k = self.k * (dd + (1 - L / l) * (np.eye(3) - dd))
            for a, b, s in ((i, i, -1), (j, j, -1), (i, j, 1), (j, i, 1)): J[3*a:3*a+3, 3*b:3*b+3] += s * k
        return J
    def matrix(self, x, h, masses):
        return np.diag(np.repeat(masses, 3)) - h**2 * self.jacobian(x)
'''

CG = '''
import numpy as np
class CG:
    tolerance = 1e-6
    def solve(self, A, b, x, S):
        r = S @ (b - A @ x)
        p, rho, start, k = r.copy(), r @ r, np.sqrt(r @ r), 0
        while np.sqrt(rho) > self.tolerance * start and k < 500:
            q = S @ (A @ p)
            step = rho / (p @ q)
            x += step * p
            r -= step * q
            rho, before = r @ r, rho
            p = r + rho / before * p
            k += 1
        return k, np.sqrt(rho) / start
'''

JACOBI = '''
class Jacobi:
    def setUp(self, A): self.d = A.diagonal()
    def apply(self, r, z): z[:] = r / self.d
'''

INCOMPLETE_CHOLESKY = '''
import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array
class IncompleteCholesky:
    def setUp(self, A):
        blocks = csr_array((np.ones(len(A.indices)), A.indices, A.indptr)).toarray()
        kept, L = np.kron(blocks, np.ones((3, 3))), np.tril(A.toarray())
        for k in range(len(L)):
            L[k:, k] /= np.sqrt(L[k, k])
            for j in range(k + 1, len(L)):
                L[j:, j] -= kept[j:, j] * L[j:, k] * L[j, k]
        self.L = L
    def apply(self, r, z):
        y = solve_triangular(self.L, r, lower=True)
        z[:] = solve_triangular(self.L.T, y)
'''

XPBD = '''
import numpy as np
def project(x, w, length, compliance, h, lam):
    d = x[0] - x[1]
    l = np.linalg.norm(d)
    a = compliance / h**2
    change = (length - l - a * lam) / (w[0] + w[1] + a)
    x[0] += w[0] * change * d / l
    x[1] -= w[1] * change * d / l
    return lam + change
'''

SOLUTIONS = {"spring-force": SPRING_FORCE, "spring-jacobian": SPRING_JACOBIAN, "cg": CG, "jacobi": JACOBI,
             "incomplete-cholesky": INCOMPLETE_CHOLESKY, "xpbd": XPBD}

# exercise, text to replace, replacement, cause that the check must name
MISTAKES = [
    ("spring-force", "f[i] += pull\n            f[j] -= pull", "f[i] -= pull\n            f[j] += pull", "sign"),
    ("spring-force", "pull = self.k * (1 - L / np.linalg.norm(d)) * d", "pull = self.k * d", "rest length"),
    ("spring-force", "pull = self.k", "pull = 1000 * self.k", "units"),
    ("spring-force", "            f[j] -= pull\n", "", "missing reaction"),
    ("spring-force", "return f", "return np.roll(f, 1, axis=0)", "off by one"),
    ("spring-force", "0.5 * self.k", "self.k", "counted twice"),
    ("spring-jacobian", "(dd + (1 - L / l) * (np.eye(3) - dd))", "dd", "term across"),
    ("spring-jacobian", "(j, j, -1), (i, j, 1), (j, i, 1)", "(j, j, -1), (i, j, 1)", "unsymmetric"),
    ("spring-jacobian", "(i, i, -1), (j, j, -1)", "(i, i, 1), (j, j, 1)", "sign of a part"),
    ("spring-jacobian", "- h**2 * self", "- self", "dropped h^2"),
    ("spring-jacobian", "- h**2 * self", "- h * self", "dropped h"),
    ("spring-jacobian", "- h**2 * self", "+ h**2 * self", "sign of a part"),
    ("cg", "r = S @ (b - A @ x)", "r = b - A @ x", "no constraint filter"),
    ("cg", "q = S @ (A @ p)", "q = A @ p", "no constraint filter"),
    ("cg", "(b - A @ x)", "b", "start is forgotten"),
    ("cg", "k, np.sqrt(rho) / start", "k, rho / start**2", "residual misreported"),
    ("cg", "k, np.sqrt(rho) / start", "k, np.sqrt(rho)", "residual misreported"),
    ("cg", "while np.sqrt(rho) > self.tolerance * start", "while rho > self.tolerance * start**2", "stopping rule"),
    ("cg", "return k,", "return k + 1,", "off by one"),
    ("cg", "        return k", "        x *= -1\n        return k", "sign"),
    ("jacobi", "z[:] = r / self.d", "z[:] = r * self.d", "not inverted"),
    ("jacobi", "A.diagonal()", "-A.diagonal()", "sign"),
    ("jacobi", "z[:] = r / self.d", "r /= self.d; z[:] = r", "changes its argument"),
    ("jacobi", "z[:] = r / self.d", "z = r / self.d", "nothing written"),
    ("jacobi", "A.diagonal()", "A.diagonal(); self.d[4] *= -1", "indefinite"),
    ("incomplete-cholesky", "solve_triangular(self.L.T, y)", "solve_triangular(self.L, y, lower=True)", "missing transpose"),
    ("incomplete-cholesky", "solve_triangular(self.L.T, y)", "y", "missing transpose"),
    ("incomplete-cholesky", "kept[j:, j] * ", "", "pattern"),
    ("xpbd", "compliance / h**2", "compliance", "dropped h^2"),
    ("xpbd", " - a * lam", "", "lambda is forgotten"),
    ("xpbd", "return lam + change", "return change", "change returned"),
    ("xpbd", "length - l", "l - length", "sign of a part"),
]


def planted(exercise: str, old: str, new: str) -> str:
    text = SOLUTIONS[exercise]
    assert text.count(old) >= 1, (exercise, old)
    return text.replace(old, new, 1)
