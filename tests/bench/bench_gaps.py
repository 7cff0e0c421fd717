"""bench_gaps.py DIR: sums up the scores of bench_gaps.sh, DIR/TAKE__CASE.json, one line a case.

value: mean distance to what was hidden, mm, mean of the takes. peer: the best published program
(PMDR R2, Gloersen & Federolf 2016, its authors' code; the rigid cluster where it has no answer).
bar: what this project holds itself to. predicted: what the program itself said, root mean square
over the filled samples; calibration: rms error / that.
"""
import glob
import json
import os
import sys

#        peer   prototype bar
FIGURES = {
    "a01": (9.03, 1.18, 1.2),
    "a05": (8.75, 3.50, 3.5),
    "a1": (10.4, 4.58, 4.6),
    "a2": (13.0, 6.17, 6.4),
    "a5": (17.4, 7.50, 7.5),
    "b3": (10.8, 5.32, 5.3),
    "b5": (15.5, 4.31, 4.4),
    "b8": (25.0, 6.38, 6.4),
    "c_arm": (112.0, 50.8, 51.0),
    "c_foot": (64.4, 31.7, 32.0),
    "e_ends": (5.4, 2.14, 2.1),
    "d10": (0.50, None, 0.21),
    "d10b": (18.4, None, 9.0),
}
# Tits 2018 (MocapRecovery, authors' code), single takes
TITS = {
    "cmu135_02__a05": 5.31,
    "cmu135_02__a1": 8.28,
    "cmu85_12__a1": 11.61,
    "jyu_dance1__a05": 6.27,
    "jyu_dance1__a1": 5.84,
    "jyu_dance1__a2": 5.78,
    "jyu_dance1__b5": 7.27,
    "jyu_dance1__c_arm": 19.64,
}


def read(folder):
    scores = {}
    for path in sorted(glob.glob(folder + "/*__*.json")):
        name = os.path.basename(path)[:-5]
        if name.endswith(".metrics"):
            continue
        with open(path) as file:
            scores[name] = json.load(file)
        with open(folder + "/" + name + ".ns") as file:
            scores[name]["seconds"] = int(file.read()) * 1e-9
    return scores


def line(**fields):
    print(json.dumps(fields))


def main():
    scores = read(sys.argv[1])
    failed = []
    for case, (peer, prototype, bar) in FIGURES.items():
        mine = {n: s for n, s in scores.items() if n.endswith("__" + case)}
        if not mine:
            continue
        failed += [
            f"{n}: unfilled {s['unfilled']}, touched {s.get('touched')}"
            for n, s in mine.items()
            if s["unfilled"] != 0 or not s["touched"] <= 0.02
        ]
        count = len(mine)
        value = sum(s.get("mean", float("nan")) for s in mine.values()) / count
        line(
            name="gaps_" + case,
            value=round(value, 3),
            unit="mm",
            peer=peer,
            ratio=round(value / peer, 3),
            prototype=prototype,
            bar=bar,
            met=value <= bar,
            seconds=round(sum(s["seconds"] for s in mine.values()), 2),
            takes={n.split("__")[0]: round(s.get("mean", float("nan")), 2) for n, s in mine.items()},
        )
    for name, peer in TITS.items():
        if name in scores:
            value = scores[name].get("mean", float("nan"))
            line(name="gaps_recovery_" + name, value=round(value, 3), unit="mm", peer=peer,
                 ratio=round(value / peer, 3))
    for text in failed:
        print("bench gaps: " + text, file=sys.stderr)
    sys.exit(1 if failed or not scores else 0)


main()
