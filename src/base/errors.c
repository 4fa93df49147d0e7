/* errors.c -- the names of the kinds of errors. */
#include "base/errors.h"

#include <stddef.h>

const char *const lp_error_names[] = {
	NULL,
#define LP_ERROR(NAME, text, meaning) text,
#include "base/errors.def"
#undef LP_ERROR
};
