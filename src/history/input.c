/* input.c -- reads the history in a file: decompresses it, and recognises its format. */
#include "history/history.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "history/reader.h"
#include "history/txns.h"

#if __has_include(<zlib.h>)
#include <zlib.h>
#define HAVE_ZLIB 1
#else
#define HAVE_ZLIB 0
#endif

struct buffer {
	LP_VEC(char);
};

enum { PIECE = 1 << 20, WAIT = 200 /* ms */ };

bool lp_format_named(const char *name, enum lp_format *format)
{
	static const struct {
		const char *name;
		enum lp_format format;
	} names[] = {
		{ "auto", LP_FORMAT_AUTO }, { "table", LP_FORMAT_TABLE },
		{ "json", LP_FORMAT_JSON }, { "jsonl", LP_FORMAT_JSON },
		{ "edn", LP_FORMAT_EDN },   { "jepsen", LP_FORMAT_EDN },
		{ "kv", LP_FORMAT_EDN },    { "etcd", LP_FORMAT_ETCD },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].name, name)) {
			*format = names[i].format;
			return true;
		}
	return false;
}

static bool ends_in(const char *name, size_t length, const char *suffix)
{
	const size_t size = strlen(suffix);
	return length >= size && !memcmp(name + length - size, suffix, size);
}

/* A first look at the text: only JSON has a quote after its first brace. */
static enum lp_format guess(const char *text, size_t size)
{
	const char *at = text, *end = text + size;

	while (at < end && strchr(" \t\r\n,", *at))
		at++;
	if (at < end && (*at == '[' || *at == ';'))
		return LP_FORMAT_EDN;
	if (end - at >= 2 && *at == '#' && at[1] >= 'a' && at[1] <= 'z' &&
	    memchr(at, '{', (size_t)(end - at)))
		return LP_FORMAT_EDN;
	if (at < end && *at == '{') {
		for (at++; at < end && strchr(" \t\r\n", *at); at++)
			;
		return at < end && *at == ':' ? LP_FORMAT_EDN : LP_FORMAT_JSON;
	}
	return lp_etcd_looks_so(text, size) ? LP_FORMAT_ETCD : LP_FORMAT_TABLE;
}

static enum lp_format format_of(const char *name, const char *text, size_t size)
{
	size_t length = strlen(name);

	if (ends_in(name, length, ".gz"))
		length -= 3;
	if (ends_in(name, length, ".tab"))
		return LP_FORMAT_TABLE;
	if (ends_in(name, length, ".json") || ends_in(name, length, ".jsonl"))
		return LP_FORMAT_JSON;
	if (ends_in(name, length, ".edn"))
		return LP_FORMAT_EDN;
	return guess(text, size);
}

/* Skips a byte order mark, and finds the format.  Returns false if the text cannot be read. */
static bool begin_text(struct lp_reader *r, enum lp_format *format)
{
	if (r->end - r->at >= 3 && !memcmp(r->at, "\xef\xbb\xbf", 3)) /* the byte order mark */
		r->at += 3;
	const size_t size = (size_t)(r->end - r->at);
	if (*format == LP_FORMAT_AUTO)
		*format = format_of(r->name, r->at, size);
	if (size >= 2 && !memcmp(r->at, "\x1f\x8b", 2))
		return lp_reader_fail(r, "it is packed: unpack it, or give it a name that ends in .gz");
	return true;
}

static bool end_text(struct lp_reader *r, bool good)
{
	lp_reader_close(r);
	if (good)
		r->h->name = lp_strdup(r->name);
	else
		lp_history_close(r->h);
	return good;
}

static struct lp_reader reader_of(struct lp_history *h, const char *name, const char *text, size_t size,
				  struct lp_error *error)
{
	return (struct lp_reader){ .h = h, .name = name, .at = text, .end = text + size, .begin = text, .line = 1,
				   .error = error };
}

