#!/usr/bin/env python3
"""Stresses of models/rod_shaken.toml by an independent transient finite-element computation, for comparison with `flexura stress`.

Needs NumPy and SciPy; uses nothing of Flexura but its model, part and mesh files. Ten-node tetrahedra (O. C. Zienkiewicz, R. L.
Taylor, The Finite Element Method, 2000, section 8.8), all freedoms, no reduction:

    M u'' + C u' + K u = M r (g - a(t)),   u(0) = 0

in the frame of the big bore, which is rigid and travels with the acceleration a(t) of a cycloid. The small bore is rigid and moves
with a node of six freedoms, on which the piston hangs by its centre: the joint transmits
no moment. Damping is
the part's, one ratio for every mode kept: C = sum of 2 ratio w M phi (M phi)^T over the lowest modes of the rod without piston.
Newmark's rule of constant mean acceleration. Stresses at nodes are means of the elements that meet there.

    scripts/stress_reference_rod.py                        the largest von Mises stress
    scripts/stress_reference_rod.py --step 5e-6            smaller steps
    scripts/stress_reference_rod.py --every 20             a table of the worst node over time
    scripts/stress_reference_rod.py --compare history.csv  beside `flexura stress rod_shaken.fxr --nodes NUMBER --history history.csv`
"""

import argparse
import csv
import math
import pathlib
import tomllib

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = tomllib.loads((ROOT / "models/rod_shaken.toml").read_text())
PART = tomllib.loads((ROOT / "models/parts/connecting_rod.toml").read_text())
# Corners of the middle nodes of a tetrahedron as Gmsh numbers them.
EDGES = [(0, 1), (1, 2), (2, 0), (0, 3), (2, 3), (1, 3)]


def read_mesh(path):
    """Nodes by number, tetrahedra, and nodes of the physical surfaces of a Gmsh file, version 4.1."""
    lines = path.read_text().splitlines()
    find = lambda word: lines.index(word) + 1
    row = find("$PhysicalNames")
    physical = {}
    for line in lines[row + 1 : row + 1 + int(lines[row])]:
        _, tag, name = line.split(maxsplit=2)
        physical[int(tag)] = name.strip('"')
    row = find("$Entities")
    counts = [int(word) for word in lines[row].split()]
    owner, at = {}, row + 1
    for dimension, count in enumerate(counts):
        for line in lines[at : at + count]:
            words = line.split()
            first = 4 if dimension == 0 else 7
            if int(words[first]):
                owner[dimension, int(words[0])] = physical[int(words[first + 1])]
        at += count
    row = find("$Nodes")
    blocks, at, nodes = int(lines[row].split()[0]), row + 1, {}
    for _ in range(blocks):
        count = int(lines[at].split()[3])
        for k in range(count):
            nodes[int(lines[at + 1 + k])] = [float(x) for x in lines[at + 1 + count + k].split()[:3]]
        at += 1 + 2 * count
    row = find("$Elements")
    blocks, at, solids, surfaces = int(lines[row].split()[0]), row + 1, [], {}
    for _ in range(blocks):
        dimension, entity, kind, count = (int(word) for word in lines[at].split())
        for line in lines[at + 1 : at + 1 + count]:
            found = [int(word) for word in line.split()[1:]]
            if kind == 11:
                solids.append(found)
            elif (dimension, entity) in owner:
                surfaces.setdefault(owner[dimension, entity], set()).update(found)
        at += 1 + count
    return nodes, solids, surfaces


def slopes(place):
    """Derivatives of the ten shapes by the volume coordinates L1, L2, L3."""
    of = np.vstack([[-1, -1, -1], np.eye(3)])
    corners = [(4 * place[i] - 1) * of[i] for i in range(4)]
    middles = [4 * (place[i] * of[j] + place[j] * of[i]) for i, j in EDGES]
    return np.array(corners + middles)


def values(place):
    return np.array([place[i] * (2 * place[i] - 1) for i in range(4)] + [4 * place[i] * place[j] for i, j in EDGES])


def strain_operator(gradient):
    """Strains xx, yy, zz, xy, yz, zx by the displacements of the nodes."""
    B = np.zeros((6, 3 * len(gradient)))
    for k, (x, y, z) in enumerate(gradient):
        B[:, 3 * k : 3 * k + 3] = [[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]]
    return B


def at_place(X, place):
    J = slopes(place).T @ X
    return np.linalg.det(J) / 6, strain_operator(np.linalg.solve(J, slopes(place).T).T)


