/* test_shims_table.c -- every symbol that is bound to a shim has one. */
#include "test_shims.h"

#define LP_SHIM(name) extern char lp_shim_##name[];
#include "frontend/shims.def"
#undef LP_SHIM

static const struct {
	const char *name;
	const void *shim;
} table[] = {
#define LP_SHIM(name) { #name, lp_shim_##name },
#include "frontend/shims.def"
#undef LP_SHIM
};

/* That it links is half of the test; the other: no shim stands for two names,
 * except those that do nothing. */
int test_table(void)
{
	const unsigned count = sizeof table / sizeof *table;

	EXPECT(count > 400);
	for (unsigned i = 0; i < count; i++) {
		EXPECT(table[i].shim != NULL);
		for (unsigned j = 0; j < i; j++)
			EXPECT(table[i].shim != table[j].shim);
	}
	return expect_status();
}
