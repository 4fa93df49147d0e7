/* clang.h -- clang's front end, as a part of linchpin-fe.
 *
 * The executable clang loads libclang-cpp.so and libLLVM.so, which takes longer than a small program's
 * translation.  Where clang's archives are installed, linchpin-fe is therefore linked with them
 * (llvm.cmake), and translates sources itself.
 *
 * The functions get the words of a command for the executable: clang-19 FLAGS -c -emit-llvm -o FILE SOURCE.  The result
 * and the messages, which go to standard error, are the same as those of the executable.  The flags must not include any that concern
 * LLVM as a whole, or that load plugins: for example, -mllvm would also affect linchpin-fe's own passes.
 */
#ifndef LP_FRONTEND_IR_CLANG_H
#define LP_FRONTEND_IR_CLANG_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns bitcode in memory; NULL if clang has reported an error.  The function does not return clang's module itself.  The context
 * of that module drops the names of values, and it already contains the names that clang has used, so names that are added later would
 * differ from those in a module that was read from bitcode. */
LLVMMemoryBufferRef lp_clang_translate(char **words, int count);

/* Writes bitcode to FILE, as the executable does; false if clang has reported an error. */
bool lp_clang_write(char **words, int count);

/* Writes the functions and public methods that the source declares, outside of the system's headers, to `file`.  Each is a
 * line of fields that are separated by tabs: file, line, class ("-": none), name, type of the result, and for each parameter
 * its name ("-": none) and type.  A type has five fields: its text; its sort (v: void, b: bool, i: integer, p: pointer or
 * reference, f: function, o: other); the text and the sort of the type that it points to; and "const", "&",
 * "const&" or "-". */
bool lp_clang_declarations(const char *file, char **words, int count);

#ifdef __cplusplus
}
#endif

#endif
