/* github.c -- results as annotations of source lines in a pull request. */
#include "report/formats/github.h"
#include "base/alloc.h"
#include "report/text/headline.h"
#include "report/source_place.h"
#include "report/result.h"

#include <string.h>

/* An end of line would end the command; in a property, so would what separates them. */
static void put_escaped(FILE *out, const char *text, bool property)
{
	for (; *text; text++) {
		if (strchr("%\r\n", *text) || (property && strchr(":,", *text)))
			fprintf(out, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, out);
	}
}

void lp_github_annotation(FILE *out, const struct lp_result *r, const char *root)
{
	struct lp_source_place place;

	if (r->verdict == LP_RESULT_VERIFIED)
		return;
	fputs(r->verdict == LP_RESULT_INCONCLUSIVE ? "::warning " : "::error ", out);
	if (lp_place_find(r, r->violation ? r->violation->where : NULL, root, &place) ||
	    lp_place_find(r, NULL, root, &place)) {
		fputs("file=", out);
		put_escaped(out, place.path, true);
		fprintf(out, ",line=%lu,", place.line);
	}
	fputs("title=linchpin%3A ", out);
	put_escaped(out, r->verdict == LP_RESULT_VIOLATION ? r->kind : lp_result_verdict_name(r->verdict),
		    true);
	fputs("::", out);
	char *text = lp_headline(r);
	put_escaped(out, text, false);
	lp_free(text);
	fputc('\n', out);
}