def cube_rule(points=5):
    """Points and weights of a tetrahedron (sum one) by Gauss points of a cube that is collapsed onto it."""
    x, w = np.polynomial.legendre.leggauss(points)
    x, w = (x + 1) / 2, w / 2
    rule = []
    for i in range(points):
        for j in range(points):
            for k in range(points):
                a, b, c = x[i], x[j], x[k]
                L = [a, b * (1 - a), c * (1 - a) * (1 - b)]
                rule.append(([1 - sum(L)] + L, 6 * w[i] * w[j] * w[k] * (1 - a) ** 2 * (1 - b)))
    return rule


def assemble(nodes, solids, material):
    E, nu, rho = material["young"], material["poisson"], material["density"]
    lame, shear = E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))
    D = np.zeros((6, 6))
    D[:3, :3] = lame
    D[range(6), range(6)] += [2 * shear] * 3 + [shear] * 3
    order = {number: index for index, number in enumerate(sorted({n for s in solids for n in s}))}
    X = np.array([nodes[number] for number in order])
    g = (5 - math.sqrt(5)) / 20
    four = [[1 - 3 * g if i == k else g for i in range(4)] for k in range(4)]
    fine = [(weight, values(place), slopes(place)) for place, weight in cube_rule()]
    corners = np.eye(4).tolist()
    ends = corners + [[(corners[i][k] + corners[j][k]) / 2 for k in range(4)] for i, j in EDGES]
    rows, columns, k_values, m_values = [], [], [], []
    stress = np.zeros((len(X), 6))
    recover_rows, recover_columns, recover_values, met = [], [], [], np.zeros(len(X))
    for solid in solids:
        at = np.array([order[number] for number in solid])
        x = X[at]
        K, M = np.zeros((30, 30)), np.zeros((10, 10))
        for place in four:
            volume, B = at_place(x, place)
            K += volume / 4 * B.T @ D @ B
        for weight, N, slope in fine:
            M += rho * weight * np.linalg.det(slope.T @ x) / 6 * np.outer(N, N)
        freedoms = (3 * at[:, None] + np.arange(3)).ravel()
        r, c = np.meshgrid(freedoms, freedoms, indexing="ij")
        rows.append(r.ravel())
        columns.append(c.ravel())
        k_values.append(K.ravel())
        m_values.append(np.kron(M, np.eye(3)).ravel())
        for node, place in zip(at, ends):
            S = D @ at_place(x, place)[1]
            r, c = np.meshgrid(6 * node + np.arange(6), freedoms, indexing="ij")
            recover_rows.append(r.ravel())
            recover_columns.append(c.ravel())
            recover_values.append(S.ravel())
            met[node] += 1
    join = np.concatenate
    size = 3 * len(X)
    matrix = lambda v: scipy.sparse.csc_matrix((join(v), (join(rows), join(columns))), shape=(size, size))
    recover = scipy.sparse.csr_matrix((join(recover_values), (join(recover_rows), join(recover_columns))), shape=(2 * size, size))
    recover = scipy.sparse.diags(np.repeat(1 / met, 6)) @ recover
    return order, X, matrix(k_values), matrix(m_values), recover


def hang(X, order, surfaces):
    """Displacements of all nodes by the unknowns: free nodes, then the six of the small bore; the big bore stays."""
    big = {order[n] for n in surfaces["big_bore"]}
    small = sorted(order[n] for n in surfaces["small_bore"])
    middle = X[small].mean(axis=0)
    free = [n for n in range(len(X)) if n not in big and n not in set(small)]
    place = {node: 3 * index for index, node in enumerate(free)}
    T = scipy.sparse.lil_matrix((3 * len(X), 3 * len(free) + 6))
    for node, first in place.items():
        for k in range(3):
            T[3 * node + k, first + k] = 1
    last = 3 * len(free)
    for node in small:
        x, y, z = X[node] - middle
        block = np.hstack([np.eye(3), [[0, z, -y], [-z, 0, x], [y, -x, 0]]])
        for i in range(3):
            for j in range(6):
                if block[i, j]:
                    T[3 * node + i, last + j] = block[i, j]
    return T.tocsc(), last


