/* clang.h -- clang's front end, as a part of linchpin-fe.
 *
 * The executable clang loads libclang-cpp.so and libLLVM.so, which takes longer than a small program's
 * translation.  Where clang's archives are installed, linchpin-fe is therefore linked with them
 * (llvm.cmake), and translates sources itself.
 *
 * The words are those of a command for the executable: clang-19 FLAGS -c -emit-llvm -o FILE SOURCE.  The result
 * and the messages, which go to standard error, are the same as the executable's.  Flags that concern
 * LLVM as a whole, or load plugins, are not for this: -mllvm would affect linchpin-fe's own passes, too.
 */
#ifndef LP_FRONTEND_IR_CLANG_H
#define LP_FRONTEND_IR_CLANG_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bitcode in memory; NULL if clang has reported an error.  It is not a module, although clang makes one: that one is
 * in a context in which names of values are dropped, and which knows the names that clang has used.  Names that
 * we give would be others than with bitcode from elsewhere. */
LLVMMemoryBufferRef lp_clang_translate(char **words, int count);

/* Writes bitcode to FILE, as the executable does; false if clang has reported an error. */
bool lp_clang_write(char **words, int count);

/* Writes to `file` what the source declares, outside of the system's headers, as functions and public methods: a line each, of
 * fields between tabs.  The file and line, the class ("-": none) and the name; then the result and, each with its name before
 * it ("-": none), the parameters, as types.  A type is its text, its sort (v: nothing, b: truth, i: integer, p: pointer or
 * reference, f: function, o: another), the text and sort of what it points to, and "const", "&", "const&" or "-". */
bool lp_clang_declarations(const char *file, char **words, int count);

#ifdef __cplusplus
}
#endif

#endif
