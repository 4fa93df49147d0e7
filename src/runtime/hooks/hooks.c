/* hooks.c -- the hooks that instrumented code calls (frontend/abi.h). Every hook performs the
 * access itself.
 *
 * The site says which kind of access this is, and which memory order it has. The hook reads the site at
 * each call, because the site may change between two calls.
 */
#include "base/error.h"
#include "runtime/hooks/atomics.h"
#include "runtime/hooks/plain.h"
#include "runtime/hooks/sites.h"

/* Notes that the site was reached. */
RT_INLINE void rt_reach(const struct lp_site *site, bool failed)
{
	const unsigned how = failed ? LP_REACHED_ALONE_FAILED : LP_REACHED_ALONE;
	const bool alone = !rt.self || rt.self == rt.threads;
	const uint8_t bit = (uint8_t)(alone ? how : how * LP_REACHED);
	LP_HOLDS(site >= rt.module->sites && site < rt.module->sites + rt.module->site_count);
	uint8_t *reached = &rt.seen.reached[site - rt.module->sites];

	if (__builtin_expect(!(*reached & bit), 0)) /* other processes set bits in other memory */
		__atomic_fetch_or(reached, bit, __ATOMIC_RELAXED);
}

/* Is it anything but an ordinary plain access? */
static inline bool is_special(const struct lp_site *site)
{
	return __builtin_expect(site->flags & (LP_SITE_VOLATILE | LP_SITE_PRIVATE), 0);
}

#define ACCESS(n, is_write)                                                                 \
	&(struct rt_access)                                                                 \
	{                                                                                   \
		.loc = (uintptr_t)p, .pc = (uintptr_t)site, .size = n, .piece = { n, true }, \
		.write = is_write, .simple = true,                                          \
		.cfa = __builtin_dwarf_cfa(),                                               \
	}

#define HOOKS(n, type)                                                                      \
	LP_API type lp_load##n(LP_HOOK_SITE, const void *p)                                 \
	{                                                                                   \
		type value;                                                                 \
		if (is_special(site)) {                                                     \
			rt_load_special(ACCESS(n, false), &value);                          \
		} else {                                                                    \
			rt_load_plain(&value, (uintptr_t)p, n, (uintptr_t)site, true,       \
				      __builtin_dwarf_cfa());                               \
		}                                                                           \
		return value;                                                               \
	}                                                                                   \
	LP_API void lp_store##n(LP_HOOK_SITE, void *p, type value)                          \
	{                                                                                   \
		if (is_special(site)) {                                                     \
			rt_store_special(ACCESS(n, true), &value);                          \
		} else {                                                                    \
			rt_entries++;                                                       \
			rt_store_plain((uintptr_t)p, &value, n, (uintptr_t)site, true,      \
				       __builtin_dwarf_cfa());                              \
		}                                                                           \
	}                                                                                   \
	LP_API type lp_atomic_load##n(LP_HOOK_SITE, const void *p)                          \
	{                                                                                   \
		rt_entries++;                                                               \
		rt_reach(site, false);                                                      \
		return (type)rt_to_wide(rt_atomic_load((uintptr_t)p, n,                     \
						       (enum lp_order)site->order, 0,       \
						       (uintptr_t)site));                   \
	}                                                                                   \
	LP_API void lp_atomic_store##n(LP_HOOK_SITE, void *p, type value)                   \
	{                                                                                   \
		rt_entries++;                                                               \
		rt_reach(site, false);                                                      \
		rt_atomic_store((uintptr_t)p, n, (enum lp_order)site->order,                \
				rt_from_wide(value), (uintptr_t)site);                      \
	}                                                                                   \
	LP_API type lp_rmw##n(LP_HOOK_SITE, void *p, type operand)                          \
	{                                                                                   \
		rt_entries++;                                                               \
		rt_reach(site, false);                                                      \
		const struct rt_rmw rmw = { (enum lp_rmw)site->rmw, (enum lp_order)site->order, \
					    rt_from_wide(operand), 0 };                     \
		return (type)rt_to_wide(rt_atomic_rmw((uintptr_t)p, n, &rmw, (uintptr_t)site)); \
	}

HOOKS(1, uint8_t)
HOOKS(2, uint16_t)
HOOKS(4, uint32_t)
HOOKS(8, uint64_t)
HOOKS(16, lp_u128)

