# Writes streams.json: what numpy, CPython and exact arithmetic say about the
# legacy and Python streams. Run with numpy 1.24 and gmpy2 (MPFR) installed:
#   python3 streams.py > streams.json
#
# "gamma" holds values of numpy itself. "exact" holds digests of long runs of the
# same algorithm with every logarithm and power rounded correctly by MPFR, and how
# many of those values differ from what numpy computed on the machine that ran
# this: numpy takes the C library's logarithm and power, whose last bit depends on
# whether the processor has fused multiply-add.
import hashlib
import json
import math
import random
import struct
import sys

import gmpy2
import numpy as np

gmpy2.get_context().precision = 53
SHAPES = [0.05, 0.25, 0.3, 0.5, 0.7, 1.0, 1.5, 2.5, 3.5, 100.0]
SHORT, LONG = 10_000, 1_000_000


def log(x):
    return float(gmpy2.log(gmpy2.mpfr(x)))


def power(x, y):
    # Below the normal range MPFR's own rounding would come first: compute those
    # with digits to spare and let Python round once.
    z = float(gmpy2.mpfr(x) ** gmpy2.mpfr(y)) if x else 0.0
    if x and z < 1e-300:
        with gmpy2.local_context(gmpy2.get_context(), precision=200):
            return float(gmpy2.mpfr(x) ** gmpy2.mpfr(y))
    return z


class Exact:
    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)
        self.buffer = iter(())
        self.pair = None

    def uniform(self):
        for u in self.buffer:
            return u
        self.buffer = iter(self.rng.random_sample(100_000).tolist())
        return next(self.buffer)

    def exponential(self):
        return -log(1.0 - self.uniform())

    def normal(self):
        if self.pair is not None:
            x, self.pair = self.pair, None
            return x
        while True:
            x, y = 2 * self.uniform() - 1, 2 * self.uniform() - 1
            r = x * x + y * y
            if 0 < r < 1:
                f = math.sqrt(-2.0 * log(r) / r)
                self.pair = f * x
                return f * y

    def gamma(self, k):
        if k == 1:
            return self.exponential()
        if k < 1:
            while True:
                u, v = self.uniform(), self.exponential()
                if u <= 1 - k:
                    x = power(u, 1 / k)
                    if x <= v:
                        return x
                else:
                    y = -log((1 - u) / k)
                    x = power(1 - k + k * y, 1 / k)
                    if x <= v + y:
                        return x
        b = k - 1 / 3
        c = 1 / math.sqrt(9 * b)
        while True:
            x = self.normal()
            v = 1 + c * x
            if v <= 0:
                continue
            v = v * v * v
            u = self.uniform()
            if u < 1 - 0.0331 * (x * x) * (x * x):
                return b * v
            if log(u) < 0.5 * x * x + b * (1 - v + log(v)):
                return b * v


def digest(values):
    return hashlib.sha256(struct.pack("<%dd" % len(values), *values)).hexdigest()


def differing(values, others):
    return sum(a != b for a, b in zip(values, others.tolist()))


legacy = []
for seed in [0, 1, 42, 123456789, 2**32 - 1]:
    np.random.seed(seed)
    words = [int(np.random.randint(0, 2**32, dtype=np.uint32)) for _ in range(3)]
    np.random.seed(seed)
    legacy.append({
        "seed": seed,
        "words": words,
        "uniform": np.random.random_sample(1300)[::100].tolist(),  # across two refills
        "exponential": np.random.standard_exponential(5).tolist(),
        "normal": np.random.standard_normal(5).tolist(),  # leaves one of a pair behind
        "gamma": [{"shape": k, "scale": s, "value": float(np.random.gamma(shape=k, scale=s))}
                  for k in [0.7, 1.0, 2.5, 0.0, 0.05, 100.0] for s in [1.0, 4.761904761904762, 0.01] for _ in range(4)],
    })

