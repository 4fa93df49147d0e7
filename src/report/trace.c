/* trace.c -- an execution in a file, for replay. */
#define _GNU_SOURCE
#include "report/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"

enum { VERSION = 1, MOST = 1 << 22 };

bool lp_trace_hash(const char *file, char hash[static 33])
{
	struct lp_fingerprint f = LP_FINGERPRINT;
	FILE *in = fopen(file, "r");
	char piece[4096];
	size_t size;

	if (!in)
		return false;
	while ((size = fread(piece, 1, sizeof piece, in)) > 0)
		lp_fingerprint_bytes(&f, piece, size);
	const bool good = !ferror(in);
	fclose(in);
	snprintf(hash, 33, "%016" PRIx64 "%016" PRIx64, f.a, f.b);
	return good;
}

/* ---- writing ---- */

/* A text on its own line: what would break lines is left out. */
static void put_text(FILE *out, const char *word, const char *text)
{
	fprintf(out, "%s ", word);
	for (; text && *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
	fputc('\n', out);
}

static void put_step_number(FILE *out, uint32_t step)
{
	if (step == LP_TRACE_NONE)
		fputs(" -", out);
	else if (step == LP_TRACE_INITIAL)
		fputs(" init", out);
	else
		fprintf(out, " %" PRIu32, step);
}

void lp_trace_write(FILE *out, const struct lp_trace *t)
{
	fprintf(out, "linchpin-trace %d\n", VERSION);
	put_text(out, "command", t->command);
	for (uint32_t i = 0; i < t->word_count; i++)
		put_text(out, "word", t->words[i]);
	put_text(out, "folder", t->folder);
	for (uint32_t i = 0; i < t->source_count; i++) {
		fprintf(out, "source %s ", t->sources[i].hash);
		put_text(out, "", t->sources[i].file);
	}
	put_text(out, "kind", t->kind);
	put_text(out, "text", t->text);
	for (uint32_t i = 0; i < t->call_count; i++) {
		const struct lp_trace_call *c = &t->calls[i];
		fprintf(out, "call %" PRIu32 " %s %" PRIu32 " %" PRIu32 " %" PRId64 " %" PRId64 " %" PRId64
			"\n", c->thread, c->method, c->when, c->needs, c->arg[0], c->arg[1], c->arg[2]);
	}
	for (uint32_t i = 0; i < t->like_count; i++)
		fprintf(out, "like %" PRIu32 " %" PRIu32 "\n", t->likes[i][0], t->likes[i][1]);
	if (t->thread)
		fprintf(out, "thread %" PRIu32 "\n", t->thread);
	if (t->loop)
		fprintf(out, "loop %" PRIu32 "\n", t->loop);
	for (uint32_t i = 0; i < t->step_count; i++) {
		const struct lp_trace_step *s = &t->steps[i];
		fprintf(out, "step %" PRIu32 " %s", s->thread, s->operation);
		put_step_number(out, s->reads_from);
		put_step_number(out, s->co_after);
		fprintf(out, " %" PRIu64 " %" PRIu64 " %d %s\n", s->value[0], s->value[1],
			(s->failed ? 1 : 0) | (s->blocked ? 2 : 0) | (s->plain ? 4 : 0), s->where ? s->where : "-");
	}
	fputs("end\n", out);
}

/* ---- reading ---- */

struct reader {
	struct lp_trace *trace;
	struct lp_arena *arena;
	const char *name;
	uint32_t line;
	struct lp_error *error;
	struct { LP_VEC(const char *); } words;
	struct { LP_VEC(struct lp_trace_source); } sources;
	struct { LP_VEC(struct lp_trace_call); } calls;
	struct { LP_VEC(struct lp_trace_step); } steps;
	struct { LP_VEC(struct { uint32_t pair[2]; }); } likes;
	bool ended;
};

static bool complain(struct reader *r, const char *what)
{
	return lp_fail(r->error, "%s:%u: %s", r->name, r->line, what);
}

static const char *keep(struct reader *r, const char *text)
{
	return lp_arena_strdup(r->arena, text);
}

/* Cuts the next word off. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " ");

	*rest = word + strcspn(word, " ");
	if (**rest)
		*(*rest)++ = '\0';
	return word;
}

static bool next_number(char **rest, int64_t *value)
{
	const char *word = next_word(rest);
	char *end;

	errno = 0;
	*value = strtoll(word, &end, 10);
	return end != word && !*end && !errno;
}

static bool next_u64(char **rest, uint64_t *value)
{
	const char *word = next_word(rest);
	char *end;

	errno = 0;
	*value = strtoull(word, &end, 10);
	return end != word && !*end && !errno && *word != '-';
}

static bool next_u32(char **rest, uint32_t *value)
{
	uint64_t wide;
	const bool good = next_u64(rest, &wide) && wide <= UINT32_MAX - 2;

	*value = (uint32_t)wide;
	return good;
}

static bool next_step(char **rest, uint32_t *step)
{
	char *at = *rest + strspn(*rest, " ");

	if (!strncmp(at, "- ", 2) || !strncmp(at, "init ", 5)) {
		*step = *at == '-' ? LP_TRACE_NONE : LP_TRACE_INITIAL;
		next_word(rest);
		return true;
	}
	return next_u32(rest, step);
}

static bool read_call(struct reader *r, char *rest)
{
	struct lp_trace_call c = { 0 };
	const bool thread = next_u32(&rest, &c.thread);
	const char *method = next_word(&rest);

	if (!thread || !*method || !next_u32(&rest, &c.when) || !next_u32(&rest, &c.needs) ||
	    !next_number(&rest, &c.arg[0]) || !next_number(&rest, &c.arg[1]) ||
	    !next_number(&rest, &c.arg[2]))
		return complain(r, "a call is: thread, method, when, needs, three arguments");
	c.method = keep(r, method);
	LP_PUSH(&r->calls, c);
	return true;
}

static bool read_step(struct reader *r, char *rest)
{
	struct lp_trace_step s = { 0 };
	uint32_t flags;
	const bool thread = next_u32(&rest, &s.thread);
	const char *operation = next_word(&rest);

	if (!thread || !*operation || !next_step(&rest, &s.reads_from) ||
	    !next_step(&rest, &s.co_after) || !next_u64(&rest, &s.value[0]) ||
	    !next_u64(&rest, &s.value[1]) || !next_u32(&rest, &flags) || flags > 7)
		return complain(r, "a step is: thread, operation, reads from, follows, value, flags, where");
	s.operation = keep(r, operation);
	s.failed = flags & 1;
	s.blocked = flags & 2;
	s.plain = flags & 4;
	s.where = keep(r, rest);
	LP_PUSH(&r->steps, s);
	return true;
}

static bool read_like(struct reader *r, char *rest)
{
	uint32_t a, b;

	if (!next_u32(&rest, &a) || !next_u32(&rest, &b))
		return complain(r, "two threads are expected after 'like'");
	LP_RESERVE(&r->likes, 1);
	r->likes.at[r->likes.count].pair[0] = a;
	r->likes.at[r->likes.count++].pair[1] = b;
	return true;
}

static bool read_line(struct reader *r, char *rest)
{
	const struct { const char *word; const char **to; } texts[] = {
		{ "command", &r->trace->command }, { "folder", &r->trace->folder },
		{ "kind", &r->trace->kind },       { "text", &r->trace->text },
	};
	const char *word = next_word(&rest);

	if (r->words.count + r->sources.count + r->calls.count + r->steps.count > MOST)
		return complain(r, "too long");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		if (!strcmp(word, texts[i].word)) {
			*texts[i].to = keep(r, rest);
			return true;
		}
	}
	if (!strcmp(word, "word")) {
		LP_PUSH(&r->words, keep(r, rest));
		return true;
	}
	if (!strcmp(word, "source")) {
		const char *hash = keep(r, next_word(&rest));
		const struct lp_trace_source source = { keep(r, rest + strspn(rest, " ")), hash };
		LP_PUSH(&r->sources, source);
		return true;
	}
	if (!strcmp(word, "call"))
		return read_call(r, rest);
	if (!strcmp(word, "like"))
		return read_like(r, rest);
	if (!strcmp(word, "thread") || !strcmp(word, "loop"))
		return next_u32(&rest, *word == 't' ? &r->trace->thread : &r->trace->loop) ||
		       complain(r, "a number is expected");
	if (!strcmp(word, "step"))
		return read_step(r, rest);
	r->ended = !strcmp(word, "end");
	return r->ended || complain(r, "a line of a trace is expected (word, call, step, ...)");
}

/* Copies a vector into the arena. */
static void *kept(struct reader *r, const void *from, uint32_t count, size_t size)
{
	void *to = lp_arena_alloc(r->arena, (count + 1) * size);

	if (count)
		memcpy(to, from, count * size);
	return to;
}

static bool read_lines(struct reader *r, FILE *in)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	bool good = true;

	while (good && !r->ended && (length = getline(&line, &room, in)) > 0) {
		r->line++;
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		if (strlen(line) + 1 < (size_t)length)
			good = complain(r, "not a text");
		else if (r->line == 1)
			good = !strcmp(line, "linchpin-trace 1") ||
			       complain(r, "not a trace of this version (linchpin-trace 1 is expected)");
		else
			good = read_line(r, line);
	}
	free(line);
	if (good && !r->ended)
		good = complain(r, "the trace is cut off: 'end' is missing");
	if (good && (!r->trace->command || !r->trace->kind || !r->sources.count || !r->trace->folder))
		good = complain(r, "command, folder, source or kind is missing");
	if (good && r->trace->loop > r->steps.count)
		good = lp_fail(r->error, "%s: the cycle begins after the last step", r->name);
	for (uint32_t i = 0; good && i < r->steps.count; i++)
		if ((r->steps.at[i].reads_from < LP_TRACE_INITIAL && r->steps.at[i].reads_from >= r->steps.count) ||
		    (r->steps.at[i].co_after < LP_TRACE_INITIAL && r->steps.at[i].co_after >= r->steps.count))
			good = lp_fail(r->error, "%s: step %u refers to a step that is not there", r->name, i + 1);
	return good;
}

