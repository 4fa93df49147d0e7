/* places.c -- finds the programs and headers that a compilation needs. */
#define _GNU_SOURCE
#include "frontend/compile/places.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frontend/compile/compile.h"

#ifndef LP_CLANG
#define LP_CLANG "clang-19"
#endif
#ifndef LP_INSTRUMENTER /* where it is if it is not beside us */
#define LP_INSTRUMENTER "linchpin-fe"
#endif

void lp_place_cplusplus(const char *compiler, char out[static 512])
{
	const char *slash = strrchr(compiler, '/');
	const char *name = slash ? slash + 1 : compiler;
	const char *at = strstr(name, "clang");

	if (at && !strstr(name, "++"))
		snprintf(out, 512, "%.*sclang++%s", (int)(at - compiler), compiler, at + strlen("clang"));
	else
		snprintf(out, 512, "%s", compiler);
}

void lp_place_include(const struct lp_compile_request *request, char include[static 512])
{
	static const char *const places[] = { "../include", "../../include", "../../../include",
					      "../../../../include" };
	char self[384];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	include[0] = '\0';
	if (request->include) {
		snprintf(include, 512, "%s", request->include);
		return;
	}
	if (length > 0) {
		self[length] = '\0';
		*strrchr(self, '/') = '\0';
		for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
			char header[560];
			snprintf(include, 512, "%s/%s", self, places[i]);
			snprintf(header, sizeof header, "%s/linchpin.h", include);
			if (!access(header, R_OK))
				return;
		}
	}
#ifdef LP_INCLUDE_DIR
	snprintf(include, 512, "%s", LP_INCLUDE_DIR);
#else
	include[0] = '\0';
#endif
}

static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Is a compiler named, other than GCC? */
static bool is_named(const struct lp_compile_request *request)
{
	const char *name = request->compiler ? name_of(request->compiler) : NULL;

	return name && (strstr(name, "clang") ||
			(!strstr(name, "gcc") && !strstr(name, "g++") && strcmp(name, "cc") && strcmp(name, "c++")));
}

const char *lp_place_clang(const struct lp_compile_request *request)
{
	static bool told;

	if (is_named(request))
		return request->compiler;
	if (request->compiler && !told) {
		fprintf(stderr, "note: '%s' is not used: linchpin compiles with %s\n", name_of(request->compiler), LP_CLANG);
		told = true;
	}
	return LP_CLANG;
}

const char *lp_place_own_clang(const struct lp_compile_request *request)
{
#ifdef LP_CLANG_PATH
	return is_named(request) ? NULL : LP_CLANG_PATH;
#else
	(void)request;
	return NULL;
#endif
}

void lp_place_instrumenter(char path[static 512])
{
	static const char *const places[] = { "linchpin-fe", "../libexec/linchpin/linchpin-fe" };
	char self[384];
	const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	snprintf(path, 512, "linchpin-fe");
	if (length <= 0)
		return;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, 512, "%s/%s", self, places[i]);
		if (!access(path, X_OK))
			return;
	}
	snprintf(path, 512, "%s", LP_INSTRUMENTER);
}
