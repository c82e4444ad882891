import json, sys, time, numpy, petsc4py
petsc4py.init(["petsc", "-pc_type", "gamg", *sys.argv[2:]])
from petsc4py.PETSc import KSP, Mat, NullSpace, Vec, Viewer
folder, problem = sys.argv[1], json.load(open(sys.argv[1] + "/problem.json"))
load = lambda kind, name: kind().load(Viewer().createBinary(f"{folder}/{name}.petsc", "r"))
turns = "positions" in problem["files"] and "translations" not in sys.argv
A, S, b, z, places = map(load, (Mat, Mat, Vec, Vec, Vec), ("A", "S", "b", "z", "positions" if turns else "x0"))
start, s, B, held = time.perf_counter(), A.getDiagonal().sum() / A.size[0], A.PtAP(S), S.copy()
held.scale(-s), held.shift(s), B.axpy(1, held), B.setBlockSize(3), places.setBlockSize(3)  # B = S A S + s (I - S)
ksp, y, moves = KSP().create(), b.duplicate(), NullSpace().createRigidBody(places).getVecs()  # 3 shifts, 3 turns
B.setNearNullSpace(NullSpace().create(vectors=moves[: 6 if turns else 3])), ksp.setOperators(B), ksp.setType("cg")
ksp.setNormType(KSP.NormType.UNPRECONDITIONED), ksp.setTolerances(rtol=problem["tolerance"]), ksp.setFromOptions()
_, middle, _ = ksp.setUp(), time.perf_counter(), ksp.solve(S * (b - A * z), y)
times = {"setup_s": middle - start, "solve_s": time.perf_counter() - middle, "iterations": ksp.its}
numpy.save(folder + "/x.npy", (S * y + z).array), json.dump(times, open(folder + "/answer.json", "w"))
