/* elf_file.h -- reads symbols, sections and relocations of object files and shared
 * objects. */
#ifndef LP_FRONTEND_ELF_FILE_H
#define LP_FRONTEND_ELF_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct lp_elf_symbol {
	const char *name;
	uint64_t value, size;
	bool defined, global, function, object, thread_local_;
};

/* Calls visit() for every named symbol of the file's symbol table, in order,
 * until it returns false.  Names are valid during the call only. */
bool lp_elf_symbols(int fd, bool (*visit)(void *closure, const struct lp_elf_symbol *),
		    void *closure, struct lp_error *);

struct lp_elf_section {
	const char *name;
	uint64_t address, size;
};

/* Calls visit() for every section of the file, in order, until it returns false.  Names are valid during the call only. */
bool lp_elf_sections(int fd, bool (*visit)(void *closure, const struct lp_elf_section *),
		     void *closure, struct lp_error *);

/* Does a relocation of the file address thread-local storage relative to the thread pointer?  (Such storage is not separate for
 * each thread of the program, because these threads are coroutines, which share the pointer.) */
bool lp_elf_has_static_tls(int fd);

#endif
