/* The client of the Michael-Scott queue that is measured: as many executions as there are
 * orbits under exchanging the dequeues of those without symmetry.
 * expect rc11 --no-symmetry -- -DENQ=2 -DDEQ=2: verified, executions 22
 * expect rc11 --no-symmetry -- -DENQ=3 -DDEQ=2: verified, executions 114
 * expect rc11 --no-symmetry --no-helping -- -DENQ=2 -DDEQ=2: verified, executions 158
 * expect rc11 -- -DENQ=2 -DDEQ=2 -DSYMMETRIC: verified, executions 12
 * expect rc11 -- -DENQ=3 -DDEQ=2 -DSYMMETRIC: verified, executions 60
 * expect rc11 -- -DENQ=3 -DDEQ=3 -DSYMMETRIC: verified, executions 120
 */
#include "../../../bench/programs/queues/msqueue.c"
