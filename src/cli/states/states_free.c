/* states_free.c -- `linchpin states` with a progress property: do calls return? */
#include "cli/states/states_free.h"

#include <string.h>

#include "base/error.h"
#include "explore/state/live/freedom.h"

/* Hyphens are a matter of taste. */
static bool is_name(const char *text, const char *name)
{
	for (; *text || *name; text++, name++) {
		text += *text == '-';
		name += *name == '-';
		if (*text != *name)
			return false;
	}
	return true;
}

bool lp_states_freedom(const char *property, bool fair, enum lp_freedom *out,
		       struct lp_error *error)
{
	*out = fair && !property ? LP_WAIT_FREE : LP_ANY;
	for (unsigned f = LP_OBSTRUCTION_FREE; property && f <= LP_STARVATION_FREE; f++)
		if (is_name(property, lp_freedom_name((enum lp_freedom)f)))
			*out = (enum lp_freedom)f;
	if (!fair || lp_freedom_is_fair(*out))
		return true;
	if (*out != LP_LOCK_FREE && *out != LP_WAIT_FREE)
		return lp_fail(error, "--fair: --prop lock-free or wait-free is expected, not %s", property);
	*out = *out == LP_LOCK_FREE ? LP_DEADLOCK_FREE : LP_STARVATION_FREE;
	return true;
}

/* ---- a monitor that accepts every result ---- */

static uint32_t begin(void *closure)
{
	(void)closure;
	return 0;
}

static uint32_t calls(void *closure, uint32_t set, uint32_t process, uint32_t call)
{
	(void)closure;
	(void)process;
	(void)call;
	return set;
}

static uint32_t returns(void *closure, uint32_t set, uint32_t process, int64_t result)
{
	(void)closure;
	(void)process;
	(void)result;
	return set;
}

static uint32_t rename_set(void *closure, uint32_t set, const uint8_t *to)
{
	(void)closure;
	(void)to;
	return set;
}

static uint64_t look(void *closure, uint32_t set, uint32_t process)
{
	(void)closure;
	(void)set;
	(void)process;
	return 0;
}

static bool within(void *closure, uint32_t a, uint32_t b)
{
	(void)closure;
	return a == b;
}

static bool may_wait(void *closure, uint32_t set, uint32_t process)
{
	(void)closure;
	(void)set;
	(void)process;
	return false;
}

static void again(void *closure)
{
	(void)closure;
}

const struct lp_state_monitor lp_states_any_result = {
	.begin = begin, .calls = calls, .returns = returns, .rename = rename_set, .look = look,
	.within = within, .may_wait = may_wait, .again = again,
};
