"""Runs cvc5 on a file: python cvc5_file.py FILE."""
import sys
import cvc5

solver = cvc5.Solver()
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
symbols = parser.getSymbolManager()
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    out = command.invoke(solver, symbols)
    if out:
        print(out.strip())
