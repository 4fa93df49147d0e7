/* system_file.c -- files that are not the user's. */
#include "frontend/system_file.h"

#include <stddef.h>
#include <string.h>

/* A header that comes with linchpin: linchpin.h, linchpin.hpp, or one in the folder beside them. */
static bool is_of_linchpin(const char *path)
{
	static const char *const names[] = { "/linchpin.h", "/linchpin.hpp", "/linchpin/builtins.h", "/linchpin/spec.h",
					     "/linchpin/calls.hpp", "/linchpin/model.hpp", "/linchpin/state.hpp",
					     "/linchpin/values.hpp" };
	const size_t length = strlen(path);

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (length > strlen(names[i]) && !strcmp(path + length - strlen(names[i]), names[i]))
			return true;
	return false;
}

bool lp_is_system_file(const char *path)
{
	static const char *const folders[] = { "/usr/include/", "/usr/lib/", "/usr/lib64/",
					       "/usr/local/include/" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return is_of_linchpin(path) || strstr(path, "/include/c++/") || strstr(path, "/lib/gcc/") || strstr(path, "/lib/clang/");
}
