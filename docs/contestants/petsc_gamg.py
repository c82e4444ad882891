import json, sys, time, numpy, petsc4py
petsc4py.init(["petsc", "-pc_type", "gamg", *sys.argv[2:]])
from petsc4py.PETSc import KSP, Mat, NullSpace, Vec, Viewer
folder, problem = sys.argv[1], json.load(open(sys.argv[1] + "/problem.json"))
load = lambda kind, name: kind().load(Viewer().createBinary(f"{folder}/{name}.petsc", "r"))
A, S, b, z, *moves = load(Mat, "A"), load(Mat, "S"), *(load(Vec, name) for name in ("b", "z", "x0", "x0", "x0"))
start, s, B, held = time.perf_counter(), A.getDiagonal().sum() / A.size[0], A.PtAP(S), S.copy()
held.scale(-s), held.shift(s), B.axpy(1, held), B.setBlockSize(3)  # B = S A S + s (I - S)
[move.setArray(numpy.resize(axis, b.size) * (3 / b.size) ** 0.5) for move, axis in zip(moves, numpy.eye(3))]
ksp, y = KSP().create(), b.duplicate()  # the near null space: the whole cloth moves along x, y or z
B.setNearNullSpace(NullSpace().create(vectors=moves)), ksp.setOperators(B), ksp.setType("cg")
ksp.setNormType(KSP.NormType.UNPRECONDITIONED), ksp.setTolerances(rtol=problem["tolerance"]), ksp.setFromOptions()
_, middle, _ = ksp.setUp(), time.perf_counter(), ksp.solve(S * (b - A * z), y)
times = {"setup_s": middle - start, "solve_s": time.perf_counter() - middle, "iterations": ksp.getIterationNumber()}
numpy.save(folder + "/x.npy", (S * y + z).array), json.dump(times, open(folder + "/answer.json", "w"))
