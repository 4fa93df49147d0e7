/* harris.c -- Harris' list (DISC 2001): a node is marked first, then taken out.
 *
 * A link is twice the number of the next node, plus one if its own node is marked. */
#include "list.h"

static atomic_int link[LAST + 1];

static void setup(void)
{
	for (int key = 0; key < LAST; key += 2)
		atomic_init(&link[key], 2 * (key + 2));
}

/* Finds the first node with at least `key`; the link that led to it is `*before`'s. */
static int find(int key, int *before)
{
	for (;;) {
		int left = 0, right = load(&link[0], acquire) / 2, to;
		bool lost = false;

		while (!lost && right != LAST) {
			to = load(&link[right], acquire);
			if (to % 2) {
				int seen = 2 * right;

				lost = !cas(&link[left], &seen, to - 1, acq_rel);
			} else if (right >= key) {
				break;
			} else {
				left = right;
			}
			right = to / 2;
		}
		*before = left;
		if (!lost)
			return right;
	}
}

static bool insert(int key)
{
	for (;;) {
		int left, right = find(key, &left), seen = 2 * right;

		if (right == key)
			return false;
		store(&link[key], 2 * right, relaxed);
		if (cas(&link[left], &seen, 2 * key, release))
			return true;
	}
}

static bool erase(int key)
{
	for (;;) {
		int left, right = find(key, &left), seen, here = 2 * key;

		if (right != key)
			return false;
		seen = load(&link[key], acquire);
		if (seen % 2)
			return false;
		if (!cas(&link[key], &seen, seen + 1, acq_rel))
			continue;
		cas(&link[left], &here, seen, release);
		return true;
	}
}
