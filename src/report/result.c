/* result.c -- names and numbers that every writer spells the same way. */
#include "report/result.h"

#include <inttypes.h>
#include <stdio.h>

const char *lp_result_verdict_name(enum lp_result_verdict verdict)
{
	static const char *const name[] = { "verified", "violation", "inconclusive", "error" };
	return name[verdict];
}

/* Numbers up to this size are more likely counts than addresses or bit patterns. */
enum { SMALL = 0xffff };

/* We do not know the type: a value just below zero, taken as signed, was surely
 * meant so (-1 for "empty"). */
static bool is_small_negative(uint64_t bits, unsigned size, uint64_t *magnitude)
{
	const uint64_t top = size >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * size)) - 1;

	*magnitude = (top - bits) + 1;
	return size >= 4 && *magnitude <= SMALL;
}

void lp_result_value(char *out, struct lp_value v, unsigned size)
{
	uint64_t magnitude;

	if (v.hi)
		snprintf(out, LP_RESULT_VALUE_ROOM, "0x%" PRIx64 "%016" PRIx64, v.hi, v.lo);
	else if (v.lo <= SMALL)
		snprintf(out, LP_RESULT_VALUE_ROOM, "%" PRIu64, v.lo);
	else if (size <= 8 && is_small_negative(v.lo, size, &magnitude))
		snprintf(out, LP_RESULT_VALUE_ROOM, "-%" PRIu64, magnitude);
	else
		snprintf(out, LP_RESULT_VALUE_ROOM, "0x%" PRIx64, v.lo);
}

const char *lp_result_read(const struct lp_result_step *s, char room[static LP_RESULT_VALUE_ROOM])
{
	lp_result_value(room, s->read, s->size);
	return s->read_name ? s->read_name : room;
}

const char *lp_result_wrote(const struct lp_result_step *s, char room[static LP_RESULT_VALUE_ROOM])
{
	lp_result_value(room, s->wrote, s->size);
	return s->wrote_name ? s->wrote_name : room;
}
