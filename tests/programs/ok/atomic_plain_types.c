/* The functions of stdatomic.h on objects that are not _Atomic, as gcc takes them; const, volatile and structures, too.
 * expect sc,tso,rc11: verified, executions 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node { struct node *next; int value; };

static struct node *head, node;
static int count;
static bool done;
static volatile long bits;
static volatile atomic_long total;
static const atomic_int three = 3;
static _Atomic(struct node) whole;

static void *writes(void *unused)
{
	struct node copy = { NULL, 1 };
	bool no = false;

	node.value = 1;
	atomic_store(&head, &node);
	atomic_fetch_add(&count, 1);
	atomic_compare_exchange_strong(&done, &no, true);
	atomic_exchange(&bits, 7);
	atomic_fetch_or(&bits, 8);
	atomic_fetch_add(&total, 2);
	atomic_store(&whole, copy);
	return unused;
}

int main(void)
{
	pthread_t a;

	atomic_init(&count, 0);
	pthread_create(&a, NULL, writes, NULL);
	struct node *const n = atomic_load(&head);
	if (n)
		assert(n->value == 1);
	pthread_join(a, NULL);
	assert(count == 1 && done && bits == 15 && total == 2 && atomic_load(&three) == 3);
}
