/* spill.c -- arrays in unnamed files. */
#define _GNU_SOURCE /* O_TMPFILE, mremap() */
#include "explore/state/visited/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

enum { SMALL = 1 << 12, PAGE = 4096 };

/* Opens a file without a name; if the file system does not support this, a file whose name is removed at once.
 * Returns -1 if this fails. */
static int open_file(const char *folder)
{
	char path[4096];
	int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return file;
	if (snprintf(path, sizeof path, "%s/linchpin-XXXXXX", folder) >= (int)sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	file = mkostemp(path, O_CLOEXEC);
	if (file >= 0)
		unlink(path);
	return file;
}

bool lp_spill_open(struct lp_spill *s, const char *folder, uint64_t memory, struct lp_error *error)
{
	const int file = open_file(folder);

	if (file < 0)
		return lp_fail(error, "cannot spill to '%s': %s", folder, strerror(errno));
	close(file);
	/* Exceeding the limit on the size of files (ulimit -f) must be an error like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	*s = (struct lp_spill){ .folder = folder, .budget = memory / 2 };
	return true;
}

/* May the array, which has `size` bytes in memory, grow to `larger` bytes there? A small array always may, because files
 * consist of pages. */
static bool fits(const struct lp_spill *s, uint64_t size, uint64_t larger)
{
	return !s || larger <= SMALL || s->in_memory - size + larger <= s->budget;
}

static bool complain(struct lp_spill *s, int error)
{
	snprintf(s->reason, sizeof s->reason, "cannot spill to '%.160s' (--spill): %s", s->folder, strerror(error));
	return false;
}

/* Counts that the array has `more` further bytes. */
static void count(struct lp_spill *s, const struct lp_pages *p, uint64_t more)
{
	if (!s)
		return;
	*(p->file ? &s->bytes : &s->in_memory) += more;
	LP_HOLDS(s->bytes <= INT64_MAX && s->in_memory <= INT64_MAX);
	if (s->bytes > s->most)
		s->most = s->bytes;
}

/* Makes the file at least `size` bytes long. */
static bool reserve(struct lp_spill *s, int file, uint64_t size)
{
	int error;

	do
		error = posix_fallocate(file, 0, (off_t)size);
	while (error == EINTR);
	return !error || complain(s, error);
}

static bool map_file(struct lp_pages *p, struct lp_spill *s, uint64_t size)
{
	const int file = open_file(s->folder);
	void *at = MAP_FAILED;

	LP_HOLDS(size && size % PAGE == 0);
	if (file < 0)
		return complain(s, errno);
	if (reserve(s, file, size)) {
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
		if (at == MAP_FAILED)
			complain(s, errno);
	}
	if (at == MAP_FAILED) {
		close(file);
		return false;
	}
	*p = (struct lp_pages){ at, size, file + 1 };
	count(s, p, size);
	return true;
}

/* Not by malloc(), so that memory which is given back is free for all others at once. */
static bool map_memory(struct lp_pages *p, struct lp_spill *s, uint64_t size)
{
	lp_memory_expect(size); /* the search checks this from time to time */
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return false;
	*p = (struct lp_pages){ at, size, 0 };
	count(s, p, size);
	return true;
}

/* Grows the array in the place where it is: in memory, or in its file. */
static bool grow_there(struct lp_pages *p, struct lp_spill *s, uint64_t size)
{
	LP_HOLDS(size > p->size);
	if (p->file && !reserve(s, p->file - 1, size))
		return false;
	if (!p->file)
		lp_memory_expect(size - p->size);
	void *at = mremap(p->at, p->size, size, MREMAP_MAYMOVE);
	if (at == MAP_FAILED)
		return s && complain(s, errno);
	count(s, p, size - p->size);
	p->at = at;
	p->size = size;
	return true;
}

bool lp_pages_grow(struct lp_pages *p, struct lp_spill *s, uint64_t size)
{
	struct lp_pages file;

	size = (size + PAGE - 1) / PAGE * PAGE;
	if (!p->file && fits(s, p->size, size))
		return p->size ? grow_there(p, s, size) : map_memory(p, s, size);
	if (p->file)
		return grow_there(p, s, size);
	if (!map_file(&file, s, size))
		return false;
	if (p->size)
		memcpy(file.at, p->at, p->size);
	lp_pages_close(p, s);
	*p = file;
	return true;
}

bool lp_pages_table(struct lp_pages *p, struct lp_spill *s, uint64_t size)
{
	size = (size + PAGE - 1) / PAGE * PAGE;
	if (!fits(s, 0, size))
		return map_file(p, s, size);
	if (!map_memory(p, s, size))
		return false;
#ifdef MADV_HUGEPAGE
	madvise(p->at, size, MADV_HUGEPAGE); /* if it does not help, it does no harm */
#endif
	return true;
}

bool lp_pages_own(struct lp_pages *p, struct lp_spill *s)
{
	struct lp_pages own;

	if (!p->file)
		return true;
	if (!map_file(&own, s, p->size))
		return false;
	memcpy(own.at, p->at, p->size);
	lp_pages_close(p, s);
	*p = own;
	return true;
}

void lp_pages_expect(const struct lp_pages *p, bool most)
{
	if (p->file)
		madvise(p->at, p->size, most ? MADV_NORMAL : MADV_RANDOM);
}

void lp_pages_close(struct lp_pages *p, struct lp_spill *s)
{
	if (p->size)
		munmap(p->at, p->size);
	count(s, p, -p->size);
	if (p->file)
		close(p->file - 1);
	*p = (struct lp_pages){ 0 };
}
