// solvers
