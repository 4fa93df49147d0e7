/* load_place.h -- a place in the address space for the object, which is the same in all processes of a job.
 *
 * Without randomisation, where the dynamic linker puts an object depends on what the process has mapped before, and that is not
 * the same on a machine that compiles and on one that does not.  So memory is reserved when the process has just
 * started, and given back just before the object is loaded: the linker then takes it, since there is no other gap that comes first.
 */
#ifndef LP_FRONTEND_LOAD_LOAD_PLACE_H
#define LP_FRONTEND_LOAD_LOAD_PLACE_H

#include <stddef.h>

struct lp_load_place {
	void *at;    /* NULL: none */
	size_t size;
};

/* At the start of the process. */
void lp_load_place_reserve(struct lp_load_place *);
/* Before the object is loaded; does nothing the second time. */
void lp_load_place_release(struct lp_load_place *);

#endif
