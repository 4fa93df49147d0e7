/* load_place.h -- reserves a place in the address space, so that all processes of a job load the object at the same address.
 *
 * Even without address space randomisation, the address that the dynamic linker chooses for an object depends on what the process has
 * mapped before.  This differs between a machine that compiles and one that does not.  So each process reserves a part of its
 * address space right after its start, and gives it back just before it loads the object.  The linker then puts the object there,
 * because it is the first gap that is large enough.
 */
#ifndef LP_FRONTEND_LOAD_LOAD_PLACE_H
#define LP_FRONTEND_LOAD_LOAD_PLACE_H

#include <stddef.h>

struct lp_load_place {
	void *at;    /* NULL: nothing is reserved */
	size_t size;
};

/* To be called at the start of the process. */
void lp_load_place_reserve(struct lp_load_place *);
/* To be called before the object is loaded.  Further calls do nothing. */
void lp_load_place_release(struct lp_load_place *);

#endif
