/* A ring whose two counters are in one word: a producer takes a place by a compare-exchange of both,
 * so that it never takes one that is not yet consumed; the consumer reads and writes its half.
 * expect sc,tso,ra,rc11: verified
 */
#include "../parallel.h"

#include <stdint.h>

enum { SIZE = 2 };

static union {
	_Atomic uint64_t both;
	struct {
		_Atomic uint32_t head, tail; /* consumed; taken by producers */
	};
} ring;
static _Atomic int slot[SIZE];

static void produce(int value)
{
	uint64_t old = load(&ring.both, acquire);

	do {
		if ((uint32_t)(old >> 32) - (uint32_t)old == SIZE)
			return;
	} while (!cas(&ring.both, &old, old + (UINT64_C(1) << 32), acq_rel));
	assert(!load(&slot[(old >> 32) % SIZE], relaxed));
	store(&slot[(old >> 32) % SIZE], value, release);
}

static void consume(void)
{
	const uint32_t head = load(&ring.head, relaxed);

	if (load(&ring.tail, acquire) == head || !load(&slot[head % SIZE], acquire))
		return;
	store(&slot[head % SIZE], 0, relaxed);
	store(&ring.head, head + 1, release);
}

static void first(void)
{
	produce(1);
	produce(2);
}

static void second(void)
{
	produce(3);
}

int main(void)
{
	parallel(first, second, consume);
	return 0;
}
