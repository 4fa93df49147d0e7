/* library_functions.c -- properties of library functions: which ones the runtime provides, which ones need no
 * model, and which ones tell threads apart.
 *
 * The functions that need no model only compute on their arguments, or are part of the implementation of C++ exceptions.  A
 * function that accesses memory at an address given by the program always needs a model.
 */
#include "frontend/library_functions.h"

#include <stdlib.h>
#include <string.h>

/* Sorted. */
static const char *const exact[] = {
	"_Unwind_Resume", "_ZNKSt4hashIdEclEd", "_ZNKSt4hashIeEclEe", "_ZNKSt4hashIfEclEf",
	"_ZNKSt5ctypeIcE13_M_widen_initEv", "_ZNKSt5ctypeIcE14_M_narrow_initEv",
	"_ZSt18uncaught_exceptionv", "_ZSt19uncaught_exceptionsv", "__ctype_b_loc", "__ctype_get_mb_cur_max",
	"__ctype_tolower_loc", "__ctype_toupper_loc", "__cxa_allocate_exception", "__cxa_begin_catch",
	"__cxa_end_catch", "__cxa_free_exception", "__cxa_get_exception_ptr", "__cxa_rethrow", "__cxa_throw",
	"__gcc_personality_v0", "__gxx_personality_v0", "__sigsetjmp", "__stack_chk_fail", "__tls_get_addr",
	"_longjmp", "_setjmp", "abs", "difftime", "div", "ffs", "ffsl", "ffsll", "isalnum", "isalpha", "isblank",
	"iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "labs", "ldiv", "llabs", "lldiv",
	"longjmp", "setjmp", "siglongjmp", "strerror", "tolower", "toupper",
};

/* <math.h> and <complex.h>: of double, and with an f or l behind, of float and long double.  Sorted. */
static const char *const mathematics[] = {
	"__finite", "__fpclassify", "__isinf", "__isnan", "__signbit", "acos", "acosh", "asin", "asinh", "atan",
	"atan2", "atanh", "cabs", "cacos", "cacosh", "carg", "casin", "casinh", "catan", "catanh", "cbrt", "ccos",
	"ccosh", "ceil", "cexp", "cimag", "clog", "conj", "copysign", "cos", "cosh", "cpow", "cproj", "creal",
	"csin", "csinh", "csqrt", "ctan", "ctanh", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim",
	"floor", "fma", "fmax", "fmin", "fmod", "hypot", "ilogb", "ldexp", "llrint", "llround", "log", "log10",
	"log1p", "log2", "logb", "lrint", "lround", "nearbyint", "nextafter", "nexttoward", "pow", "remainder",
	"rint", "round", "roundeven", "scalbln", "scalbn", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc",
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

#define IS_IN(name, table) \
	(bsearch(&(name), table, sizeof(table) / sizeof *(table), sizeof *(table), by_name) != NULL)

bool lp_library_is_harmless(const char *name)
{
	char copy[16];
	const char *base = copy;
	const size_t length = strlen(name);

	if (IS_IN(name, exact) || IS_IN(name, mathematics))
		return true;
	if (length < 2 || length >= sizeof copy || (name[length - 1] != 'f' && name[length - 1] != 'l'))
		return false;
	memcpy(copy, name, length - 1);
	copy[length - 1] = '\0';
	return IS_IN(base, mathematics);
}

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(name, *names))
		names++;
	return *names;
}

bool lp_library_numbers_threads(const char *name)
{
	static const char *const names[] = {
		"lp_thread", "pthread_self", "thrd_current", "gettid", "_ZNSt11this_thread6get_idEv", "syscall", NULL
	};

	return is_among(name, names);
}

bool lp_library_asks_who(const char *name)
{
	static const char *const names[] = {
		"__tls_get_addr", "pthread_getspecific", "tss_get", "pthread_mutexattr_settype", NULL
	};

	return lp_library_numbers_threads(name) || is_among(name, names);
}

bool lp_library_is_modelled(const char *name)
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
