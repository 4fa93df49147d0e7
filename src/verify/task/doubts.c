/* doubts.c -- changes scope and verdict if the program did something that is not fully modelled. */
#include "verify/task/doubts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verify/task/task.h"

enum { SHOWN = 3 }; /* of each sort, in the scope */

struct collection {
	struct lp_doubts *doubts;
	struct lp_arena *arena;
};

static void collect(void *closure, const struct lp_doubt_met *met)
{
	struct collection *c = closure;
	struct lp_doubt_list *const all[] = {
		[LP_DOUBT_UNSEEN] = &c->doubts->unseen, [LP_DOUBT_FIXED] = &c->doubts->fixed,
		[LP_DOUBT_RANGE] = &c->doubts->ranged, [LP_DOUBT_GIVEN] = &c->doubts->given,
		[LP_DOUBT_PASSED] = &c->doubts->passed, [LP_DOUBT_CUT] = &c->doubts->cut,
	}, *to = all[met->doubt];
	struct lp_doubt_met kept = *met;

	for (uint32_t i = 0; i < to->count; i++)
		if (!strcmp(to->at[i].text, met->text))
			return;
	kept.text = lp_arena_strdup(c->arena, met->text);
	kept.place = met->place ? lp_arena_strdup(c->arena, met->place) : NULL;
	LP_PUSH(to, kept);
}

void lp_doubts_collect(struct lp_doubts *doubts, struct lp_task *task)
{
	struct collection c = { doubts, &task->arena };

	*doubts = (struct lp_doubts){ .unseen = { 0 } };
	lp_native_doubts(&task->native, collect, &c);
}

void lp_doubts_drop(struct lp_doubts *doubts)
{
	lp_free(doubts->unseen.at);
	lp_free(doubts->fixed.at);
	lp_free(doubts->ranged.at);
	lp_free(doubts->given.at);
	lp_free(doubts->passed.at);
	lp_free(doubts->cut.at);
}

/* "rand() at a.c:3, time() at a.c:5 and 2 more" */
static const char *list(const struct lp_doubt_list *texts, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (uint32_t i = 0; i < texts->count && i < SHOWN && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", texts->at[i].text);
	if (texts->count > SHOWN && used < size)
		snprintf(out + used, size - used, " and %" PRIu32 " more", texts->count - SHOWN);
	return out;
}

void lp_doubts_scope(const struct lp_doubts *doubts, struct lp_task *task)
{
	char text[400];

	if (doubts->ranged.count)
		lp_task_scope(task, "inputs", "%s in %" PRId64 "..%" PRId64,
			      list(&doubts->ranged, text, sizeof text), task->runtime.nondet.low,
			      task->runtime.nondet.high);
	if (doubts->fixed.count)
		lp_task_scope(task, "fixed", "%s", list(&doubts->fixed, text, sizeof text));
	if (doubts->given.count)
		lp_task_scope(task, "environment", "%s", list(&doubts->given, text, sizeof text));
}

static void ignored_scope(struct lp_task *task, const char *name, const struct lp_doubt_list *texts, const char *then)
{
	char text[400];

	if (texts->count)
		lp_task_scope(task, name, "%" PRIu32 " finding%s: %s; %s", texts->count, texts->count == 1 ? "" : "s",
			      list(texts, text, sizeof text), then);
}

static struct lp_result_ignored ignored_of(const struct lp_doubt_met *met)
{
	return (struct lp_result_ignored){ met->kind, met->place, met->doubt == LP_DOUBT_PASSED };
}

void lp_doubts_ignored(const struct lp_doubts *doubts, struct lp_task *task, struct lp_result *r)
{
	const uint32_t count = doubts->passed.count + doubts->cut.count;
	struct lp_result_ignored *all = lp_arena_alloc(&task->arena, sizeof *all * (count + 1));
	char claim[1024];

	if (!task->runtime.ignored)
		return;
	for (uint32_t i = 0; i < doubts->passed.count; i++)
		all[r->question.ignored_count++] = ignored_of(&doubts->passed.at[i]);
	for (uint32_t i = 0; i < doubts->cut.count; i++)
		all[r->question.ignored_count++] = ignored_of(&doubts->cut.at[i]);
	r->question.ignored = all;
	ignored_scope(task, "passed over", &doubts->passed, "the program continues as if nothing had happened");
	ignored_scope(task, "cut off", &doubts->cut, "what would follow was not explored");
	if (!count) {
		lp_task_scope(task, "findings", "none was met that is ignored");
		return;
	}
	if (r->verdict != LP_RESULT_VERIFIED)
		return;
	if (r->question.claim)
		snprintf(claim, sizeof claim, "%s", r->question.claim);
	else
		snprintf(claim, sizeof claim, "no errors in any execution of '%s'%s", r->subject.name,
			 r->question.bounded ? " within the bound" : "");
	const size_t used = strlen(claim);
	snprintf(claim + used, sizeof claim - used, ", but for %" PRIu32 " finding%s that %s ignored", count,
		 count == 1 ? "" : "s", count == 1 ? "is" : "are");
	r->question.claim = lp_arena_strdup(&task->arena, claim);
}

static void suspect(struct lp_result *r, const char *why)
{
	r->reason = why;
	r->verdict = LP_RESULT_INCONCLUSIVE;
	r->suspected = true;
}

void lp_doubts_judge(const struct lp_doubts *doubts, struct lp_task *task, struct lp_result *r)
{
	char reason[320];

	if (r->verdict == LP_RESULT_VERIFIED && doubts->unseen.count) {
		r->verdict = LP_RESULT_INCONCLUSIVE;
		r->reason = "the program executes what linchpin does not model";
	} else if (r->verdict == LP_RESULT_VERIFIED && doubts->fixed.count) {
		r->verdict = LP_RESULT_INCONCLUSIVE;
		snprintf(reason, sizeof reason, "%s is fixed: other values were not tried", doubts->fixed.at[0].text);
		r->reason = lp_arena_strdup(&task->arena, reason);
		if (!task->runtime.nondet.given)
			r->hint = "--nondet 0..3 explores four values (clocks advance by as many seconds)";
	} else if (r->verdict == LP_RESULT_VIOLATION && doubts->unseen.count) {
		suspect(r, "the program executes what linchpin does not model");
	} else if (r->verdict == LP_RESULT_VIOLATION && task->unconfirmed) {
		suspect(r, "it did not happen again when the execution was repeated");
	}
}
