/* checkpoint_identity.c -- the identity of a checkpoint, a text such as
 *
 *     command check
 *     version 0.1
 *     build 2f1c...                 a digest of the executable
 *     option --model sc             each option that matters
 *     object 93ab...                a digest of the compiled program
 *     spec 1d20...                  a digest of the compiled specification, if it is a program
 *     addresses 7ffff7fba000 ...
 *
 * Options that only limit the exploration, or say where results go, may differ.
 */
#include "verify/checkpoint/checkpoint_identity.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/digest.h"
#include "verify/task/task.h"

struct lp_digest lp_checkpoint_digest(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct lp_digester d;
	char bytes[65536];
	ssize_t size;

	lp_digest_begin(&d);
	while (fd >= 0 && (size = read(fd, bytes, sizeof bytes)) > 0)
		lp_digest_add(&d, bytes, (size_t)size);
	if (fd >= 0)
		close(fd);
	return lp_digest_end(&d);
}

static void put_digest(FILE *out, const char *name, struct lp_digest d)
{
	fprintf(out, "%s %016" PRIx64 "%016" PRIx64 "\n", name, d.word[0], d.word[1]);
}

static void put_build(FILE *out, const char *command)
{
	fprintf(out, "command %s\nversion %s\n", command, LP_VERSION);
	put_digest(out, "build", lp_checkpoint_digest("/proc/self/exe"));
}

static void take_text(FILE *out, char **text, const size_t *size, struct lp_bytes *to)
{
	fclose(out);
	lp_bytes_put(to, *text, *size);
	free(*text);
}

void lp_checkpoint_identify_build(const char *command, struct lp_bytes *to)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	put_build(out, command);
	take_text(out, &text, &size, to);
}

void lp_checkpoint_identify(struct lp_task *task, const struct lp_digest *spec, struct lp_bytes *to)
{
	uintptr_t at[LP_NATIVE_ADDRESSES];
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	lp_native_addresses(&task->native, at);
	put_build(out, lp_options_command(task->options));
	lp_options_lines(out, task->options);
	put_digest(out, "object", lp_native_digest(&task->native));
	if (spec)
		put_digest(out, "spec", *spec);
	fputs("addresses", out);
	for (int i = 0; i < LP_NATIVE_ADDRESSES; i++)
		fprintf(out, " %" PRIxPTR, at[i]);
	fputs("\n", out);
	take_text(out, &text, &size, to);
}

/* ---- comparing ---- */

struct line {
	const char *at;
	int length; /* 0: there is none */
};

static struct line next_line(struct lp_cursor *text)
{
	const uint8_t *end = text->left ? memchr(text->at, '\n', text->left) : NULL;
	const struct line line = { (const char *)text->at, end ? (int)(end - text->at) : 0 };

	lp_cursor_take(text, end ? (size_t)line.length + 1 : text->left);
	return line;
}

static bool is_line(struct line a, struct line b)
{
	return a.length == b.length && !memcmp(a.at, b.at, (size_t)a.length);
}

/* "option --model" of "option --model sc"; of other lines, "version". */
static int name_of(struct line l)
{
	int words = l.length > 7 && !memcmp(l.at, "option ", 7) ? 2 : 1, n = 0;

	while (n < l.length && (l.at[n] != ' ' || --words))
		n++;
	return n;
}

static struct line find_line(struct lp_cursor in, struct line wanted, bool by_name)
{
	for (struct line l; (l = next_line(&in)).length;) {
		const int n = name_of(wanted);
		if (by_name ? n == name_of(l) && !memcmp(l.at, wanted.at, (size_t)n) : is_line(l, wanted))
			return l;
	}
	return (struct line){ "", 0 };
}

/* The rest of the line after the name. */
static struct line argument_of(struct line l)
{
	const int n = name_of(l);

	return n < l.length ? (struct line){ l.at + n + 1, l.length - n - 1 } : (struct line){ "", 0 };
}

static bool say_options(const char *path, struct line then, struct line now, struct lp_error *error)
{
	enum { OPTION = sizeof "option " - 1 };

	if (!now.length)
		return lp_fail(error, "cannot resume from '%s': it was written with %.*s, which is not given", path,
			       then.length - OPTION, then.at + OPTION);
	if (!then.length)
		return lp_fail(error, "cannot resume from '%s': it was written without %.*s", path, now.length - OPTION,
			       now.at + OPTION);
	return lp_fail(error, "cannot resume from '%s': it was written with %.*s, not %.*s", path, then.length - OPTION,
		       then.at + OPTION, now.length - OPTION, now.at + OPTION);
}

/* Sets the error for two lines that differ.  They have the same name, or one is
 * missing. */
static bool say(const char *path, struct line then, struct line now, struct lp_error *error)
{
	const struct line l = then.length ? then : now, a = argument_of(then), b = argument_of(now);

	switch (l.at[0]) {
	case 'c':
		return lp_fail(error, "cannot resume from '%s': it was written by `linchpin %.*s`", path, a.length, a.at);
	case 'v':
		return lp_fail(error, "cannot resume from '%s': it was written by linchpin %.*s, and this is %.*s", path, a.length, a.at,
			       b.length, b.at);
	case 'b':
		return lp_fail(error, "cannot resume from '%s': it was written by another build of linchpin", path);
	case 'o':
		if (name_of(l) == (int)sizeof "object" - 1)
			return lp_fail(error, "cannot resume from '%s': the program was another one, or compiled in another way", path);
		return say_options(path, then, now, error);
	case 's':
		return lp_fail(error, "cannot resume from '%s': the specification was another one", path);
	default:
		return lp_fail(error, "cannot resume from '%s': the program was at other addresses", path);
	}
}

static bool agrees(const char *path, struct lp_cursor then, struct lp_cursor now, bool forward, struct lp_error *error)
{
	struct lp_cursor rest = forward ? then : now;

	for (struct line l; (l = next_line(&rest)).length;) {
		if (find_line(forward ? now : then, l, false).length)
			continue;
		const struct line other = find_line(forward ? now : then, l, true);
		return forward ? say(path, l, other, error) : say(path, other, l, error);
	}
	return true;
}

bool lp_checkpoint_is_same(const char *path, struct lp_cursor then, struct lp_cursor now, struct lp_error *error)
{
	return agrees(path, then, now, true, error) && agrees(path, then, now, false, error);
}
