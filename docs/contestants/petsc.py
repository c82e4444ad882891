import json, sys, time, numpy, petsc4py
petsc4py.init(["petsc", *sys.argv[2:]])  # options of PETSc's: -pc_type icc
from petsc4py.PETSc import KSP, Mat, Vec, Viewer
folder, problem = sys.argv[1], json.load(open(sys.argv[1] + "/problem.json"))
load = lambda kind, name: kind().load(Viewer().createBinary(f"{folder}/{name}.petsc", "r"))
A, S, b, z = load(Mat, "A"), load(Mat, "S"), load(Vec, "b"), load(Vec, "z")
start, s, B, held = time.perf_counter(), A.getDiagonal().sum() / A.size[0], A.PtAP(S), S.copy()
held.scale(-s), held.shift(s), B.axpy(1, held), B.setBlockSize(3)  # B = S A S + s (I - S)
ksp, y = KSP().create(), b.duplicate()
ksp.setOperators(B), ksp.setType("cg"), ksp.setNormType(KSP.NormType.UNPRECONDITIONED)
ksp.setTolerances(rtol=problem["tolerance"], max_it=problem["max_iterations"]), ksp.setFromOptions(), ksp.setUp()
middle = time.perf_counter()
ksp.solve(S * (b - A * z), y)
times = {"setup_s": middle - start, "solve_s": time.perf_counter() - middle, "iterations": ksp.getIterationNumber()}
numpy.save(folder + "/x.npy", (S * y + z).array), json.dump(times, open(folder + "/answer.json", "w"))
