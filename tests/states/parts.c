/* A counter in half of a word: changed with the word, by a compare-exchange, or (HALVES) in a section
 * that a byte of the other half protects; read alone.  BUG: nothing protects it. */
#include <linchpin.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
	_Atomic uint64_t both;
	struct {
		_Atomic uint32_t count;
		_Atomic uint8_t locked;
	};
} u;

LP_SPEC("counter:k=3")

LP_METHOD(increment)
{
#if defined BUG
	uint32_t n = atomic_load(&u.count);
	atomic_store(&u.count, (n + 1) % 3);
#elif defined HALVES
	while (atomic_exchange(&u.locked, 1))
		;
	atomic_store(&u.count, (atomic_load(&u.count) + 1) % 3);
	atomic_store(&u.locked, 0);
#else
	uint64_t old = atomic_load(&u.both);
	while (!atomic_compare_exchange_strong(&u.both, &old, (old + 1) % 3))
		;
#endif
	return LP_VOID;
}

LP_METHOD(read)
{
#if defined HALVES || defined BUG
	return (uint32_t)atomic_load(&u.both);
#else
	return atomic_load(&u.count);
#endif
}