exact = []
for shape in SHAPES:
    rng = Exact(42)
    values = [rng.gamma(shape) for _ in range(LONG)]
    own = np.random.RandomState(42).standard_gamma(shape, LONG)
    exact.append({
        "draw": "gamma", "shape": shape, "seed": 42, "short": digest(values[:SHORT]), "long": digest(values),
        "numpy_differs": differing(values, own), "numpy_differs_short": differing(values[:SHORT], own[:SHORT]),
    })
    print(exact[-1], file=sys.stderr)
rng = Exact(42)
values = [rng.normal() for _ in range(LONG)]
own = np.random.RandomState(42).standard_normal(LONG)
exact.append({"draw": "normal", "shape": 0, "seed": 42, "short": digest(values[:SHORT]), "long": digest(values),
              "numpy_differs": differing(values, own), "numpy_differs_short": differing(values[:SHORT], own[:SHORT])})
print(exact[-1], file=sys.stderr)


def python_stream(seed):
    r = random.Random(seed)
    out = {"seed": str(seed), "random": [r.random() for _ in range(4)]}
    out["bits"] = [{"k": k, "value": str(r.getrandbits(k))} for k in [1, 7, 31, 32, 33, 53, 63, 64]]
    out["below"] = [{"n": str(n), "value": str(r._randbelow(n))} for n in [1, 2, 3, 1000, 2**32 - 1, 2**32, 2**32 + 1, 2**63, 2**64 - 1]]
    out["shuffled"] = list(range(30))
    r.shuffle(out["shuffled"])
    out["end"] = r.random()
    return out


python = [python_stream(s) for s in [0, 1, 42, -42, 2**31, 2**32 - 1, 2**32, 2**40 + 5, 2**63 - 1, -2**63]]

logs, powers = [], []
r = random.Random(5)
for _ in range(300):
    x = r.choice([r.random(), 1 + (r.random() - 0.5) * 2.0 ** -r.randrange(52), math.ldexp(r.random(), r.randrange(-1070, 1020)), r.randrange(1, 10**6)])
    logs.append({"x": float(x).hex(), "value": log(x).hex()})
    y = r.choice([1 / 0.7, 1 / 0.3, 2.0, 4.0, 0.5, r.uniform(-3, 3), r.uniform(-700, 700) / (abs(log(x)) or 1)])
    if x > 0 and abs(log(x) * y) < 740:
        powers.append({"x": float(x).hex(), "y": y.hex(), "value": power(x, y).hex()})
for x, y in [(0.5, 1074.0), (0.5, 1074.5), (0.75, 2590.0), (2.0, -1022.5), (2.0, 1023.999), (3.0, 646.0), (1e-5, 62.0),
             (1 - 2.0**-53, 1e18), (1 + 2.0**-52, 1e18), (1.5, 1e-300), (134217729.0, 2.0), (134217731.0, 2.0), (94906267.0, 2.0),
             (2.0**-27 + 2.0**-53, 2.0), (5.0, 22.0), (5.0, 23.0), (9.0, 1.5), (3.0, 33.0), (3.0, 34.0), (0.04, 0.5)]:
    powers.append({"x": x.hex(), "y": y.hex(), "value": power(x, y).hex()})

sums = []
for n in [1, 2, 3, 7, 8, 9, 15, 16, 17, 127, 128, 129, 136, 137, 255, 256, 257, 1000, 1025, 8191, 8193, 20011, 300_000]:
    data = np.random.RandomState(n).random_sample(n) * 300.0 - 100.0
    sums.append({"n": n, "sum": float(np.sum(data)), "mean": float(np.mean(data)), "std": float(np.std(data)),
                 "median": float(np.median(data))})

print(json.dumps({"numpy": np.__version__, "python": sys.version.split()[0], "legacy": legacy, "exact": exact, "streams": python,
                  "logs": logs, "powers": powers, "sums": sums}, separators=(",", ":")))
