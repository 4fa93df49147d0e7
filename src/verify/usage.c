/* usage.c -- time and memory used so far. */
#include "verify/usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

double lp_usage_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The kernel's ru_maxrss survives exec: it would count the script that started us.
 * VmHWM is of this program alone.  ru_maxrss is used where there is no /proc. */
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
