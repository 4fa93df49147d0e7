/* mailbox.c -- the mailbox problem (Aguilera, Gafni and Lamport, 2010).
 *
 * A postman delivers letters; the owner checks whether there are any, and removes one when
 * there are.  Here each of them has a counter that the other only reads; at most LETTERS
 * are in the box at a time, so that counters wrap without being mistaken.
 *
 *     -DLETTERS=3
 *     -DBUG=1      one flag for "there are letters": the last removal and a delivery race
 */
#include <linchpin.h>
#include <stdatomic.h>

#ifndef LETTERS
#define LETTERS 3
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(BUG >= 0 && BUG <= 1, "there is no such BUG");

void __VERIFIER_assume(int);

static _Atomic unsigned delivered, removed, letters, flag;

LP_SPEC("mailbox")
LP_ROLE("deliver")
LP_ROLE("check remove")
LP_AFTER_TRUE("remove", "check")

LP_METHOD(deliver)
{
	if (BUG) {
		__VERIFIER_assume(letters < LETTERS);
		letters++;
		flag = 1;
		return LP_VOID;
	}
	const unsigned d = delivered;
	__VERIFIER_assume((d + 1) % (LETTERS + 1) != removed);
	delivered = (d + 1) % (LETTERS + 1);
	return LP_VOID;
}

LP_METHOD(check)
{
	return BUG ? flag != 0 : delivered != removed;
}

LP_METHOD(remove)
{
	if (BUG) {
		if (atomic_fetch_sub(&letters, 1) == 1)
			flag = 0;
		return LP_VOID;
	}
	removed = (removed + 1) % (LETTERS + 1);
	return LP_VOID;
}
