/* What is new is passed on, and its allocation with it, but not its first write, which may come
 * between two stores of the same value.  So neither of these may be skipped (12 is lost then: the second thread to store
 * sees 1, and 2 is what remains).
 * expect rc11: verified, outcomes 11 | 12 | 21 | 22
 * expect rc11 --no-helping: verified, outcomes 11 | 12 | 21 | 22
 */
#include <stdlib.h>

#include "../parallel.h"

void lp_outcome(const char *);

static _Atomic(atomic_int *) box, passed_on;
static int seen;

static void owner(void)
{
	atomic_int *new = malloc(sizeof *new);

	atomic_thread_fence(memory_order_release);
	store(new, 1, relaxed);
	store(&box, new, relaxed);
}

static void helped(void)
{
	atomic_int *it = load(&box, acquire);

	if (it) {
		store(&passed_on, it, release);
		store(it, 2, release);
	}
}

static void helping(void)
{
	atomic_int *it = load(&passed_on, acquire);

	if (it) {
		store(it, 2, release);
		seen = load(it, relaxed);
	}
}

int main(void)
{
	char text[3] = "";

	parallel(owner, helped, helping);
	text[0] = (char)('0' + seen);
	text[1] = (char)('0' + load(load(&box, relaxed), relaxed));
	if (seen)
		lp_outcome(text);
	return 0;
}
