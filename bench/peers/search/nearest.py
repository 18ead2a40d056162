"""The ten rows of a matrix most like each of some vectors, with numpy: reads both as float32 and prints JSON."""

import json
import sys
import time

import numpy as np

DIMENSIONS = 384
BEST = 10


def nearest(matrix: np.ndarray, query: np.ndarray) -> np.ndarray:
    """All vectors have length one, so their product is the cosine."""
    similarities = matrix @ query
    best = np.argpartition(similarities, -BEST)[-BEST:]
    return best[np.argsort(-similarities[best])]


def main() -> None:
    """Answers a line on standard input, which ends it when it ends, with what the queries took."""
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
