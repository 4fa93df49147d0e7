/* known.c -- what is known of library functions: those that the runtime provides, those that need no
 * model, those that tell threads apart.
 *
 * Those that need none compute on their arguments, or on memory that the program is told to
 * hand over exclusively (a FILE, a buffer on the stack), or are part of the C++
 * run-time's machinery.  A function that reads or writes memory which threads commonly share
 * is not here.
 */
#include "frontend/known.h"

#include <stdlib.h>
#include <string.h>

/* Sorted. */
static const char *const exact[] = {
	"_GLOBAL_OFFSET_TABLE_", "_Unwind_Resume", "_ZSt18uncaught_exceptionv",
	"_ZSt19uncaught_exceptionsv", "__assert_perror_fail", "__ctype_b_loc", "__ctype_get_mb_cur_max",
	"__ctype_tolower_loc", "__ctype_toupper_loc", "__cxa_allocate_exception", "__cxa_begin_catch",
	"__cxa_end_catch", "__cxa_finalize", "__cxa_free_exception", "__cxa_get_exception_ptr",
	"__cxa_pure_virtual", "__cxa_rethrow", "__cxa_throw", "__dso_handle",
	"__errno_location", "__fpclassify", "__gmon_start__", "__gxx_personality_v0", "__isinf",
	"__isnan", "__libc_single_threaded", "__signbit", "__sigsetjmp", "__stack_chk_fail",
	"__tls_get_addr", "_longjmp", "_setjmp", "abs", "acos", "asin", "atan", "atan2", "atof", "atoi",
	"atol", "atoll", "bsearch", "cbrt", "ceil", "ceilf", "copysign", "cos", "cosh", "difftime", "div",
	"erf", "exp", "exp2", "expm1", "fabs", "fabsf", "fdim", "fflush", "ffs", "ffsl", "ffsll", "floor",
	"floorf", "fma", "fmax", "fmin", "fmod", "frexp", "hypot", "ilogb", "isalnum", "isalpha",
	"isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper",
	"isxdigit", "labs", "ldexp", "ldiv", "lgamma", "llabs", "lldiv", "llrint", "llround", "log",
	"log10", "log1p", "log2", "logb", "longjmp", "lrint", "lround", "modf", "nan", "nearbyint", "pow",
	"powf", "qsort", "remainder", "rint", "round", "setjmp", "setlocale", "siglongjmp", "sin", "sinf",
	"sinh", "sqrt", "sqrtf", "stderr", "stdin", "stdout", "strerror", "strtod", "strtof", "strtol",
	"strtoll", "strtoul", "strtoull", "tan", "tanh", "tgamma", "tolower", "toupper", "trunc",
};

static const char *const prefixes[] = {
	"__start_", "__stop_", /* the linker's: where a section begins and ends */
	"_ZTV", "_ZTI", "_ZTS", /* virtual tables and type information */
	"_ZSt9terminate", "_ZSt4cout", "_ZSt4cerr",
	"_ZNSt8ios_base4Init", "_ZNSolsE", "_ZNSo", "_ZStlsI", "_ZSt16__ostream_insert",
	"_ZSt4endlI", "_ZSt5flushI", "_ZSt15__once_callable", "_ZSt11__once_call",
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool lp_is_harmless(const char *name)
{
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return bsearch(&name, exact, sizeof exact / sizeof *exact, sizeof *exact, by_name);
}

bool lp_asks_who(const char *name)
{
	static const char *const names[] = {
		"pthread_self", "thrd_current", "gettid", "__tls_get_addr", "pthread_getspecific",
		"tss_get", "_ZNSt11this_thread6get_idEv", "syscall", "pthread_mutexattr_settype", NULL
	};

	for (const char *const *n = names; *n; n++)
		if (!strcmp(name, *n))
			return true;
	return false;
}

bool lp_is_modelled(const char *name)
{
	static const char *const names[] = {
#define LP_SHIM(shim) #shim,
#include "frontend/hooks.def"
#include "frontend/shims.def"
#undef LP_SHIM
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}
