/* places.h -- finds the programs and headers that a compilation needs. */
#ifndef LP_FRONTEND_COMPILE_PLACES_H
#define LP_FRONTEND_COMPILE_PLACES_H

struct lp_compile_request;

/* Returns the C compiler to use: the one that the request names, or clang by default.  linchpin-fe reads LLVM bitcode, which
 * GCC does not produce.  So if the request names GCC, the default is used instead, and a note says so the first time. */
const char *lp_place_clang(const struct lp_compile_request *);

/* If clang is built into linchpin-fe (ir/clang.h) and can be used for the request, returns the path of the clang executable that it
 * replaces.  Returns NULL if clang is not built in, or if the request names a compiler other than GCC. */
const char *lp_place_own_clang(const struct lp_compile_request *);

/* Stores the name of the C++ compiler that belongs to a C compiler: for example, clang++-19 for clang-19. */
void lp_place_cplusplus(const char *compiler, char out[static 512]);

/* Stores the path of the folder that contains linchpin.h: the one that the request names; otherwise an include folder next to
 * or above the folder of the running executable; otherwise the one fixed when linchpin was built.  Stores "" if there is
 * none. */
void lp_place_include(const struct lp_compile_request *, char include[static 512]);

/* Stores the path of linchpin-fe: in the same folder as the running executable (in a build tree), or in libexec (when
 * installed).  If it is in neither, the path fixed when linchpin was built is used.  Test programs need this, since they
 * are in other folders of the build tree. */
void lp_place_instrumenter(char path[static 512]);

#endif
