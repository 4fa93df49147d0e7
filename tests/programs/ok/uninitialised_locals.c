/* Variables that are not always written, and are read only where they are; and bytes that may be copied or kept
 * although nothing was written to them.
 * expect sc,rc11: verified
 * expect rc11 -- -O0: verified
 * expect rc11 -- -O2: verified
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../parallel.h"

static atomic_int flag;
static int sink;

static void set_flag(void)
{
	store(&flag, 1, relaxed);
}

static int try_get(int *out)
{
	if (!load(&flag, relaxed))
		return 0;
	*out = 5;
	return 1;
}

struct three {
	char first; /* with padding behind it */
	int second, third;
};

struct bits {
	unsigned low : 3, high : 5;
};

union number {
	int whole;
	char bytes[4];
};

static struct three give(int n)
{
	struct three t;

	t.second = n;
	return t;
}

static __attribute__((noinline)) int take(struct three t, struct bits b)
{
	return t.second + (int)b.low;
}

static void results(void)
{
	int v, w, x;

	if (try_get(&v))
		sink = v;
	const int got = try_get(&w);
	sink = got ? w : -1;
	if (load(&flag, relaxed))
		x = 1;
	else
		x = 2;
	sink = x;
}

static void structures(void)
{
	struct three a = give(1), b, *heap = malloc(sizeof *heap);
	struct bits f;
	union number u;

	b = a;
	*heap = b;
	f.low = 1;
	u.whole = 7;
	sink = take(b, f) + heap->second + u.bytes[0];
	free(heap);
	struct three zero;
	memset(&zero, 0, sizeof zero);
	sink = zero.third;
}

static void loops(int n)
{
	int last, self = self, unused;

	for (int i = 0; i < 2; i++) {
		int each;
		each = i;
		last = each;
	}
	sink = last;
	(void)unused;
	switch (n) {
		int inside;
	case 1:
		inside = 2;
		sink = inside;
		break;
	case 2:
		self = 1;
		sink = self;
		break;
	default:
		break;
	}
again:;
	int after;
	if (n++ == 3)
		after = 1;
	else
		goto again;
	sink = after;
}

static int sum(int count, ...)
{
	va_list list, other;
	int total = 0;

	va_start(list, count);
	va_copy(other, list);
	while (count-- > 0)
		total += va_arg(list, int);
	total += va_arg(other, int);
	va_end(list);
	va_end(other);
	return total;
}

static jmp_buf place;

static void jumps(void)
{
	volatile int x;

	if (setjmp(place)) {
		sink = x;
		return;
	}
	x = 1;
	longjmp(place, 1);
}

static void reader(void)
{
	results();
	structures();
	loops(1);
	loops(2);
	sink = sum(2, 1, 2);
	jumps();
}

int main(void)
{
	parallel(set_flag, reader);
	return 0;
}
