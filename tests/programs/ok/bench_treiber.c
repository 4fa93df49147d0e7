/* The client of Treiber's stack that is measured: as many executions as there are orbits under
 * exchanging the pops of those without symmetry.
 * expect rc11 --no-symmetry -- -DPUSH=2 -DPOP=2: verified, executions 38
 * expect rc11 --no-symmetry -- -DPUSH=3 -DPOP=2: verified, executions 282
 * expect rc11 -- -DPUSH=2 -DPOP=2 -DSYMMETRIC: verified, executions 20
 * expect rc11 -- -DPUSH=3 -DPOP=2 -DSYMMETRIC: verified, executions 144
 * expect rc11 -- -DPUSH=3 -DPOP=3 -DSYMMETRIC: verified, executions 408
 */
#include "../../../bench/programs/stacks/treiber.c"