def shaken(t):
    """Second derivative of s (tau - sin(2 pi tau)/(2 pi)) over tau = (t - start)/duration, along the joint's axis."""
    joint = MODEL["joint"][0]
    motion = joint["motion"]["cycloidal"]
    tau = (t - motion["start"]) / motion["duration"]
    size = motion["to"] * 2 * math.pi / motion["duration"] ** 2 * math.sin(2 * math.pi * tau) if 0 < tau < 1 else 0.0
    axis = np.array(joint["axis"], float)
    return size * axis / np.linalg.norm(axis)


def run(step):
    """Times, von Mises stresses of all nodes (a row per instant), numbers of the nodes."""
    nodes, solids, surfaces = read_mesh(ROOT / "models/parts" / PART["mesh"])
    order, X, K, M, recover = assemble(nodes, solids, PART["material"][0])
    T, last = hang(X, order, surfaces)
    K, rod = (T.T @ K @ T).tocsc(), (T.T @ M @ T).tocsc()
    rigid = scipy.sparse.csc_matrix(np.tile(np.eye(3), (len(X), 1)))
    push = (T.T @ (M @ rigid)).toarray()
    piston = MODEL["body"][1]["mass"]
    extra = np.zeros(K.shape[0])
    extra[last : last + 3] = piston
    push[last : last + 3] += piston * np.eye(3)
    mass = (rod + scipy.sparse.diags(extra)).tocsc()
    # Damping of the lowest modes of the rod alone, a matrix of low rank W W^T.
    ratio = PART["reduction"]["damping_ratio"]
    eigenvalues, shapes = scipy.sparse.linalg.eigsh(K, 18, rod, sigma=0.0)
    W = (rod @ shapes) * np.sqrt(2 * ratio * np.sqrt(eigenvalues))
    solve = scipy.sparse.linalg.splu((mass + step**2 / 4 * K).tocsc()).solve
    thin = solve(W)
    inner = np.linalg.inv(np.eye(W.shape[1]) + step / 2 * W.T @ thin) * (step / 2)
    damped = lambda right: (lambda x: x - thin @ (inner @ (W.T @ x)))(solve(right))
    gravity = np.array(MODEL["model"]["gravity"], float)
    load = lambda t: push @ (gravity - shaken(t))
    u, v = np.zeros(K.shape[0]), np.zeros(K.shape[0])
    a = scipy.sparse.linalg.splu(mass).solve(load(0.0))
    end, every = MODEL["simulation"]["end"], MODEL["simulation"]["output_interval"]
    recover = recover @ T
    times, stresses = [0.0], [np.zeros(len(X))]
    for number in range(1, round(end / step) + 1):
        u_, v_ = u + step * v + step**2 / 4 * a, v + step / 2 * a
        a = damped(load(number * step) - W @ (W.T @ v_) - K @ u_)
        u, v = u_ + step**2 / 4 * a, v_ + step / 2 * a
        if number % round(every / step) == 0:
            xx, yy, zz, xy, yz, zx = (recover @ u).reshape(-1, 6).T
            normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
            times.append(number * step)
            stresses.append(np.sqrt(0.5 * normal + 3 * (xy**2 + yz**2 + zx**2)))
    return np.array(times), np.array(stresses), list(order)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--step", type=float, default=1e-5)
    parser.add_argument("--every", type=int)
    parser.add_argument("--compare")
    arguments = parser.parse_args()
    times, stresses, numbers = run(arguments.step)
    row, worst = np.unravel_index(stresses.argmax(), stresses.shape)
    most = stresses[row, worst]
    print(f"{stresses.shape[1]} nodes; largest von Mises stress {most/1e6:.4f} MPa at {times[row]:.5f} s, node {numbers[worst]}")
    if arguments.every:
        for k in range(0, len(times), arguments.every):
            print(f"{times[k]:9.5f} {stresses[k, worst]/1e6:12.5f}")
    if arguments.compare:
        with open(arguments.compare, newline="") as file:
            rows = list(csv.reader(file))
        column = next(k for k, name in enumerate(rows[0]) if f".node{numbers[worst]}." in name and name.endswith(".von_mises [Pa]"))
        own = np.array([[float(line[0]), abs(float(line[column]))] for line in rows[1:]])
        found = np.interp(times, own[:, 0], own[:, 1])
        print(f"Flexura {found.max()/1e6:.4f} MPa at {times[found.argmax()]:.5f} s, difference {100*(found.max()/most-1):+.3f} %; largest difference "
              f"at any instant {100*np.abs(found-stresses[:, worst]).max()/most:.3f} % of the largest stress")


if __name__ == "__main__":
    main()
