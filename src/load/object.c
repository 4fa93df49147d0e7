/* object.c -- dlopen() and what the program headers say. */
#define _GNU_SOURCE
#include "load/object.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "load/elf_file.h"
#include "load/marks.h"

/* The executable part of the address space, and what can change. */
static void note_segment(struct lp_object *object, const struct dl_phdr_info *info,
			 const ElfW(Phdr) *segment)
{
	const struct lp_range range = { info->dlpi_addr + segment->p_vaddr,
					info->dlpi_addr + segment->p_vaddr + segment->p_memsz };

	if (!object->image.end || range.start < object->image.start)
		object->image.start = range.start;
	if (range.end > object->image.end)
		object->image.end = range.end;
	if (segment->p_flags & PF_X && object->text_count < LP_OBJECT_RANGES)
		object->text[object->text_count++] = range;
	else if (segment->p_flags & PF_W && object->data_count < LP_OBJECT_RANGES)
		object->data[object->data_count++] = range;
}

/* RELRO is read-only from now on; it is rounded outwards to whole pages below
 * and inwards above, as the dynamic linker does. */
static void cut_relro(struct lp_object *object, struct lp_range relro)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	relro.start &= ~(page - 1);
	relro.end &= ~(page - 1);
	for (unsigned i = 0; i < object->data_count; i++) {
		struct lp_range *range = &object->data[i];
		if (range->start >= relro.start && range->start < relro.end)
			range->start = relro.end < range->end ? relro.end : range->end;
	}
}

static int find_segments(struct dl_phdr_info *info, size_t size, void *closure)
{
	struct lp_object *object = closure;
	struct lp_range relro = { 0, 0 };

	(void)size;
	if (info->dlpi_addr != object->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD)
			note_segment(object, info, segment);
		if (segment->p_type == PT_GNU_RELRO)
			relro = (struct lp_range){ start, start + segment->p_memsz };
		if (segment->p_type == PT_TLS) {
			object->tls_image = (const void *)start;
			object->tls_file_size = segment->p_filesz;
			object->tls_size = segment->p_memsz;
			object->tls_align = segment->p_align;
			object->tls_module = info->dlpi_tls_modid;
		}
	}
	cut_relro(object, relro);
	return 1;
}

struct constructor_section {
	unsigned priority;
	uint64_t address, size;
};

struct found {
	struct lp_object *object;
	struct {
		LP_VEC(struct constructor_section);
	} constructors;
};

/* lp_ctors has the default priority, which is the last. */
static bool find_constructors(void *closure, const struct lp_elf_section *section)
{
	struct found *found = closure;

	if (!strncmp(section->name, "lp_ctors", 8)) {
		const char *dot = strchr(section->name, '.');
		const struct constructor_section c = {
			dot ? (unsigned)strtoul(dot + 1, NULL, 10) : 65536,
			section->address, section->size
		};
		LP_PUSH(&found->constructors, c);
	}
	return true;
}

static bool find_marks(void *closure, const struct lp_elf_section *section)
{
	struct lp_object *object = closure;

	if (strcmp(section->name, LP_MARKS_SECTION))
		return true;
	object->marks.start = object->base + section->address;
	object->marks.end = object->marks.start + section->size;
	return false;
}

/* Marks are neither saved nor restored with an execution. */
static void cut_marks(struct lp_object *object)
{
	const unsigned count = object->data_count;

	for (unsigned i = 0; i < count; i++) {
		struct lp_range *range = &object->data[i];
		const struct lp_range rest = { object->marks.end, range->end };
		if (object->marks.start < range->start || object->marks.start >= range->end)
			continue;
		range->end = object->marks.start;
		if (rest.start < rest.end && object->data_count < LP_OBJECT_RANGES)
			object->data[object->data_count++] = rest;
	}
}

/* Puts memory that forked processes share in the place of the marks. */
static bool share_marks(struct lp_object *object, struct lp_error *error)
{
	const size_t size = object->marks.end - object->marks.start;

	if (!size)
		return true;
	uint8_t *copy = lp_alloc(size);
	memcpy(copy, (const void *)object->marks.start, size);
	const bool shared = mmap((void *)object->marks.start, size, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
	if (shared)
		memcpy((void *)object->marks.start, copy, size);
	lp_free(copy);
	cut_marks(object);
	return shared || lp_fail(error, "cannot get memory to share: %s", strerror(errno));
}

static int by_priority(const void *a, const void *b)
{
	const struct constructor_section *x = a, *y = b;

	return (x->priority > y->priority) - (x->priority < y->priority);
}

static bool find_main(void *closure, const struct lp_elf_symbol *symbol)
{
	struct lp_object *object = closure;

	if (!symbol->defined || !symbol->function || strcmp(symbol->name, "main"))
		return true;
	object->main = object->base + symbol->value;
	return false;
}

static bool read_file(struct lp_object *object, struct lp_error *error)
{
	struct found found = { .object = object };

	if (!lp_elf_symbols(object->fd, find_main, object, error) ||
	    !lp_elf_sections(object->fd, find_marks, object, error) || !share_marks(object, error) ||
	    !lp_elf_sections(object->fd, find_constructors, &found, error))
		return false;
	if (found.constructors.count)
		qsort(found.constructors.at, found.constructors.count,
		      sizeof *found.constructors.at, by_priority);
	for (uint32_t i = 0; i < found.constructors.count; i++) {
		const struct constructor_section *c = &found.constructors.at[i];
		lp_constructor **function = (lp_constructor **)(object->base + c->address);
		for (uint64_t n = 0; n < c->size / sizeof *function; n++)
			if (function[n])
				LP_PUSH(&object->constructors, function[n]);
	}
	lp_free(found.constructors.at);
	return true;
}

bool lp_object_open(struct lp_object *object, const char *path, struct lp_error *error)
{
	struct link_map *map;

	*object = (struct lp_object){ .fd = -1 };
	object->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (object->fd < 0)
		return lp_fail(error, "cannot read '%s': %s", path, strerror(errno));
	object->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object->handle)
		return lp_fail(error, "cannot load the program: %s", dlerror());
	if (dlinfo(object->handle, RTLD_DI_LINKMAP, &map))
		return lp_fail(error, "cannot load the program: %s", dlerror());
	object->base = map->l_addr;
	dl_iterate_phdr(find_segments, object);
	return read_file(object, error);
}

bool lp_object_has_code(const struct lp_object *object, uintptr_t address)
{
	for (unsigned i = 0; i < object->text_count; i++)
		if (address >= object->text[i].start && address < object->text[i].end)
			return true;
	return false;
}
