/* places.h -- finds the programs and headers that a compilation needs. */
#ifndef LP_FRONTEND_COMPILE_PLACES_H
#define LP_FRONTEND_COMPILE_PLACES_H

struct lp_compile_request;

/* The compiler for C.  linchpin-fe reads bitcode, which only clang produces.  If the request names GCC, it is not
 * used, and a message says so once. */
const char *lp_place_clang(const struct lp_compile_request *);

/* If clang is part of linchpin-fe (ir/clang.h): the path of the executable that it replaces.  NULL if it is not, or
 * if the request names a compiler. */
const char *lp_place_own_clang(const struct lp_compile_request *);

/* The C++ compiler that belongs to a C compiler: clang++-19 for clang-19. */
void lp_place_cplusplus(const char *compiler, char out[static 512]);

/* The folder of linchpin.h: beside the build tree, or in the installed prefix; "" if there is none. */
void lp_place_include(const struct lp_compile_request *, char include[static 512]);

/* linchpin-fe: beside the executable in a build tree, or where it is installed.  (Tests are elsewhere in the build tree.) */
void lp_place_instrumenter(char path[static 512]);

#endif
