/* hwqueue.c -- the array queue of Herlihy and Wing (TOPLAS 1990).
 *
 * A dequeue that finds nothing scans again: it waits for an enqueue.  Orders after
 * Raad, Doko, Rozic, Lahav and Vafeiadis (POPL 2019). */
#include <stdatomic.h>
#include <stdbool.h>

#include "../client.h"

#ifndef ENQ
#define ENQ 4
#endif
#ifndef DEQ
#define DEQ 4
#endif

static atomic_int back;
static atomic_int slot[ENQ + 1];

static void client_setup(void)
{
}

static void client_insert(int value)
{
	int i = atomic_fetch_add_explicit(&back, 1, memory_order_release);

	atomic_store_explicit(&slot[i], value, memory_order_release);
}

static bool scan(void)
{
	int end = atomic_load_explicit(&back, memory_order_acquire);

	for (int i = 0; i < end; i++) {
		/* An exchange of an empty slot would be a write for nothing. */
		if (atomic_load_explicit(&slot[i], memory_order_acquire) == 0)
			continue;
		if (atomic_exchange_explicit(&slot[i], 0, memory_order_acq_rel) != 0)
			return true;
	}
	return false;
}

static void client_remove(void)
{
	while (!scan())
		;
}

int main(void)
{
	client_run(ENQ, DEQ);
	return 0;
}
