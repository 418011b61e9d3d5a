# Writes vectors.json: what numpy itself says. Run with numpy installed:
#   python3 vectors.py > vectors.json
import json
import numpy as np

INTERVALS = [
    (0, 1), (5, 6), (49, 951), (399, 7601), (0, 151643), (-10, 10),
    (0, 2**31 + 1), (0, 2**32 - 1), (0, 2**32), (0, 2**32 + 1),
    (0, 3 * 2**61), (-2**62, 2**62 + 2), (-2**63, 2**63 - 1), (-2**63, -2**63 + 7),
]


def text(values):
    return [str(int(v)) for v in values]  # JSON numbers lose digits above 2**53


generator = []
for seed in [0, 1, 42, 2**32 - 1, 2**32, 2**53 + 7, 2**63 - 1]:
    rng = np.random.default_rng(seed)
    draws = [{"low": str(lo), "high": str(hi), "values": text(rng.integers(lo, hi, size=7))} for lo, hi in INTERVALS]
    generator.append({"seed": str(seed), "draws": draws})

percentile = []
rng = np.random.default_rng(7)
for n in [1, 2, 3, 4, 7, 50, 100, 101]:
    data = np.sort(rng.gamma(2.0, 300.0, size=n)) - 200
    ps = [0, 0.1, 1, 25, 33.3, 50, 66.6, 75, 90, 95, 99, 99.9, 100]
    percentile.append({
        "data": data.tolist(),
        "percentiles": [{"p": p, "value": float(np.percentile(data, p))} for p in ps],
    })

print(json.dumps({"numpy": np.__version__, "generator": generator, "percentile": percentile}, separators=(",", ":")))
