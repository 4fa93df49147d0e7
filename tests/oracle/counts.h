/* counts.h -- programs whose number of executions is published. */
#ifndef LP_ORACLE_COUNTS_H
#define LP_ORACLE_COUNTS_H

#include "explore/explore.h"

struct count_case {
	const char *name;
	char *(*make)(unsigned n); /* the script; the caller frees it */
	unsigned n;
	enum lp_model model;
	uint64_t executions;
};

extern const struct count_case count_cases[];
extern const unsigned count_case_count;

#endif
