/* A version and a value in one word.  The writer, of which there is one, stores to the halves, the
 * version before the value: a reader may see the new version with the old value.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include "../parallel.h"
#include <stdint.h>
static union {
	_Atomic uint64_t both;
	struct {
		_Atomic uint32_t version, value;
	};
} s;
static void writer(void)
{
	store(&s.version, 2, release);
	store(&s.value, 7, release);
}
static void reader(void)
{
	const uint64_t both = load(&s.both, acquire);
	if ((uint32_t)both == 0)
		assert(both >> 32 == 0);
	if ((uint32_t)both == 2)
		assert(both >> 32 == 7); /* BUG */
}
int main(void)
{
	parallel(writer, reader);
	return 0;
}
