/* coverage_flags.c -- flags at a fixed address, one set for each process.
 *
 * One file in memory has a part for each process; a part is a byte for each flag and one for each site:
 *
 *     0 flags sites | 1 flags sites | 2 ... | values
 *
 * Each process has its own part at LP_FLAGS.  The first process, which forks the others, has part 0 there, and has
 * all parts at another address, to read them.  If more than PARTS processes are forked, later processes share parts
 * with earlier ones.  Usually the earlier process has ended by then; otherwise sharing costs time.
 */
#define _GNU_SOURCE
#include "runtime/coverage_flags.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "runtime/machine.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

enum { PARTS = 65, SEEN = 4096 /* a power of two */, RESERVED = 16 << 20 /* the most bytes of a part */ };

/* A place of the table of values: free, being written by some process, or written. */
enum { FREE, HALF, FULL };

struct seen {
	uint32_t state;
	struct lp_value_seen value;
};

/* The memory to which all processes write. */
struct shared {
	uint32_t forked; /* how many processes were forked */
	uint32_t lost;   /* how many values found no place */
	struct seen seen[SEEN];
};

static struct {
	bool reserved, open;
	int fd;
	size_t size;        /* the size of a part */
	uint8_t *all;       /* the parts of all processes */
	uint8_t *kept;      /* a copy of this process's part, during a trial */
	struct shared *shared;
} coverage;

static bool place_part(uint32_t number)
{
	LP_HOLDS(number < PARTS);
	void *at = (void *)LP_FLAGS;

	return mmap(at, coverage.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, coverage.fd,
		    (off_t)(number * coverage.size)) == at;
}

static void forked(void)
{
	if (coverage.open)
		place_part(1 + __atomic_fetch_add(&coverage.shared->forked, 1, __ATOMIC_RELAXED) % (PARTS - 1));
}

static uint32_t used_parts(void)
{
	const uint32_t count = 1 + __atomic_load_n(&coverage.shared->forked, __ATOMIC_RELAXED);

	return count < PARTS ? count : PARTS;
}

/* Provides memory for flags before the program is loaded, because loading may run functions of the
 * program that select others (ifunc). */
bool rt_coverage_reserve(struct lp_error *error)
{
	void *at = (void *)LP_FLAGS;
	void *got = mmap(at, RESERVED, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

	coverage.reserved = got == at;
	if (coverage.reserved)
		return true;
	if (got != MAP_FAILED)
		munmap(got, RESERVED);
	return lp_fail(error, "cannot reserve %d MB of address space at 0x%llx: %s", RESERVED >> 20,
		       (unsigned long long)LP_FLAGS, got == MAP_FAILED ? strerror(errno) : "in use");
}

static size_t file_size(void)
{
	return PARTS * coverage.size + sizeof(struct shared);
}

/* The shared memory comes after the last part. */
static bool open_file(struct lp_error *error)
{
	const size_t all = file_size();

	coverage.fd = memfd_create("linchpin coverage", MFD_CLOEXEC);
	coverage.open = coverage.fd >= 0;
	if (!coverage.open || ftruncate(coverage.fd, (off_t)all))
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	void *got = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, coverage.fd, 0);
	if (got == MAP_FAILED || !place_part(0))
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	coverage.all = got;
	coverage.shared = (struct shared *)(coverage.all + PARTS * coverage.size);
	return true;
}

bool rt_coverage_open(struct lp_error *error)
{
	static bool told;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t bytes = rt.module->coverage.flag_count + rt.module->site_count + 1;

	LP_HOLDS(coverage.reserved && !coverage.open);
	coverage.size = (bytes + page - 1) & ~(page - 1);
	if (coverage.size > RESERVED)
		return lp_fail(error, "the program is too large: %zu places of its code are to be watched", bytes);
	if (!open_file(error))
		return false;
	rt.seen.reached = (uint8_t *)LP_FLAGS + rt.module->coverage.flag_count;
	if (!told)
		pthread_atfork(NULL, NULL, forked);
	told = true;
	return true;
}

void rt_coverage_trial(bool begins)
{
	if (!coverage.open)
		return;
	LP_HOLDS(begins || coverage.kept); /* a trial that ends must have begun */
	if (!coverage.kept)
		coverage.kept = lp_alloc(coverage.size);
	if (begins)
		memcpy(coverage.kept, (const void *)LP_FLAGS, coverage.size);
	else
		memcpy((void *)LP_FLAGS, coverage.kept, coverage.size);
}

void rt_coverage_close(void)
{
	lp_free(coverage.kept);
	if (coverage.all)
		munmap(coverage.all, file_size());
	if (coverage.open)
		close(coverage.fd);
	if (coverage.reserved)
		munmap((void *)LP_FLAGS, RESERVED);
	memset(&coverage, 0, sizeof coverage);
}

static uint8_t any_part(size_t at)
{
	uint8_t any = 0;
	LP_HOLDS(at < coverage.size);

	for (uint32_t i = 0; i < used_parts(); i++)
		any |= coverage.all[i * coverage.size + at];
	return any;
}

