/* memory.c -- the limit on memory of the process. */
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t limit_kb;
static bool without_files;
static atomic_bool full;

void lp_memory_limit(uint64_t kb)
{
	limit_kb = kb;
	without_files = false;
	atomic_store(&full, false);
}

uint64_t lp_memory_limit_kb(void)
{
	return limit_kb;
}

void lp_memory_leave_out_files(void)
{
	without_files = true;
}

bool lp_memory_is_full(void)
{
	return atomic_load_explicit(&full, memory_order_relaxed);
}

static uint64_t resident_kb_of(long process)
{
	char path[64];
	unsigned long long size, resident = 0, shared = 0;

	snprintf(path, sizeof path, "/proc/%ld/statm", process);
	FILE *file = fopen(path, "r");
	if (file && fscanf(file, "%llu %llu %llu", &size, &resident, &shared) != 3)
		resident = shared = 0;
	if (file)
		fclose(file);
	return (resident - (without_files ? shared : 0)) * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

uint64_t lp_memory_resident_kb(void)
{
	uint64_t sum = resident_kb_of(getpid());
	char path[64];
	long child;

	snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
	FILE *children = fopen(path, "r");
	while (children && fscanf(children, "%ld", &child) == 1)
		sum += resident_kb_of(child);
	if (children)
		fclose(children);
	return sum;
}

/* Has the peak memory of the process stayed below half of what the limit allows?  Then there is no need to read files of
 * /proc, which takes longer than the exploration of a small client.  It must be below half because the kernel's counter is
 * not exact on machines with many processors. */
static bool is_far(uint64_t more_kb)
{
	struct rusage used;

	return !getrusage(RUSAGE_SELF, &used) && (uint64_t)used.ru_maxrss + more_kb < limit_kb / 2;
}

static bool has_children(void)
{
	siginfo_t info;

	return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) || errno != ECHILD;
}

static bool reaches(uint64_t kb)
{
	if (kb > limit_kb)
		atomic_store(&full, true);
	return lp_memory_is_full();
}

bool lp_memory_look(void)
{
	if (!limit_kb || (!has_children() && is_far(0)))
		return lp_memory_is_full();
	return reaches(lp_memory_resident_kb());
}

bool lp_memory_expect(size_t bytes)
{
	if (!limit_kb || is_far(bytes / 1024))
		return lp_memory_is_full();
	return reaches(resident_kb_of(getpid()) + bytes / 1024);
}

const char *lp_memory_reason(void)
{
	static char text[64];

	snprintf(text, sizeof text, "memory limit of %" PRIu64 " MB reached (--memory)", limit_kb / 1024);
	return text;
}
