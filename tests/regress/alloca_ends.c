/* A block of alloca() ends when its function returns (it has no scope), and an array of variable length with its scope,
 * also where the function is inlined and the size turns out to be a constant.
 * expect sc -- -DRETURNED: violation use after free at BUG
 * expect sc -- -DFOLDED: violation use after free at BUG
 * expect rc11 -- -DHANDED: violation use after free
 * expect sc -- -DCORRECT: verified
 * expect sc -- -DCORRECT -O0: verified
 */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) published;
static atomic_int seen;

static int *block(int n)
{
	int *p = alloca((size_t)n * sizeof *p);

	p[0] = n;
	return p;
}

/* The reader's access comes before the end of the thread, but may come after that of the function. */
static __attribute__((noinline)) void publish(int n)
{
	int *p = alloca((size_t)n * sizeof *p);

	p[0] = n;
	published = p;
}

static void *writer(void *unused)
{
	publish(4);
	while (!seen)
		;
	return unused;
}

static void *reader(void *unused)
{
	int *p;

	while (!(p = published))
		;
	p[0]++;
	seen = 1;
	return unused;
}

struct link {
	struct link *next;
	int value;
};

/* All blocks of a loop are there until the end. */
static int sum(int n)
{
	struct link *list = NULL;
	int total = 0;

	for (int i = 0; i < n; i++) {
		struct link *l = alloca(sizeof *l + (size_t)i);
		l->next = list;
		l->value = i;
		list = l;
	}
	for (; list; list = list->next)
		total += list->value;
	return n ? total + sum(n - 1) : total;
}

int main(void)
{
#if defined RETURNED
	return *block(4) - 4; /* BUG */
#elif defined FOLDED
	int *p, n = 4;
	{
		int array[n];
		array[0] = n;
		p = array;
	}
	return *p - 4; /* BUG */
#elif defined HANDED
	pthread_t a, b;
	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
#else
	for (int i = 0; i < 3; i++)
		assert(sum(6) == 15 + 10 + 6 + 3 + 1);
#endif
	(void)block, (void)writer, (void)reader, (void)sum;
	return 0;
}
