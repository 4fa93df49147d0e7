/* places.h -- finds the programs and headers that a compilation needs. */
#ifndef LP_FRONTEND_COMPILE_PLACES_H
#define LP_FRONTEND_COMPILE_PLACES_H

struct lp_compile_request;

/* The compiler for C.  Only clang makes what linchpin-fe reads; GCC by any of its names is known not to:
 * it is not used, and the user is told once. */
const char *lp_place_clang(const struct lp_compile_request *);

/* The same compiler may be part of linchpin-fe (ir/clang.h): where the executable is that it replaces.  NULL if
 * it is not, or if the request names a compiler. */
const char *lp_place_own_clang(const struct lp_compile_request *);

/* clang-19 has clang++-19 as its C++ twin. */
void lp_place_cplusplus(const char *compiler, char out[static 512]);

/* The folder of linchpin.h: beside the build tree, or in the installed prefix; "" if there is none. */
void lp_place_include(const struct lp_compile_request *, char include[static 512]);

/* linchpin-fe: beside us in a build tree, or where it is installed; tests are elsewhere in the build tree. */
void lp_place_instrumenter(char path[static 512]);

#endif
