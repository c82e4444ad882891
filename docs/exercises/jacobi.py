class Jacobi:
    def setUp(self, A):
        pass

    def apply(self, r, z):
        z[:] = r
