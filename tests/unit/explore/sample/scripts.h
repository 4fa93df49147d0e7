/* scripts.h -- small programs whose executions are known. */
#ifndef LP_TEST_SCRIPTS_H
#define LP_TEST_SCRIPTS_H

#define SB "thread; store.rlx x 1; r0 = load.rlx y\n" \
	   "thread; store.rlx y 1; r0 = load.rlx x\n"

#define MP "thread; store.rlx x 1; store.rel y 1\n" \
	   "thread; r0 = load.acq y; r1 = load.rlx x\n"

#define IRIW "thread; store.rel x 1\n" \
	     "thread; store.rel y 1\n" \
	     "thread; r0 = load.acq x; r1 = load.acq y\n" \
	     "thread; r0 = load.acq y; r1 = load.acq x\n"

#define CASROT "thread; cas.rlx.rlx x 0 1\n" \
	       "thread; cas.rlx.rlx x 1 2\n" \
	       "thread; cas.rlx.rlx x 2 3\n" \
	       "thread; cas.rlx.rlx x 3 4\n"

#define LOCKED "thread; lock m; r0 = load.rlx x; store.rlx x r0+1; unlock m\n"
#define LOCKS LOCKED LOCKED LOCKED

/* Waits for a flag in a loop, and reads two locations in each iteration. */
#define SPIN "thread; store.rlx x 1; store.rel y 1\n" \
	     "thread; top:; r0 = load.acq y; r1 = load.acq x; if r0 == 0 goto top\n"

/* A lock that spins on an exchange, which writes back what it reads while it waits. */
#define TAS "thread; top:; r0 = xchg.acq l 1; if r0 != 0 goto top;" \
	    "r1 = load.rlx x; store.rlx x r1+1; store.rel l 0\n"

#define MISC "thread; r0 = choose 3; store.rlx x r0; require.rlx y 1\n" \
	     "thread; r0 r1 = wcas.rlx.rlx x 0 5; store.rlx y 1; fence.sc; r2 = load.rlx x\n"

/* Two increments, one of which may be lost. */
#define LOST "thread; r0 = load.rlx x; store.rlx x r0+1\n" \
	     "thread; r0 = load.rlx x; store.rlx x r0+1\n" \
	     "final; r0 = load.rlx x; assert r0 == 2\n"

#define DEADLOCK "thread; lock a; lock b; unlock b; unlock a\n" \
		 "thread; lock b; lock a; unlock a; unlock b\n"

/* The value waited for may be gone. */
#define MISSED "thread; store.rlx x 1; store.rlx x 2\n" \
	       "thread; await.rlx x 1\n"

#define LIVELOCK "thread; store.rlx x 1; store.rlx x 0\n" \
		 "thread; top:; r0 = load.rlx x; if r0 == 0 goto top\n"

#define RACE "thread; pstore x 1; store.rlx y 1\n" \
	     "thread; r0 = load.rlx y; if r0 == 0 goto out; r1 = pload x; out:\n"

#endif