/* Completes `cas` from the site. */
RT_INLINE struct lp_value compare_exchange(LP_HOOK_SITE, void *p, unsigned size, struct rt_cas cas, bool *failed)
{
	cas.order = (enum lp_order)site->order;
	cas.fail_order = (enum lp_order)site->fail_order;
	cas.weak = site->flags & LP_SITE_WEAK;
	cas.unused = rt_ignores(site);
	rt_entries++;
	const struct lp_value found = rt_atomic_cas((uintptr_t)p, size, &cas, failed, (uintptr_t)site);
	LP_HOLDS(*failed || lp_value_equal(found, cas.expected));
	LP_HOLDS(!*failed || cas.weak || !lp_value_equal(found, cas.expected)); /* only a weak compare-exchange fails
	                                                                         * spuriously */
	rt_reach(site, *failed);
	if (*failed && lp_value_equal(found, cas.expected))
		rt.seen.reached[site - rt.module->sites] |= LP_REACHED_SPURIOUS;
	return found;
}

LP_API struct lp_found lp_cas(LP_HOOK_SITE, void *p, uint64_t expected, uint64_t wanted)
{
	bool failed;
	const struct rt_cas cas = { .expected = lp_value(expected), .wanted = lp_value(wanted) };
	const struct lp_value old = compare_exchange(site, p, site->size, cas, &failed);

	return (struct lp_found){ old.lo, !failed };
}

LP_API bool lp_cas16(LP_HOOK_SITE, void *p, lp_u128 *expected, lp_u128 wanted)
{
	bool failed;

	const struct rt_cas cas = { .expected = rt_from_wide(*expected), .wanted = rt_from_wide(wanted),
				    .argument = (uintptr_t)expected };
	*expected = rt_to_wide(compare_exchange(site, p, 16, cas, &failed));
	return !failed;
}

LP_API void lp_fence(LP_HOOK_SITE)
{
	rt_entries++;
	rt_reach(site, false);
	if (site->order != LP_RLX)
		rt_atomic_fence((enum lp_order)site->order, (uintptr_t)site);
}

static inline bool is_private(const struct lp_site *site)
{
	return __builtin_expect(site->flags & LP_SITE_PRIVATE, 0);
}

LP_API void lp_read(LP_HOOK_SITE, void *to, const void *p, size_t size)
{
	if (is_private(site))
		rt_read_private(to, p, size, (uintptr_t)site);
	else if (size)
		rt_load_plain(to, (uintptr_t)p, size, (uintptr_t)site, false, __builtin_dwarf_cfa());
}

LP_API void lp_write(LP_HOOK_SITE, void *p, const void *from, size_t size)
{
	if (is_private(site)) {
		rt_write_private(p, from, size, (uintptr_t)site);
		return;
	}
	rt_entries++;
	if (size)
		rt_store_plain((uintptr_t)p, from, size, (uintptr_t)site, false,
			       __builtin_dwarf_cfa());
}

LP_API void lp_copy(LP_HOOK_SITE, void *to, const void *from, size_t size)
{
	if (is_private(site)) {
		rt_copy_private(to, from, size, (uintptr_t)site);
		return;
	}
	rt_entries++;
	rt_enter_hook(site, __builtin_dwarf_cfa());
	rt_copy(to, from, size, (uintptr_t)site);
}

LP_API void lp_fill(LP_HOOK_SITE, void *p, uint8_t value, size_t size)
{
	if (is_private(site)) {
		rt_fill_private(p, value, size, (uintptr_t)site);
		return;
	}
	rt_entries++;
	rt_enter_hook(site, __builtin_dwarf_cfa());
	rt_fill(p, value, size, (uintptr_t)site);
}

LP_API void lp_atomic_begins(LP_HOOK_SITE)
{
	rt_entries++;
	rt_enter_hook(site, __builtin_dwarf_cfa());
	if (rt_running())
		rt_atomic(true, (uintptr_t)site);
}

LP_API void lp_atomic_ends(LP_HOOK_SITE)
{
	rt_entries++;
	rt_enter_hook(site, __builtin_dwarf_cfa());
	if (rt_running())
		rt_atomic(false, (uintptr_t)site);
}
