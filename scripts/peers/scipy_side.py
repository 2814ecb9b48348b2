"""SciPy's side of scripts/compare_peers: frequencies from matrices in CalculiX's files (row, column, value of one triangle per line).

Runs inside the scratch environment. `eigsh` with a small shift below zero, because a free body has rigid motions: SuperLU and ARPACK.
"""

import json
import sys
import time

import numpy as np
from scipy.sparse import coo_matrix, diags
from scipy.sparse.linalg import eigsh

read = {}


def matrix(path):
    if path not in read:
        rows, columns, values = np.loadtxt(path, unpack=True)
        rows, columns = rows.astype(int) - 1, columns.astype(int) - 1
        size = max(rows.max(), columns.max()) + 1
        half = coo_matrix((values, (rows, columns)), shape=(size, size)).tocsc()
        read[path] = (half + half.T - diags(half.diagonal())).tocsc()
    return read[path]


def solve(request):
    stiffness, mass = matrix(request["stiffness"]), matrix(request["mass"])
    # Far below the first elastic eigenvalue, which is of the order of the ratio of the traces over the unknowns squared.
    shift = -1e-9 * stiffness.diagonal().sum() / mass.diagonal().sum()
    began = time.process_time()
    values, _ = eigsh(stiffness, request["modes"], M=mass, sigma=shift)
    seconds = time.process_time() - began
    return {"seconds": seconds, "frequencies": [float(np.sqrt(max(x, 0.0)) / (2 * np.pi)) for x in values]}


for line in sys.stdin:
    print("result " + json.dumps(solve(json.loads(line))), flush=True)