bool lp_native_flag(struct lp_native *native, uint32_t flag)
{
	(void)native;
	LP_HOLDS(flag < rt.module->coverage.flag_count);
	return any_part(flag);
}

bool lp_native_any_flag(struct lp_native *native, struct lp_flag_list list)
{
	for (uint32_t i = 0; i < list.count; i++)
		if (lp_native_flag(native, rt.module->coverage.lists[list.at + i]))
			return true;
	return false;
}

uint8_t rt_coverage_site(uint32_t site)
{
	LP_HOLDS(site < rt.module->site_count);
	return any_part(rt.module->coverage.flag_count + site);
}

void rt_coverage_forget_sites(void)
{
	for (uint32_t i = 0; i < used_parts(); i++)
		memset(coverage.all + i * coverage.size + rt.module->coverage.flag_count, 0, rt.module->site_count);
}

/* ---- values ---- */

static bool is_same(const struct lp_value_seen *a, const struct lp_value_seen *b)
{
	return a->method == b->method && a->pc == b->pc && a->which == b->which && a->value == b->value;
}

/* A place to which another process is writing, or was writing when it was killed, is skipped: at worst a value is
 * recorded twice. */
void rt_coverage_value(const struct lp_value_seen *value)
{
	struct seen *table = coverage.shared->seen;
	const uint64_t hash = lp_mix((uintptr_t)value->method ^ lp_mix((uint64_t)value->value ^ value->which ^ value->pc));

	if (!rt.options.coverage)
		return;
	for (uint32_t i = 0; i < SEEN; i++) {
		struct seen *s = &table[(hash + i) & (SEEN - 1)];
		uint32_t state = __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
		if (state == FULL && is_same(&s->value, value))
			return;
		if (state == FREE && __atomic_compare_exchange_n(&s->state, &state, HALF, false, __ATOMIC_ACQUIRE,
								 __ATOMIC_RELAXED)) {
			s->value = *value;
			__atomic_store_n(&s->state, FULL, __ATOMIC_RELEASE);
			return;
		}
	}
	__atomic_store_n(&coverage.shared->lost, 1, __ATOMIC_RELAXED);
}

bool lp_native_seen(struct lp_native *native, void (*visit)(void *closure, const struct lp_value_seen *), void *closure)
{
	const struct seen *table = coverage.shared->seen;

	(void)native;
	for (uint32_t i = 0; i < SEEN; i++) {
		bool again = table[i].state != FULL;
		for (uint32_t k = 0; k < i && !again; k++)
			again = table[k].state == FULL && is_same(&table[k].value, &table[i].value);
		if (!again)
			visit(closure, &table[i].value);
	}
	return !coverage.shared->lost;
}

/* ---- as bytes ---- */

static void put_value(void *closure, const struct lp_value_seen *v)
{
	const uint64_t numbers[] = { 1, (uintptr_t)v->method, v->pc, v->which, (uint64_t)v->value };

	lp_bytes_put(closure, numbers, sizeof numbers);
}

void rt_coverage_write(struct lp_bytes *to)
{
	uint8_t *any = lp_alloc(coverage.size);

	for (size_t i = 0; i < coverage.size; i++)
		any[i] = any_part(i);
	lp_bytes_put_sparse(to, any, coverage.size);
	lp_free(any);
	const bool all = lp_native_seen(NULL, put_value, to);
	lp_bytes_put_number(to, 0);
	lp_bytes_put_number(to, !all);
}

void rt_coverage_write_sites(struct lp_bytes *to)
{
	uint8_t *any = lp_alloc(rt.module->site_count + 1);

	for (uint32_t i = 0; i < rt.module->site_count; i++)
		any[i] = rt_coverage_site(i);
	lp_bytes_put_sparse(to, any, rt.module->site_count);
	lp_free(any);
}

bool rt_coverage_merge_sites(struct lp_cursor *from)
{
	uint8_t *any = lp_alloc(rt.module->site_count + 1);

	lp_cursor_sparse(from, any, rt.module->site_count);
	for (uint32_t i = 0; i < rt.module->site_count && !from->bad; i++)
		rt.seen.reached[i] |= any[i];
	lp_free(any);
	return !from->bad;
}

bool rt_coverage_merge(struct lp_cursor *from)
{
	uint8_t *any = lp_alloc(coverage.size);

	lp_cursor_sparse(from, any, coverage.size);
	for (size_t i = 0; i < coverage.size && !from->bad; i++)
		((uint8_t *)LP_FLAGS)[i] |= any[i];
	lp_free(any);
	while (lp_cursor_number(from, 1)) {
		struct lp_value_seen v = { .pc = 0 };
		v.method = (void *(*)(void *))(uintptr_t)lp_cursor_u64(from);
		v.pc = lp_cursor_u64(from);
		v.which = (uint32_t)lp_cursor_number(from, LP_SEEN_RESULT);
		v.value = (int64_t)lp_cursor_u64(from);
		if (!from->bad)
			rt_coverage_value(&v);
	}
	coverage.shared->lost |= (uint32_t)lp_cursor_number(from, 1);
	return !from->bad;
}
