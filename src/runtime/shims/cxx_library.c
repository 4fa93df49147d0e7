/* cxx_library.c -- hashing, dynamic_cast and assertions of the C++ library. The compiled code in libstdc++, which
 * has no hooks, does the work; the shims report its accesses.
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "runtime/machine.h"

/* An index out of range, an empty container: with _GLIBCXX_ASSERTIONS. */
LP_API _Noreturn void lp_shim__ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line,
								    const char *function,
								    const char *condition)
{
	(void)file, (void)line;
	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "in %s: %s",
		 function ? function : "the standard library",
		 condition ? condition : "an internal check of the library failed");
}

/* The library's own function; it is loaded if the program refers to it. */
static void *library(const char *name)
{
	void *found = dlsym(rt.loaded.object.handle, name);

	if (!found)
		LP_BUG("libstdc++ has no %s", name);
	return found;
}

/* std::hash of strings: the bytes are read. */
LP_API size_t lp_shim__ZSt11_Hash_bytesPKvmm(const void *bytes, size_t size, size_t seed)
{
	size_t (*hash)(const void *, size_t, size_t) =
		(size_t (*)(const void *, size_t, size_t))library("_ZSt11_Hash_bytesPKvmm");

	if (size)
		rt_read(bytes, size, RT_PC);
	return hash(bytes, size, seed);
}

/* The object's class is found by its first word. */
LP_API void *lp_shim___dynamic_cast(const void *object, const void *from, const void *to, ptrdiff_t hint)
{
	void *(*cast)(const void *, const void *, const void *, ptrdiff_t) =
		(void *(*)(const void *, const void *, const void *, ptrdiff_t))library("__dynamic_cast");

	rt_read(object, sizeof(void *), RT_PC);
	return cast(object, from, to, hint);
}
