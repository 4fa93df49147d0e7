/* sites.c -- memory orders by site, and which sites were reached. */
#include "runtime/hooks/sites.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "runtime/coverage_flags.h"
#include "runtime/machine.h"
#include "runtime/runtime.h"

const struct lp_module *lp_native_module(struct lp_native *native)
{
	(void)native;
	return rt.module;
}

/* Changes the protection of a site's page. Sites are next to constants of the program, which must not
 * change, so their pages are writable only for a moment. */
static void protect(const struct lp_site *site, int how)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t start = (uintptr_t)site & ~(page - 1);

	/* Linkers may put constants beside code. */
	if (lp_object_has_code(&rt.loaded.object, (uintptr_t)site))
		how |= PROT_EXEC;
	if (mprotect((void *)start, (uintptr_t)(site + 1) - start, how))
		LP_BUG("cannot change the protection of a site: %s", strerror(errno));
}

void lp_native_set_order(struct lp_native *native, uint32_t site, enum lp_order order, enum lp_order fail)
{
	LP_HOLDS(site < rt.module->site_count && !rt.self);
	struct lp_site *record = &rt.module->sites[site];

	(void)native;
	if (record->order == order && record->fail_order == fail)
		return;
	protect(record, PROT_READ | PROT_WRITE);
	record->order = (uint8_t)order;
	record->fail_order = (uint8_t)fail;
	protect(record, PROT_READ);
}

unsigned lp_native_reached(struct lp_native *native, uint32_t site)
{
	(void)native;
	LP_HOLDS(site < rt.module->site_count);
	return rt_coverage_site(site);
}

void lp_native_exercised(struct lp_native *native, uintptr_t pc, unsigned how)
{
	const struct lp_site *site = lp_site_of_module(rt.module, pc);

	(void)native;
	if (site)
		rt.seen.reached[site - rt.module->sites] |= (uint8_t)how;
}

/* These bits are not part of the program's state: they are never cleared when it goes back. */
LP_API void lp_mutant_seen(uint32_t mutant, uint32_t seen)
{
	LP_HOLDS(seen && seen <= UINT8_MAX);
	while (rt.seen.mutants.count <= mutant)
		LP_PUSH(&rt.seen.mutants, 0);
	rt.seen.mutants.at[mutant] |= (uint8_t)seen;
}

unsigned lp_native_mutant_seen(struct lp_native *native, uint32_t mutant)
{
	(void)native;
	return mutant < rt.seen.mutants.count ? rt.seen.mutants.at[mutant] : 0;
}

void lp_native_unreach(struct lp_native *native)
{
	(void)native;
	rt_coverage_forget_sites();
}
