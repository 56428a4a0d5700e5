"""Z3's Spacer beside `veristep check` on the same systems, exported as constrained Horn clauses.

Usage: spacer.py VERISTEP SECONDS FOLDER-OR-FILE ...
Each measurement is a process of its own with the same limit; times are of whole processes.
"""

import pathlib
import subprocess
import sys
import tempfile

from timing import timed

SOLVE = """
import sys, z3
z3.set_param("fp.engine", "spacer")
s = z3.SolverFor("HORN")
s.from_file(sys.argv[1])
print({"sat": "holds", "unsat": "violated"}.get(str(s.check()), "unknown"))
"""


def main():
    veristep, seconds, roots = sys.argv[1], float(sys.argv[2]), map(pathlib.Path, sys.argv[3:])
    files = sorted(f for r in roots for f in ([r] if r.is_file() else r.rglob("*")) if f.suffix in (".cfa", ".c"))
    total = {"veristep": [0, 0.0], "spacer": [0, 0.0]}
    python, engine_start = sys.executable, timed([sys.executable, "-c", "import z3"], 60)[1]
    print(f"(importing z3 takes {engine_start:.2f} s, which is taken off its times)")
    print(f"{'model':42} {'veristep':>18} {'spacer':>18}")
    disagree = 0
    for file in files:
        if file.suffix == ".c" and file.read_text().startswith("// unknown"):
            print(f"{file.stem:42} is left out: it has no verdict, because what it does is undefined")
            continue
        with tempfile.NamedTemporaryFile(suffix=".smt2") as chc:
            if subprocess.run([veristep, "convert", file, "--to", "chc", "-o", chc.name], capture_output=True).returncode:
                continue
            ours, t = timed([veristep, "check", str(file), "--timeout", str(seconds)], seconds + 5)
            ours = next((v for v in ("holds", "violated") if f": {v}" in ours.split("\n")[0]), "unknown")
            theirs, u = timed([python, "-c", SOLVE, chc.name], seconds + engine_start)
            theirs, u = theirs.strip() or "unknown", max(u - engine_start, 0.001)
        for tool, verdict, took in (("veristep", ours, t), ("spacer", theirs, u)):
            total[tool][0] += verdict != "unknown"
            total[tool][1] += took if verdict != "unknown" else seconds
        if "unknown" not in (ours, theirs) and ours != theirs:
            disagree += 1
        print(f"{file.stem:42} {ours:>9} {t:7.2f}s {theirs:>9} {u:7.2f}s{'  DISAGREE' if disagree and ours != theirs and 'unknown' not in (ours, theirs) else ''}", flush=True)
    for tool, (decided, took) in total.items():
        print(f"{tool}: {decided} decided, {took:.2f} s (undecided ones count the limit of {seconds:g} s)")
    sys.exit(disagree)


main()
