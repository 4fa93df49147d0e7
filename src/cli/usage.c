/* usage.c -- what we have used of the machine so far. */
#include "cli/usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double lp_usage_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The kernel's ru_maxrss survives exec: it would count the script that started us.
 * VmHWM is of this program alone; where there is no /proc the former has to do. */
uint64_t lp_usage_peak_rss_kb(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	unsigned long long kb = 0;
	char line[256];

	while (status && !kb && fgets(line, sizeof line, status))
		(void)!sscanf(line, "VmHWM: %llu", &kb);
	if (status)
		fclose(status);
	if (!kb) {
		struct rusage usage;
		getrusage(RUSAGE_SELF, &usage);
		kb = (unsigned long long)usage.ru_maxrss;
	}
	return kb;
}

static uint64_t resident_kb_of(long process)
{
	char path[64];
	unsigned long long size, resident = 0;

	snprintf(path, sizeof path, "/proc/%ld/statm", process);
	FILE *file = fopen(path, "r");
	if (file && fscanf(file, "%llu %llu", &size, &resident) != 2)
		resident = 0;
	if (file)
		fclose(file);
	return resident * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
}

/* Pages that processes share count for each: too much rather than too little. */
uint64_t lp_usage_resident_kb(void)
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

static uint64_t number_in(const char *path, const char *format)
{
	FILE *file = fopen(path, "r");
	char line[256];
	uint64_t number = 0;

	while (file && !number && fgets(line, sizeof line, file))
		(void)!sscanf(line, format, &number);
	if (file)
		fclose(file);
	return number;
}

/* A container may have less than the machine; its page cache is given back when asked for. */
uint64_t lp_usage_available_kb(void)
{
	const uint64_t machine = number_in("/proc/meminfo", "MemAvailable: %" SCNu64);
	const uint64_t group = number_in("/sys/fs/cgroup/memory.max", "%" SCNu64) / 1024;

	return group && group < machine ? group : machine;
}
