"""The same solvers over blocks of rows: for data that fit in no memory, or lie on many machines.

A block is a pair (X_b, y_b) of some of the rows. Whatever is asked of the data is a function of one
block and of a few numbers, run on each of them by `map`; its answers are added up here. So nothing
of the size of the data is ever put together, and it is all the same where the blocks are: in a
list, in files, or in other processes (`clusters`). Readings of all blocks are what it costs.

Ridge regression needs one; see `ridge`. Dual coordinate descent and Pegasos read the blocks once a
pass, and for the gap of the whole again.
"""

from __future__ import annotations

from kernellab.solvers.blocks.descent import descend_over_blocks
from kernellab.solvers.blocks.pegasos import pegasos_over_blocks
from kernellab.solvers.blocks.ridge import RidgeSums, ridge_over_blocks, ridge_sums
