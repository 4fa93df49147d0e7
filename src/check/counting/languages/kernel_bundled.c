/* kernel_bundled.c -- grammars of locks, reader-writer locks and semaphores.
 *
 * Threads are not part of a label, so that anybody may unlock: these languages are
 * larger than the specifications, and what they exclude is wrong all the more.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "check/counting/languages/kernel.h"
#include "spec/spec.h"

enum { MOST_PERMITS = 8 };

static const char lock_text[] =
	"Free -> | <lock> Held | <trylock => true> Held;\n"
	"Held -> | <unlock> Free | <trylock => false> Held;\n";

/* Read: a stretch in which the readers that were there stay, and others come and go. */
static const char rwlock_text[] =
	"Idle -> | Come Read <read_unlock> Idle | Come Stay | Write Busy;\n"
	"Busy -> | <write_unlock> Idle | <try_read_lock => false> Busy | <try_write_lock => false> Busy;\n"
	"Read -> | Come Read <read_unlock> Read | <try_write_lock => false> Read;\n"
	"Stay -> Read | Read Come Stay;\n"
	"Come -> <read_lock> | <try_read_lock => true>;\n"
	"Write -> <write_lock> | <try_write_lock => true>;\n";

/* Level i has i permits left; Even is a stretch that ends as it began and was never
 * below, Up one that is never below and ends anywhere. */
static char *semaphore_text(int64_t permits, int64_t bound)
{
	const size_t room = 4096;
	char *text = lp_alloc(room);
	size_t used = 0;

#define ADD(...) used += (size_t)snprintf(text + used, room - used, __VA_ARGS__)
	ADD("Start -> Level%d;\n", (int)permits);
	for (int i = 0; i <= (bound ? bound : permits); i++) {
		ADD("Level%d ->", i);
		if (i == 0)
			ADD(" | <try_acquire => false> Level0");
		if (bound) {
			if (i > 0)
				ADD(" | Take Level%d", i - 1);
			if (i < bound)
				ADD(" | <release> Level%d", i + 1);
		} else if (i == 0) {
			ADD(" | <release> Even Take Level0 | <release> Up");
		} else {
			ADD(" Up | Even Take Level%d", i - 1);
		}
		ADD(";\n");
	}
	if (!bound)
		ADD("Even -> | <release> Even Take Even;\n"
		    "Up -> Even | Even <release> Up;\n");
	ADD("Take -> <acquire> | <try_acquire => true>;\n");
#undef ADD
	return text;
}

char *lp_kernel_text(const struct lp_spec *spec)
{
	if (spec->kind == lp_kind_named("lock"))
		return lp_strdup(lock_text);
	if (spec->kind == lp_kind_named("rwlock"))
		return lp_strdup(rwlock_text);
	if (spec->kind == lp_kind_named("semaphore")) {
		const int64_t permits = spec->param[lp_spec_param(spec, "init")];
		const int64_t bound = spec->param[lp_spec_param(spec, "bounded")];
		if (permits < 0 || permits > MOST_PERMITS || bound < 0 || bound > MOST_PERMITS ||
		    (bound && permits > bound))
			return NULL;
		return semaphore_text(permits, bound);
	}
	return NULL;
}