bool lp_trace_read(struct lp_trace *trace, const char *name, struct lp_arena *arena,
		   struct lp_error *error)
{
	struct reader r = { .trace = trace, .arena = arena, .name = name, .error = error };
	FILE *in = fopen(name, "r");

	*trace = (struct lp_trace){ 0 };
	if (!in)
		return lp_fail(error, "cannot read '%s': %s", name, strerror(errno));
	/* Devices have no end, and pipes may have none. */
	struct stat status;
	if (fstat(fileno(in), &status) || !S_ISREG(status.st_mode)) {
		fclose(in);
		return lp_fail(error, "cannot read '%s': it is not a file", name);
	}
	const bool good = read_lines(&r, in);
	fclose(in);
	trace->words = kept(&r, r.words.at, r.words.count, sizeof *r.words.at);
	trace->word_count = r.words.count;
	trace->sources = kept(&r, r.sources.at, r.sources.count, sizeof *r.sources.at);
	trace->source_count = r.sources.count;
	trace->calls = kept(&r, r.calls.at, r.calls.count, sizeof *r.calls.at);
	trace->call_count = r.calls.count;
	trace->steps = kept(&r, r.steps.at, r.steps.count, sizeof *r.steps.at);
	trace->step_count = r.steps.count;
	trace->likes = kept(&r, r.likes.at, r.likes.count, sizeof *r.likes.at);
	trace->like_count = r.likes.count;
	lp_free(r.words.at);
	lp_free(r.sources.at);
	lp_free(r.calls.at);
	lp_free(r.steps.at);
	lp_free(r.likes.at);
	return good;
}
