/* snapshot.c -- an atomic snapshot by double collect.
 *
 * After Afek, Attiya, Dolev, Gafni, Merritt and Shavit (J. ACM 1993), without helping: a
 * component is a value with a version; an update gives it a new version, a scan reads all components
 * until two collects are equal.  Then nothing has changed between the two, and all of it was there at
 * that moment. */
#include <stdatomic.h>
#include <stdint.h>

#ifndef COMPONENTS
#define COMPONENTS 2
#endif
#ifndef VERSION
#define VERSION 1 /* what a version is raised by */
#endif
#ifndef COLLECTS
#define COLLECTS 2
#endif
_Static_assert(COLLECTS == 1 || COLLECTS == 2, "a scan collects once or twice");

static _Atomic uint64_t component[COMPONENTS]; /* version, value: 32 bits each */

static void snapshot_update(unsigned i, uint32_t value)
{
	uint64_t old = atomic_load(&component[i]);

	while (!atomic_compare_exchange_weak(&component[i], &old,
					     ((old >> 32) + VERSION) << 32 | value))
		;
}

static void collect(uint64_t *all)
{
	for (unsigned i = 0; i < COMPONENTS; i++)
		all[i] = atomic_load(&component[i]);
}

static int equal(const uint64_t *a, const uint64_t *b)
{
	for (unsigned i = 0; i < COMPONENTS; i++)
		if (a[i] != b[i])
			return 0;
	return 1;
}

static void snapshot_scan(int64_t *values)
{
	uint64_t first[COMPONENTS], second[COMPONENTS];

	do {
		collect(first);
		if (COLLECTS == 2)
			collect(second);
	} while (COLLECTS == 2 && !equal(first, second));
	for (unsigned i = 0; i < COMPONENTS; i++)
		values[i] = (uint32_t)first[i];
}

#include <linchpin.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

LP_SPEC("snapshot:n=" TEXT(COMPONENTS))
LP_METHOD(update, i, v) { snapshot_update((unsigned)i, (uint32_t)v); return LP_VOID; }
LP_METHOD(scan)         { int64_t v[COMPONENTS]; snapshot_scan(v); return lp_several(v, COMPONENTS); }
