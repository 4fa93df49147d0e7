/* spill.h -- large arrays that move from memory to files when memory does not suffice.
 *
 * A search of many states needs more memory than the machine has for three arrays: the table of visited
 * states, the record of how each was reached, and the states that wait.  Together they may use
 * half of the memory.  An array that grows beyond that becomes a mapped file, which has no name: it vanishes with the
 * process, however that ends.  The system keeps pages of the file in memory as long as there is room, and takes them away when
 * there is none.
 *
 * All of a file's space is reserved before it is mapped (posix_fallocate), so a full disk is an
 * ordinary failure here and never a signal at some later access.
 *
 * Ownership: arrays belong to their users, who close them.  The struct lp_spill must outlive them.
 */
#ifndef LP_EXPLORE_STATE_VISITED_SPILL_H
#define LP_EXPLORE_STATE_VISITED_SPILL_H

#include <stdbool.h>
#include <stdint.h>

struct lp_error;

struct lp_spill {
	const char *folder;
	uint64_t budget;    /* bytes that arrays may have in memory */
	uint64_t in_memory; /* bytes that they have there */
	uint64_t bytes;     /* of all files, now */
	uint64_t most;      /* the most that these ever were */
	char reason[256];   /* why an array could not grow; empty: all could */
};

/* False if no file can be made in the folder.  `memory` is the number of bytes that the search may use. */
bool lp_spill_open(struct lp_spill *, const char *folder, uint64_t memory, struct lp_error *);

/* An array of bytes; zeroed: an empty one. */
struct lp_pages {
	void *at;
	uint64_t size;
	int file;           /* 1 + its descriptor; 0: it is in memory */
};

/* Makes the array larger; what it holds stays.  `spill` may be NULL: then it stays in memory.  False if the disk
 * is full; the array is as it was then. */
bool lp_pages_grow(struct lp_pages *, struct lp_spill *, uint64_t size);
/* A new array of zeroes, to be looked up here and there. */
bool lp_pages_table(struct lp_pages *, struct lp_spill *, uint64_t size);
/* After fork(): a file that the other process has as well is replaced by an own one.  False if the disk is full. */
bool lp_pages_own(struct lp_pages *, struct lp_spill *);
/* About to be used in ascending order: most of its pages, or only few of them. */
void lp_pages_expect(const struct lp_pages *, bool most);
void lp_pages_close(struct lp_pages *, struct lp_spill *);

#endif
