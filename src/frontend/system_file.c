/* system_file.c -- files that are not the user's. */
#include "frontend/system_file.h"

#include <stddef.h>
#include <string.h>

bool lp_is_system_file(const char *path)
{
	static const char *const folders[] = { "/usr/include/", "/usr/lib/", "/usr/lib64/",
					       "/usr/local/include/" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!strncmp(path, folders[i], strlen(folders[i])))
			return true;
	return strstr(path, "/include/c++/") || strstr(path, "/lib/gcc/") || strstr(path, "/lib/clang/");
}
