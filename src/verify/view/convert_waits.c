/* convert_waits.c -- where threads wait forever, and for what. */
#include "verify/view/convert_waits.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "report/result.h"

enum { ROOM = 1024, THREADS = 4 /* that are named */ };

/* In the user's code, rather than in a wrapper. */
static const char *place_of(const struct lp_result_step *s)
{
	return s->caller ? s->caller : s->where;
}

/* A location without where its memory was allocated. */
static int name_length(const char *location)
{
	const char *end = strstr(location, " (");

	return end ? (int)(end - location) : (int)strlen(location);
}

/* Is there a write directly after this one in coherence? */
static bool is_overwritten(const struct lp_result_violation *v, uint32_t write)
{
	for (uint32_t i = 0; i < v->step_count; i++)
		if (v->steps[i].has_wrote && v->steps[i].overwrites == write)
			return true;
	return false;
}

/* The last write to the memory that the step waits for; NULL if there is none. */
static const struct lp_result_step *last_write(const struct lp_result_violation *v, const struct lp_result_step *s)
{
	for (uint32_t i = v->step_count; s->place && i-- > 0;)
		if (v->steps[i].has_wrote && v->steps[i].place == s->place && !v->steps[i].pending && !is_overwritten(v, i))
			return &v->steps[i];
	return s->reads_from < v->step_count ? &v->steps[s->reads_from] : NULL;
}

static void describe(const struct lp_result_violation *v, const struct lp_result_step *s, char *text, size_t room)
{
	const struct lp_result_step *last = last_write(v, s);
	const bool library = strchr(s->action, '_') && strncmp(s->action, "fetch", 5); /* pthread_mutex_lock */
	size_t used = (size_t)snprintf(text, room, "T%u waits at %s%s%s", s->thread, place_of(s), library ? " in " : "",
				       library ? s->action : "");
	char value[LP_RESULT_VALUE_ROOM];

	if (s->location && used < room)
		used += (size_t)snprintf(text + used, room - used, " for %.*s", name_length(s->location), s->location);
	if (!s->location || !last || !place_of(last) || used >= room)
		return;
	if (library)
		snprintf(text + used, room - used, ", %s by T%u at %s", strstr(s->action, "lock") ? "taken" : "last changed", last->thread,
			 place_of(last));
	else if (last->has_wrote)
		snprintf(text + used, room - used, ", which T%u has set to %s at %s", last->thread, lp_result_wrote(last, value),
			 place_of(last));
}

const char *lp_convert_waits(const struct lp_result_violation *v, struct lp_arena *arena)
{
	char text[ROOM] = "";
	uint32_t count = 0;

	for (uint32_t i = 0; i < v->step_count; i++) {
		const struct lp_result_step *s = &v->steps[i];
		/* A join waits for a thread that is named itself. */
		if (!s->pending || !strncmp(s->action, "join", 4) || !place_of(s) || count++ >= THREADS)
			continue;
		const size_t used = strlen(text);
		snprintf(text + used, sizeof text - used, "%s", used ? "; " : "");
		describe(v, s, text + strlen(text), sizeof text - strlen(text));
	}
	if (count > THREADS) {
		const size_t used = strlen(text);
		snprintf(text + used, sizeof text - used, "; %u more", count - THREADS);
	}
	return text[0] ? lp_arena_strdup(arena, text) : NULL;
}
