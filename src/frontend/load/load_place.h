/* load_place.h -- reserves a place in the address space, so that all processes of a job load the object at the same address.
 *
 * Even without address space randomisation, the dynamic linker chooses the address of an object depending on what the process has
 * mapped before.  This differs between a machine that compiles and one that does not.  So a process reserves memory right after its
 * start, and gives it back just before it loads the object.  The linker then uses this memory, because it is the first gap that is
 * large enough.
 */
#ifndef LP_FRONTEND_LOAD_LOAD_PLACE_H
#define LP_FRONTEND_LOAD_LOAD_PLACE_H

#include <stddef.h>

struct lp_load_place {
	void *at;    /* NULL: none */
	size_t size;
};

/* To be called at the start of the process. */
void lp_load_place_reserve(struct lp_load_place *);
/* To be called before the object is loaded.  Does nothing the second time. */
void lp_load_place_release(struct lp_load_place *);

#endif
