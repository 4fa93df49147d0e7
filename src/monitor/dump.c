/* dump.c -- calls as JSON lines. */
#include "monitor/dump.h"

#include <inttypes.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "monitor/stream.h"

bool lp_dump_open(struct lp_dump *d, const char *name, const struct lp_spec *spec)
{
	*d = (struct lp_dump){ .to = fopen(name, "we"), .spec = spec };
	return d->to;
}

void lp_dump_close(struct lp_dump *d)
{
	if (d->to) {
		d->failed |= ferror(d->to) != 0;
		d->failed |= fclose(d->to) != 0;
	}
	d->to = NULL;
}

const char *lp_dump_value(int64_t value, char text[24])
{
	switch (value) {
	case LP_EMPTY: return "\"empty\"";
	case LP_FULL: return "\"full\"";
	case LP_NIL: return "null";
	default:
		snprintf(text, 24, "%" PRId64, value);
		return text;
	}
}

static void print_values(struct lp_dump *d, const int64_t *values, uint32_t count)
{
	char text[24];

	for (uint32_t i = 0; i < count; i++)
		fprintf(d->to, "%s%s", i ? "," : "", lp_dump_value(values[i], text));
}

static void print(struct lp_dump *d, const struct lp_live_call *c, const struct lp_ring *r, uint64_t i,
		  bool pending)
{
	char name[32];
	int64_t words[LP_LIVE_WORDS];

	if (c->method >= d->spec->kind->method_count)
		return;
	const struct lp_method *m = &d->spec->kind->methods[c->method];
	const uint32_t count = lp_stream_words(r, i, m->args, words);
	const uint32_t args = count < m->args ? count : m->args;
	fprintf(d->to, "{\"thread\":%" PRIu32 ",\"start\":%" PRIu64, c->thread, c->start);
	if (!pending)
		fprintf(d->to, ",\"end\":%" PRIu64, c->end);
	fprintf(d->to, ",\"method\":\"%s\"", lp_method_name(m, name));
	if (args) {
		fputs(",\"args\":[", d->to);
		print_values(d, words, args);
		putc(']', d->to);
	}
	if (!pending && count > args) {
		fputs(count - args > 1 ? ",\"result\":[" : ",\"result\":", d->to);
		print_values(d, words + args, count - args);
		if (count - args > 1)
			putc(']', d->to);
	}
	fputs("}\n", d->to);
	d->calls++;
}

void lp_dump_disown(struct lp_dump *d)
{
	if (d->to)
		__fpurge(d->to);
}

void lp_dump_call(struct lp_dump *d, const struct lp_live_call *c, const struct lp_ring *r, uint64_t i)
{
	if (d->to)
		print(d, c, r, i, false);
}

void lp_dump_stop(struct lp_dump *d, const struct lp_rings *rings)
{
	if (!d->to)
		return;
	for (uint32_t i = 0; i < rings->most && lp_ring_at(rings, i); i++) {
		const struct lp_ring *r = lp_ring_at(rings, i);
		for (uint64_t n = r->done; n < r->next; n++) {
			const struct lp_monitor_record *rec = &r->records[n & r->mask];
			if (rec->end >> LP_MONITOR_METHOD >= LP_MONITOR_MORE)
				continue; /* no call */
			print(d,
			      &(struct lp_live_call){
				      .start = rec->start,
				      .arg = rec->arg,
				      .thread = lp_ring_thread(r, n),
				      .method = (uint32_t)(rec->end >> LP_MONITOR_METHOD),
			      },
			      r, n, true);
		}
	}
	d->stopped = true;
	lp_dump_close(d);
}
