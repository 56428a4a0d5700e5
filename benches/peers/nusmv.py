"""NuSMV's BDDs and SAT beside `veristep check` on circuits, exported as SMV.

Usage: nusmv.py VERISTEP SECONDS FOLDER-OR-FILE ...
Each measurement is a process of its own with the same limit; times are of whole processes. NuSMV comes with the package
pynusmv: its BDDs compute the reachable states, its SAT solver looks for a run or an induction (Een and Soerensson, 2003).
"""

import pathlib
import subprocess
import sys
import tempfile

from timing import timed

BDD = """
import sys, pynusmv
pynusmv.init.init_nusmv()
pynusmv.dd.enable_dynamic_reordering()
pynusmv.glob.load_from_file(sys.argv[1])
pynusmv.glob.compute_model()
fsm = pynusmv.glob.prop_database().master.bddFsm
good = pynusmv.mc.eval_simple_expression(fsm, str(list(pynusmv.glob.prop_database())[0].exprcore))
bad = fsm.reachable_states & fsm.state_constraints & ~good
print("holds" if bad.is_false() else "violated")
"""

SAT = """
import sys, pynusmv, pynusmv.bmc.glob, pynusmv.bmc.invarspec
pynusmv.init.init_nusmv()
pynusmv.glob.load_from_file(sys.argv[1])
pynusmv.glob.flatten_hierarchy()
pynusmv.glob.encode_variables()
pynusmv.glob.build_boolean_model()
pynusmv.bmc.glob.bmc_setup()
prop = list(pynusmv.glob.prop_database())[0]
pynusmv.bmc.invarspec.check_invar_een_sorensson(prop, 1000)
"""


def verdict(text):
    for word, verdict in (("holds", "holds"), ("violated", "violated"), ("is true", "holds"), ("is false", "violated")):
        if word in text:
            return verdict
    return "unknown"


def main():
    veristep, seconds, roots = sys.argv[1], float(sys.argv[2]), map(pathlib.Path, sys.argv[3:])
    # A package that does not start must not pass for one that finds nothing.
    start = "import pynusmv, pynusmv.bmc.glob; pynusmv.init.init_nusmv()"
    subprocess.run([sys.executable, "-W", "ignore", "-c", start], check=True)
    files = sorted(f for r in roots for f in ([r] if r.is_file() else r.rglob("*")) if f.suffix in (".aag", ".aig"))
    total = {name: [0, 0.0] for name in ("veristep", "bdd", "sat")}
    print(f"{'model':32}" + "".join(f"{name:>20}" for name in total))
    disagree = 0
    for file in files:
        with tempfile.NamedTemporaryFile(suffix=".smv") as smv:
            if subprocess.run([veristep, "convert", file, "--to", "smv", "-o", smv.name], capture_output=True).returncode:
                print(f"{file.stem:32} cannot be exported")
                continue
            ours = [veristep, "check", str(file), "--timeout", str(seconds)]
            theirs = [[sys.executable, "-W", "ignore", "-c", script, smv.name] for script in (BDD, SAT)]
            results = [timed(command, seconds + 2) for command in (ours, *theirs)]
        verdicts = [verdict(results[0][0].split("\n")[0]), *(verdict(out) for out, _ in results[1:])]
        for name, said, (_, took) in zip(total, verdicts, results):
            total[name][0] += said != "unknown"
            total[name][1] += took if said != "unknown" else seconds
        differ = len(set(verdicts) - {"unknown"}) > 1
        disagree += differ
        cells = "".join(f"{said:>12}{took:7.2f}s" for said, (_, took) in zip(verdicts, results))
        print(f"{file.stem:32}{cells}{'  DISAGREE' if differ else ''}", flush=True)
    for name, (decided, took) in total.items():
        print(f"{name}: {decided} decided, {took:.2f} s (undecided ones count the limit of {seconds:g} s)")
    sys.exit(disagree)


main()
