/* spill.h -- large arrays that move from memory to files when memory does not suffice.
 *
 * In a search of many states, three arrays can need more memory than the machine has: the table of visited
 * states, the record of how each was reached, and the states that wait.  Together the arrays may use
 * half of the memory.  If they would need more, the array that grows becomes a mapped file.  The file has no name, so it
 * vanishes when the process ends, even if the process is killed.  The system keeps pages of the file in memory as long as
 * there is room, and evicts them when there is none.
 *
 * All space of a file is reserved before the file is mapped (posix_fallocate).  So a full disk is
 * reported as a failure of these functions, and not as a signal at a later access.
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
	uint64_t budget;    /* how many bytes all arrays together may have in memory */
	uint64_t in_memory; /* how many bytes they have in memory */
	uint64_t bytes;     /* the size of all files */
	uint64_t most;      /* the largest value of `bytes` so far */
	char reason[256];   /* why an array could not grow; empty: all arrays could */
};

/* Returns false if no file can be created in the folder.  `memory` is the number of bytes that the search
 * may use. */
bool lp_spill_open(struct lp_spill *, const char *folder, uint64_t memory, struct lp_error *);

/* An array of bytes.  A zeroed struct is an empty array. */
struct lp_pages {
	void *at;
	uint64_t size;
	int file;           /* 1 + the descriptor of the file; 0: the array is in memory */
};

/* Makes the array larger, and keeps its contents.  If `spill` is NULL, the array stays in memory.  Returns false
 * if the disk is full; then the array is unchanged. */
bool lp_pages_grow(struct lp_pages *, struct lp_spill *, uint64_t size);
/* Makes a new array of zeroes, for random access. */
bool lp_pages_table(struct lp_pages *, struct lp_spill *, uint64_t size);
/* To be called after fork(), if both processes would share the array's file: copies the file, so that the array has a file of
 * its own.  Returns false if the disk is full. */
bool lp_pages_own(struct lp_pages *, struct lp_spill *);
/* Tells the system that pages will be accessed in ascending order: with `most` nearly all of them, otherwise only few. */
void lp_pages_expect(const struct lp_pages *, bool most);
void lp_pages_close(struct lp_pages *, struct lp_spill *);

#endif
