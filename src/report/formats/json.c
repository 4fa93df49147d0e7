/* json.c -- writing JSON. */
#include "report/formats/json.h"
#include "report/utf8.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

struct lp_json lp_json_on(FILE *out)
{
	return (struct lp_json){ .out = out };
}

static void put_string(const struct lp_json *j, const char *text)
{
	FILE *out = j->out;
	const unsigned char *s = (const unsigned char *)text;

	fputc('"', out);
	while (*s) {
		const size_t length = lp_utf8_length(s);

		if (!length) {
			fputs("\\ufffd", out);
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if (*s == '\n')
			fputs("\\n", out);
		else if (*s == '\t')
			fputs("\\t", out);
		else if (*s < 0x20 || *s == 0x7f || (*s == '<' && j->in_html))
			fprintf(out, "\\u%04x", *s);
		else
			fwrite(s, 1, length, out);
		s += length;
	}
	fputc('"', out);
}

/* The comma, if something precedes, and the name, if the place wants one. */
static void begin_member(struct lp_json *j, const char *name)
{
	if (j->depth) {
		assert(!name == (j->closer[j->depth - 1] == ']'));
		if (j->filled[j->depth - 1])
			fputc(',', j->out);
		j->filled[j->depth - 1] = true;
	}
	if (name) {
		put_string(j, name);
		fputc(':', j->out);
	}
}

void lp_json_begin(struct lp_json *j, const char *name, char opener)
{
	assert(opener == '{' || opener == '[');
	assert(j->depth < LP_JSON_DEPTH);
	begin_member(j, name);
	fputc(opener, j->out);
	j->closer[j->depth] = opener == '{' ? '}' : ']';
	j->filled[j->depth++] = false;
}

void lp_json_end(struct lp_json *j)
{
	assert(j->depth);
	fputc(j->closer[--j->depth], j->out);
}

void lp_json_text(struct lp_json *j, const char *name, const char *text)
{
	begin_member(j, name);
	if (text)
		put_string(j, text);
	else
		fputs("null", j->out);
}

void lp_json_number(struct lp_json *j, const char *name, uint64_t number)
{
	begin_member(j, name);
	fprintf(j->out, "%" PRIu64, number);
}

void lp_json_real(struct lp_json *j, const char *name, double number)
{
	begin_member(j, name);
	if (isfinite(number))
		fprintf(j->out, "%.6g", number);
	else
		fputs("null", j->out); /* JSON has no infinity */
}

void lp_json_bool(struct lp_json *j, const char *name, bool truth)
{
	begin_member(j, name);
	fputs(truth ? "true" : "false", j->out);
}

void lp_json_ready(struct lp_json *j, const char *name, const char *json)
{
	begin_member(j, name);
	fputs(json, j->out);
}
