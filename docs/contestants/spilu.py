import json, sys, time
import numpy as np, scipy.sparse as sp, scipy.sparse.linalg as la
d = sys.argv[1]
p = json.load(open(d + "/problem.json"))
A, S = (sp.load_npz(f"{d}/{name}.npz").tocsc() for name in ("A", "S"))
b, z = (np.load(f"{d}/{name}.npy") for name in ("b", "z"))
start = time.perf_counter()
B, rhs = S @ A @ S + A.diagonal().mean() * (sp.eye(len(b)) - S), S @ (b - A @ z)
ilu, count = la.spilu(B.tocsc(), drop_tol=1e-3, fill_factor=5), [0]
middle = time.perf_counter()
y, _ = la.gmres(B, rhs, tol=0.3 * p["tolerance"], atol=0, M=la.LinearOperator(B.shape, ilu.solve), callback_type="pr_norm", callback=lambda r: count.__setitem__(0, count[0] + 1))
end = time.perf_counter()
np.save(d + "/x.npy", S @ y + z)
json.dump({"setup_s": middle - start, "solve_s": end - middle, "iterations": count[0]}, open(d + "/answer.json", "w"))
