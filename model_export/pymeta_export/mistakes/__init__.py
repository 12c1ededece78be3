"""How beginners go wrong: a catalogue of mistakes to plant in correct programs.

The kinds follow what studies of novices report: the errors that McCall and Kölling ("Meaningful categorisation of
novice programmer errors", 2014), Altadmri and Brown ("37 million compilations", 2015), and Smith and Rixner ("The error
landscape", 2019) count, and the traps of Python courses; :mod:`.citations` names the sources of each. No operator decides
a label: the interpreter does.
"""

from . import calls, logic, names, sequences, syntax, values
from .catalogue import OPERATORS, Mistake, Operator, plant

__all__ = ["OPERATORS", "Mistake", "Operator", "calls", "logic", "names", "plant", "sequences", "syntax", "values"]
