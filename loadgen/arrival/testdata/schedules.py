# Writes schedules.json: moments of sending as `vllm bench serve` defines them,
# computed with numpy itself. Run with numpy installed:
#   python3 schedules.py > schedules.json
import json
import math
import random

import numpy as np

INF = math.inf


def moments(seed, rate, shape, n, ramp=None, start=0.0, end=0.0):
    np.random.seed(seed)
    out, total = [], 0.0
    for i in range(n):
        r = rate
        progress = i / max(n - 1, 1)
        if ramp == "linear":
            r = start + (end - start) * progress
        elif ramp == "exponential":
            r = start * ((end / start) ** progress)
        if r == INF:
            gap = 0.0
        elif shape == INF:
            gap = 1.0 / r
        else:
            gap = float(np.random.gamma(shape=shape, scale=1.0 / (r * shape)))
        total += gap
        out.append(total)
    if ramp is None and n and total != 0:
        stretch = (n / rate) / total
        out = [t * stretch for t in out]
    return {
        "seed": seed, "rate": str(rate), "burstiness": str(shape), "n": n,
        "ramp": ramp or "", "start": start, "end": end, "seconds": out,
    }


schedules = [
    moments(0, 1.0, 1.0, 12),
    moments(42, 0.3, 0.7, 40),
    moments(7, 25.0, 0.2, 30),
    moments(2**32 - 1, 3.0, 4.0, 30),
    moments(5, 2.0, 1.0, 1),
    moments(5, 2.0, 0.5, 0),
    moments(5, 3.0, INF, 10),
    moments(5, INF, 1.0, 5),
    moments(5, INF, INF, 5),
    moments(42, INF, 1.0, 30, "linear", 1.0, 10.0),
    moments(42, INF, 0.7, 30, "linear", 8.0, 2.0),
    moments(42, INF, 0.7, 40, "exponential", 1.0, 20.0),
    moments(42, INF, 2.5, 30, "exponential", 16.0, 0.5),
    moments(42, INF, INF, 9, "linear", 2.0, 4.0),
    moments(42, INF, 1.0, 1, "exponential", 2.0, 4.0),
]


def selection(seed, conversations, n, lengths):
    order = list(range(conversations))
    random.seed(seed)
    random.shuffle(order)
    chosen, asked = [], []
    for c in order:
        if len(chosen) >= n:
            break
        asked.append(c)
        prompt, output = lengths[c]
        if 4 <= prompt <= 1024 and output >= 4 and prompt + output <= 2048:
            chosen.append(c)
    if chosen and len(chosen) < n:
        random.seed(seed)
        chosen += [random.choice(chosen) for _ in range(n - len(chosen))]
    return {"seed": seed, "n": n, "lengths": lengths, "asked": len(asked), "chosen": chosen}


def lengths(seed, count, longest):
    r = random.Random(seed)
    return [[r.randrange(1, longest), r.randrange(1, longest)] for _ in range(count)]


selections = [
    selection(42, 60, 10, lengths(1, 60, 1500)),
    selection(0, 60, 60, lengths(2, 60, 1100)),
    selection(7, 5, 12, lengths(3, 5, 900)),
    selection(7, 6, 4, [[3, 9], [4, 4], [1024, 1024], [1024, 1025], [1025, 4], [4, 3]]),
    selection(7, 3, 4, [[1, 1]] * 3),
]

print(json.dumps({"numpy": np.__version__, "schedules": schedules, "selections": selections}, separators=(",", ":")))
