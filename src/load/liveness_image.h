/* liveness_image.h -- a shared object as the liveness analysis sees it.
 *
 * Addresses are those of the file (load base 0).  Everything is sorted by address.
 */
#ifndef LP_LOAD_LIVENESS_IMAGE_H
#define LP_LOAD_LIVENESS_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"

struct lp_image_function {
	uint64_t start, end;
	const char *name;
	bool part;     /* a cold part that another function jumps into */
	bool handlers; /* exceptions may be caught, or cleaned up after, in it */
};

/* A word of memory that the dynamic linker fills in: with the address of a symbol
 * (named), or with an address inside the object (name is NULL). */
struct lp_image_slot {
	uint64_t at, target;
	const char *name;
	bool defined; /* by this object; it may still be bound to another's */
};

struct lp_image_code {
	uint64_t start, size;
	const uint8_t *bytes;
};

struct lp_image {
	int fd;
	void *elf;  /* of libelf */
	bool x86_64;
	struct { LP_VEC(struct lp_image_function); } functions;
	struct { LP_VEC(struct lp_image_slot); } slots;
	struct { LP_VEC(struct lp_image_code); } code;
};

bool lp_image_open(struct lp_image *, const char *path, struct lp_error *);
void lp_image_close(struct lp_image *); /* a zeroed one is fine */

/* The bytes at an executable address and how many there are; NULL if none. */
const uint8_t *lp_image_bytes(const struct lp_image *, uint64_t address, size_t *room);

/* The function that begins at (or: contains) the address, or NULL. */
const struct lp_image_function *lp_image_begins(const struct lp_image *, uint64_t address);
const struct lp_image_function *lp_image_within(const struct lp_image *, uint64_t address);

const struct lp_image_slot *lp_image_slot(const struct lp_image *, uint64_t address);

#endif
