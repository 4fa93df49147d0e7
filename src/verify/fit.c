/* fit.c -- does the specification fit the object: does it require too much, or too little? */
#include "verify/fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static void ask(struct lp_fit *fit, const struct lp_spec *spec, const char *property,
		enum lp_sync sync, bool cached, const char *text)
{
	struct lp_error error;
	struct lp_clients *clients = lp_sync_fits(spec, sync, &error) ?
				     lp_clients_named(spec, property, sync, false, cached, &error) : NULL;

	if (!clients) /* what makes no sense for the specification */
		return;
	fit->question[fit->count].clients = clients;
	snprintf(fit->question[fit->count++].text, sizeof fit->question->text, "%s", text);
}

void lp_fit_open(struct lp_fit *fit, const struct lp_spec *spec, const char *property,
		 enum lp_sync sync, bool cached)
{
	static const char *const syncs[] = { "--sync none", "--sync r", "--sync ri", "--sync rid" };
	const bool weakest = !strcmp(property, "serializable"), quasi = !strncmp(property, "quasi:", 6);

	*fit = (struct lp_fit){ 0 };
	if (weakest)
		ask(fit, spec, "sequential", sync, cached, "--prop sequential");
	if (weakest)
		ask(fit, spec, "quiescent", sync, cached, "--prop quiescent");
	if (strcmp(property, "linearizable") != 0)
		ask(fit, spec, "linearizable", sync, cached, "--prop linearizable");
	for (unsigned s = (unsigned)sync + 1; s <= LP_SYNC_RID && !quasi; s++)
		ask(fit, spec, property, (enum lp_sync)s, cached, syncs[s]);
}

void lp_fit_close(struct lp_fit *fit)
{
	for (uint32_t i = 0; i < fit->count; i++)
		lp_clients_close(fit->question[i].clients);
	*fit = (struct lp_fit){ 0 };
}

void lp_fit_ask(struct lp_fit *fit, bool (*go_on)(void *closure), void *closure)
{
	for (uint32_t i = 0; i < fit->count; i++)
		if (fit->question[i].clients)
			lp_clients_ask(fit->question[i].clients, go_on, closure);
}

bool lp_fit_see(struct lp_fit *fit, const struct lp_observation *o)
{
	struct lp_refutation why;

	fit->seen++;
	for (uint32_t i = 0; i < fit->count; i++) {
		if (!fit->question[i].clients)
			continue;
		switch (lp_clients_judge(fit->question[i].clients, o, &why)) {
		case LP_CLIENTS_RIGHT:
			break;
		case LP_CLIENTS_WRONG:
			lp_clients_close(fit->question[i].clients);
			fit->question[i].clients = NULL;
			break;
		case LP_CLIENTS_STOPPED:
		case LP_CLIENTS_TIRED: /* undecided is not "no" */
			return false;
		}
	}
	return true;
}

void lp_fit_compare(struct lp_fit *fit, const struct lp_observation *o, bool right)
{
	bool same = o->count == fit->like.count;

	for (uint32_t i = 0; i < o->count && same; i++)
		same = o->call[i].result == fit->like.call[i].result && o->call[i].stuck == fit->like.call[i].stuck;
	fit->alike += same;
	fit->complete += same && right;
}

const char *lp_fit_say(const struct lp_fit *fit, bool violated, char *text, size_t size)
{
	const char *separator = "more could be asked: ";
	size_t used = 0;

	text[0] = '\0';
	if (violated) {
		if (fit->complete)
			snprintf(text, size, "perhaps too much is asked: %" PRIu64 " of the %"
				 PRIu64 " executions with these results order the calls", fit->complete, fit->alike);
		return text;
	}
	for (uint32_t i = 0; i < fit->count && fit->seen && used < size; i++) {
		if (!fit->question[i].clients)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", separator, fit->question[i].text);
		separator = ", ";
	}
	if (!used && fit->count)
		snprintf(text, size, "no stronger property and no more synchronisation holds");
	return text;
}
