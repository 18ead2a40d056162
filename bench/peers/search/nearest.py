"""Finds the ten rows of a matrix that are nearest to each query vector, with numpy. Reads the matrix
and the queries as float32 and prints JSON."""

import json
import sys
import time

import numpy as np

DIMENSIONS = 384
BEST = 10


def nearest(matrix: np.ndarray, query: np.ndarray) -> np.ndarray:
    """Returns the indices of the nearest rows, best first. All vectors have length one, so the dot
    product is the cosine."""
    similarities = matrix @ query
    best = np.argpartition(similarities, -BEST)[-BEST:]
    return best[np.argsort(-similarities[best])]


def main() -> None:
    """Each line on standard input starts a run of all queries, whose times are then printed. Ends when
    standard input ends."""
    matrix = np.fromfile(sys.argv[1], dtype=np.float32).reshape(-1, DIMENSIONS)
    queries = np.fromfile(sys.argv[2], dtype=np.float32).reshape(-1, DIMENSIONS)
    print(json.dumps({"numpy": np.__version__}), flush=True)
    for _ in sys.stdin:
        milliseconds = []
        rows = []
        cpu = time.process_time()
        for query in queries:
            begun = time.perf_counter()
            rows.append(nearest(matrix, query))
            milliseconds.append(1000 * (time.perf_counter() - begun))
        cpu = 1000 * (time.process_time() - cpu)
        answer = {"cpu": cpu, "milliseconds": milliseconds, "rows": [row.tolist() for row in rows]}
        print(json.dumps(answer), flush=True)


main()
