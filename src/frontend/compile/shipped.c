/* shipped.c -- compiled once, and sent to the other ranks of a job. */
#include "frontend/compile/shipped.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "frontend/compile/command.h"
#include "ranks/bytes.h"

enum { OBJECT = 100 }; /* the tag of its message: whether it is there, findings, then the shared object */

static bool read_file(const char *path, struct lp_bytes *to, struct lp_error *error)
{
	FILE *in = fopen(path, "rb");
	uint8_t part[1 << 16];
	size_t n;

	while (in && (n = fread(part, 1, sizeof part, in)) > 0)
		lp_bytes_put(to, part, n);
	if (!in || ferror(in)) {
		lp_fail(error, "cannot read '%s': %s", path, strerror(errno));
		if (in)
			fclose(in);
		return false;
	}
	fclose(in);
	return true;
}

static bool write_file(const char *path, const uint8_t *bytes, size_t size, struct lp_error *error)
{
	FILE *out = fopen(path, "wb");
	const bool written = out && fwrite(bytes, 1, size, out) == size;

	if ((out && fclose(out)) || !written)
		return lp_fail(error, "cannot write '%s': %s", path, strerror(errno));
	return true;
}

static void put_findings(struct lp_bytes *to, const struct lp_findings *findings)
{
	const uint32_t identity = findings->identity;

	lp_bytes_put(to, &identity, sizeof identity);
	lp_bytes_put(to, &findings->count, sizeof findings->count);
	for (uint32_t i = 0; i < findings->count; i++)
		lp_bytes_put_text(to, findings->at[i]);
}

/* Rank 0 tells the others what came of it. */
static bool ship(struct lp_shipping to, bool compiled, const char *shared, const struct lp_findings *findings, struct lp_error *error)
{
	struct lp_ranks *r = to.ranks;
	struct lp_bytes all = { 0 };
	uint32_t good = compiled;

	lp_bytes_put(&all, &good, sizeof good);
	put_findings(&all, findings);
	if (compiled && !read_file(shared, &all, error)) {
		good = 0;
		memcpy(all.at, &good, sizeof good);
	}
	for (uint32_t i = 1; i < lp_ranks_count(r) && !lp_ranks_are_dismissed(r); i++)
		if (to.to_all || lp_ranks_leader(r, i) == i)
			lp_ranks_send(r, i, OBJECT, all.at, all.count);
	lp_free(all.at);
	return good;
}

static void take_findings(struct lp_cursor *from, struct lp_findings *findings)
{
	findings->identity |= lp_cursor_u32(from) != 0;
	for (uint32_t n = lp_cursor_u32(from); n && !from->bad; n--) {
		char *text = lp_cursor_text(from);
		if (text)
			lp_findings_add(findings, "%s", text);
		lp_free(text);
	}
}

/* What rank 0 has compiled, in a file of this rank. */
static bool unpack(struct lp_ranks *r, char own[static 64], char shared[static LP_SHARED_PATH], struct lp_findings *findings,
		   struct lp_error *error)
{
	struct lp_message m;

	lp_ranks_receive_from(r, 0, &m); /* ranks that have loaded it may already have sent something */
	struct lp_cursor from = { m.bytes, m.size, m.tag != OBJECT };
	if (!lp_cursor_u32(&from) && !from.bad)
		lp_ranks_await_end(r); /* rank 0 says why */
	take_findings(&from, findings);
	if (from.bad)
		LP_BUG("what rank 0 has compiled cannot be read");
	bool good = lp_command_folder_open(own, error);
	if (good) {
		snprintf(shared, LP_SHARED_PATH, "%s/shipped.so", own);
		good = write_file(shared, from.at, from.left, error);
	}
	if (!good)
		lp_ranks_abort(r, 2, "rank %u: %s", lp_ranks_self(r), error->text);
	lp_message_drop(&m);
	return true;
}

bool lp_shipped_compile(struct lp_shipping to, const struct lp_compile_request *request, char own[static 64], char shared[static LP_SHARED_PATH],
			struct lp_findings *findings, struct lp_error *error)
{
	if (to.ranks && lp_ranks_self(to.ranks))
		return unpack(to.ranks, own, shared, findings, error);
	const bool compiled = lp_compile(request, own, shared, findings, error);
	return to.ranks ? ship(to, compiled, shared, findings, error) : compiled;
}

bool lp_shipped_plain(struct lp_shipping to, const struct lp_compile_request *request, char own[static 64], char shared[static LP_SHARED_PATH],
		      struct lp_error *error)
{
	struct lp_findings none = { 0 };

	if (to.ranks && lp_ranks_self(to.ranks))
		return unpack(to.ranks, own, shared, &none, error);
	const bool compiled = lp_compile_plain(request, own, shared, error);
	return to.ranks ? ship(to, compiled, shared, &none, error) : compiled;
}
