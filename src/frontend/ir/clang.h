/* clang.h -- clang's front end, as a part of linchpin-fe.
 *
 * The executable clang loads libclang-cpp.so and libLLVM.so, which takes longer than a small program's translation.  So if the
 * machine on which linchpin is built has clang's archives, linchpin-fe is linked with them (llvm.cmake), and translates sources
 * itself.
 *
 * The functions get the words of a command for the executable: clang-19 FLAGS -c -emit-llvm -o FILE SOURCE.  They have the same
 * result as the executable, and print the same messages, to standard error.  No flag may load a plugin or concern LLVM as a whole:
 * for example, -mllvm would also affect linchpin-fe's own passes.
 */
#ifndef LP_FRONTEND_IR_CLANG_H
#define LP_FRONTEND_IR_CLANG_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns bitcode in memory; NULL if clang has reported an error.  Clang's own module would not do.  Its context drops the names of
 * values.  It also contains the names that clang has used, so names that are added later would differ from those in a module that
 * was read from bitcode. */
LLVMMemoryBufferRef lp_clang_translate(char **words, int count);

/* Writes bitcode to FILE, as the executable does.  Returns false if clang has reported an error. */
bool lp_clang_write(char **words, int count);

/* Writes the functions and public methods that the source declares, outside of the system's headers, to `file`.  Each is a
 * line of fields that are separated by tabs: file, line, class ("-": none), name, type of the result, and for each parameter
 * its name ("-": none) and type.  A type has five fields: its text; its sort (v: void, b: bool, i: integer, p: pointer or
 * reference, f: function, o: other); the text of the type that it points to; the sort of that type; and "const", "&", "const&" or
 * "-". */
bool lp_clang_declarations(const char *file, char **words, int count);

#ifdef __cplusplus
}
#endif

#endif
