/* errors.h -- what can be wrong with the program under test: the kinds of errors.def. */
#ifndef LP_BASE_ERRORS_H
#define LP_BASE_ERRORS_H

#include <stdbool.h>

enum lp_error_kind {
	LP_ERROR_NONE,
#define LP_ERROR(NAME, text, meaning) LP_ERROR_##NAME,
#include "base/errors.def"
#undef LP_ERROR
};

/* All values of lp_error_kind are less than LP_ERROR_KINDS. */
enum {
#define LP_ERROR(NAME, text, meaning) +1
	LP_ERROR_KINDS = 1
#include "base/errors.def"
#undef LP_ERROR
};

/* The names that users and scripts see, such as "use after free"; NULL for
 * LP_ERROR_NONE. */
extern const char *const lp_error_names[];

static inline const char *lp_error_name(enum lp_error_kind kind)
{
	return lp_error_names[kind];
}

/* Is the kind a limit of linchpin, rather than an error of the program?  If so, there is no verdict. */
static inline bool lp_error_is_limit(enum lp_error_kind kind)
{
	return kind >= LP_ERROR_UNSUPPORTED;
}

#endif
