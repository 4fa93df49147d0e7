/* source_place.h -- where a source line is, for readers that are not on this machine.
 *
 * On the screen "queue.c:31" is enough.  Tools that annotate the line need the path of the file,
 * relative to a folder that they also have, such as the root of the repository.
 */
#ifndef LP_REPORT_SOURCE_PLACE_H
#define LP_REPORT_SOURCE_PLACE_H

#include <stdbool.h>

struct lp_result;

enum { LP_PLACE_ROOM = 4096 };

struct lp_source_place {
	char path[LP_PLACE_ROOM]; /* relative to the root if it is below, else absolute */
	unsigned long line;       /* from 1 */
	bool relative;
};

/* The place that `where` ("queue.c:31") means in the result; NULL: the subject as a whole, at
 * its first line.  False if it is not a place in a file. */
bool lp_place_find(const struct lp_result *, const char *where, const char *root,
		   struct lp_source_place *);

/* The folder that paths should be relative to: that of the repository where the environment
 * says so (GITHUB_WORKSPACE), else the current one. */
void lp_place_root(char out[LP_PLACE_ROOM]);

#endif
