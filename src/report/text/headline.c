/* headline.c -- a result in one line, for lists of many. */
#include "report/text/headline.h"
#include "base/alloc.h"
#include "report/text/client_text.h"
#include "report/result.h"

#include <stdio.h>
#include <stdlib.h>

static void put_violation(FILE *out, const struct lp_result *r)
{
	fputs(r->kind, out);
	if (r->text)
		fprintf(out, ": %s", r->text);
	if (r->violation && r->violation->client) {
		fputs(": ", out);
		lp_client_line(out, r->violation->client);
	}
}

static void put_result(FILE *out, const struct lp_result *r)
{
	switch (r->verdict) {
	case LP_RESULT_VERIFIED:
		if (r->question.claim)
			fputs(r->question.claim, out);
		else
			fprintf(out, "%s in any execution%s", r->question.prop ? r->question.prop : "no errors",
				r->question.bounded ? " within the bound" : "");
		break;
	case LP_RESULT_VIOLATION:
		put_violation(out, r);
		break;
	case LP_RESULT_INCONCLUSIVE:
		if (r->suspected) {
			fprintf(out, "not verified: %s: perhaps ", r->reason);
			put_violation(out, r);
			break;
		}
		fprintf(out, "not verified: %s", r->reason ? r->reason : "the exploration was not completed");
		if (r->text)
			fprintf(out, ": %s", r->text);
		break;
	case LP_RESULT_ERROR:
		fputs(r->text ? r->text : "error", out);
		break;
	}
}

char *lp_headline(const struct lp_result *r)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		put_result(out, r);
		fclose(out);
	}
	char *kept = lp_strdup(text ? text : "");
	free(text);
	return kept;
}