static bool parse(struct lp_reader *r, enum lp_format format)
{
	bool good = false;

	if (!begin_text(r, &format))
		return false;
	if (r->h->txns && format != LP_FORMAT_JSON && format != LP_FORMAT_EDN)
		format = LP_FORMAT_AUTO;
	switch (format) {
	case LP_FORMAT_TABLE: good = lp_table_parse(r); break;
	case LP_FORMAT_JSON: good = lp_json_parse(r); break;
	case LP_FORMAT_EDN: good = lp_edn_parse(r); break;
	case LP_FORMAT_ETCD: good = lp_etcd_parse(r); break;
	case LP_FORMAT_AUTO: lp_reader_fail(r, "transactions are written in JSON lines or EDN"); break;
	}
	return end_text(r, good);
}

bool lp_history_parse(struct lp_history *h, const char *name, enum lp_format format,
		      const char *text, size_t size, struct lp_error *error)
{
	struct lp_reader r = reader_of(h, name, text, size, error);

	return parse(&r, format);
}

/* What is being read, and the callbacks that watch it. */
struct source {
	const char *name;
	enum lp_format format;
	const struct lp_read_watch *watch;
	struct lp_error *error;
	struct lp_history *h;
	/* Of a pipe: */
	uint32_t looked;      /* how many bytes there were at the last look() */
	double next_look;     /* the time of the next look() */
	bool enough;
	bool is_parsed;       /* the text was parsed while it was read */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool goes_on(const struct source *from, uint64_t bytes, uint64_t size)
{
	return !from->watch || from->watch->go_on(from->watch->closure, 0, bytes, size) ||
	       lp_fail(from->error, "cannot read '%s': interrupted", from->name);
}

/* Makes room for another piece. */
static bool reserve(struct buffer *b, const struct source *from, uint64_t size)
{
	if (b->count > UINT32_MAX / 2 - PIECE)
		return lp_fail(from->error, "cannot read '%s': more than 2 GB", from->name);
	LP_RESERVE(b, PIECE);
	return goes_on(from, b->count, size);
}

/* Are the complete lines that have arrived so far enough?  The times of these checks are chosen so that together they take a fifth
 * of the time, or as long as one check of the whole history. */
static void look(const struct buffer *b, struct source *from, bool idle)
{
	struct lp_error ignored;
	uint32_t size = b->count;
	const double begin = now();

	while (size && b->at[size - 1] != '\n')
		size--;
	if (size <= from->looked || (idle ? begin < from->next_look : size < PIECE / 16 || size / 2 < from->looked))
		return;
	/* If the text cannot be parsed yet, more input may make it complete.  If not, the last parse reports the error. */
	struct lp_history so_far = { .txns = from->h->txns ? lp_alloc_zero(1, sizeof *so_far.txns) : NULL };
	struct lp_reader r = reader_of(&so_far, from->name, b->at, size, &ignored);
	r.is_prefix = true;
	if (parse(&r, from->format) &&
	    so_far.count && !so_far.has_times && from->watch->is_enough(from->watch->closure, &so_far)) {
		so_far.is_cut = true;
		lp_history_close(from->h);
		*from->h = so_far;
		from->enough = true;
	} else {
		lp_history_close(&so_far);
	}
	from->looked = size;
	from->next_look = now() + 4 * (now() - begin);
}

/* Reads what has arrived, at most one piece; sets `*more` to false at the end of the file.  While nothing arrives, go_on() is
 * still called: a pipe may be silent forever, and a signal need not end read(). */
static bool read_piece(int file, struct buffer *b, struct source *from, uint64_t size, bool looks,
		       bool *more)
{
	struct pollfd wait = { .fd = file, .events = POLLIN };

	if (!reserve(b, from, size))
		return false;
	if (looks)
		look(b, from, false);
	while (from->watch && !from->enough && poll(&wait, 1, WAIT) <= 0) {
		if (!goes_on(from, b->count, size))
			return false;
		if (looks)
			look(b, from, true);
	}
	if (from->enough)
		return true;
	const ssize_t got = read(file, b->at + b->count, PIECE);
	if (got < 0 && errno != EINTR)
		return lp_fail(from->error, "cannot read '%s': %s", from->name, strerror(errno));
	b->count += got > 0 ? (uint32_t)got : 0;
	*more = got != 0;
	return true;
}

/* Parses a file piece by piece, so that only one piece is in memory; this needs a format whose lines can be parsed one by one.
 * `b` has the first piece.  An incomplete last line is kept for the next piece. */
static bool parse_pieces(int file, struct buffer *b, struct source *from, enum lp_format format, uint64_t size)
{
	struct lp_reader r = { .h = from->h, .name = from->name, .line = 1, .watch = from->watch, .error = from->error,
			       .size = size, .at = b->at, .end = b->at + b->count };
	bool more = true, good = begin_text(&r, &format);
	uint32_t first = good ? (uint32_t)(r.at - b->at) : 0; /* where the text begins */

	while (good && (more || first < b->count)) {
		uint32_t end = b->count;
		while (more && end > first && b->at[end - 1] != '\n')
			end--;
		r.begin = b->at;
		r.at = b->at + first;
		r.end = b->at + end;
		good = format == LP_FORMAT_TABLE ? lp_table_parse(&r) : lp_json_parse(&r);
		memmove(b->at, b->at + end, b->count - end);
		r.before += end;
		b->count -= end;
		first = 0;
		good = good && (!more || read_piece(file, b, from, size, false, &more));
	}
	return end_text(&r, good);
}

static bool read_plain(struct buffer *b, struct source *from)
{
	const bool standard = !strcmp(from->name, "-");
	const int file = standard ? STDIN_FILENO : open(from->name, O_RDONLY | O_CLOEXEC);
	struct stat status;
	bool good = true, more = true;

	if (file < 0)
		return lp_fail(from->error, "cannot open '%s': %s", from->name, strerror(errno));
	const bool sized = !fstat(file, &status) && S_ISREG(status.st_mode);
	const uint64_t size = sized ? (uint64_t)status.st_size : 0;
	const bool looks = !sized && from->watch && from->watch->is_enough && from->format != LP_FORMAT_TABLE;
	while (good && more && !from->enough && !(sized && b->count > PIECE))
		good = read_piece(file, b, from, size, looks, &more);
	if (good && more && sized) { /* the file is longer than one piece */
		enum lp_format format = from->format;
		if (format == LP_FORMAT_AUTO)
			format = format_of(from->name, b->at, b->count);
		from->is_parsed = format == LP_FORMAT_TABLE || format == LP_FORMAT_JSON;
		if (from->is_parsed)
			good = parse_pieces(file, b, from, format, size);
		while (good && more && !from->is_parsed)
			good = read_piece(file, b, from, size, false, &more);
	}
	if (!standard)
		close(file);
	return good;
}

static bool read_packed(struct buffer *b, struct source *from)
{
#if HAVE_ZLIB
	gzFile file = gzopen(from->name, "rb");
	int got = 1;
	bool good = true;

	if (!file)
		return lp_fail(from->error, "cannot open '%s': %s", from->name, strerror(errno));
	while (good && got > 0) {
		good = reserve(b, from, 0);
		got = good ? gzread(file, b->at + b->count, PIECE) : 0;
		if (got > 0)
			b->count += (uint32_t)got;
	}
	/* zlib reports a truncated file only when it is closed. */
	const int closed = gzclose(file);
	if (good && (got < 0 || closed != Z_OK))
		good = lp_fail(from->error, "cannot unpack '%s': it is damaged", from->name);
	return good;
#else
	(void)b;
	return lp_fail(from->error, "cannot unpack '%s': built without zlib", from->name);
#endif
}

bool lp_history_read_watched(struct lp_history *h, const char *name, enum lp_format format,
			     const struct lp_read_watch *watch, struct lp_error *error)
{
	struct source from = { .name = name, .format = format, .watch = watch, .error = error, .h = h };
	struct buffer b = { 0 };
	const bool packed = ends_in(name, strlen(name), ".gz");
	bool good = (packed ? read_packed : read_plain)(&b, &from);

	if (good && !from.enough && !from.is_parsed) {
		struct lp_reader r = reader_of(h, name, b.at ? b.at : "", b.count, error);
		r.watch = watch;
		good = parse(&r, format);
	}
	lp_free(b.at);
	return good;
}

bool lp_history_read(struct lp_history *h, const char *name, enum lp_format format,
		     struct lp_error *error)
{
	return lp_history_read_watched(h, name, format, NULL, error);
}
