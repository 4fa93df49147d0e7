/* object.c -- loads the object, and reads its program headers. */
#define _GNU_SOURCE
#include "frontend/load/object.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frontend/elf_file.h"
#include "frontend/load/user_line.h"

/* The executable part of the address space, and what can change. */
static void note_segment(struct lp_object *object, const struct dl_phdr_info *info,
			 const ElfW(Phdr) *segment)
{
	const struct lp_object_range range = { info->dlpi_addr + segment->p_vaddr,
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
static void cut_relro(struct lp_object *object, struct lp_object_range relro)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	relro.start &= ~(page - 1);
	relro.end &= ~(page - 1);
	for (unsigned i = 0; i < object->data_count; i++) {
		struct lp_object_range *range = &object->data[i];
		if (range->start >= relro.start && range->start < relro.end)
			range->start = relro.end < range->end ? relro.end : range->end;
	}
}

static int find_segments(struct dl_phdr_info *info, size_t size, void *closure)
{
	struct lp_object *object = closure;
	struct lp_object_range relro = { 0, 0 };

	(void)size;
	if (info->dlpi_addr != object->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD)
			note_segment(object, info, segment);
		if (segment->p_type == PT_GNU_RELRO)
			relro = (struct lp_object_range){ start, start + segment->p_memsz };
	}
	cut_relro(object, relro);
	return 1;
}

/* What is neither saved nor restored with an execution. */
static void cut(struct lp_object *object, const void *start, size_t size)
{
	const unsigned count = object->data_count;
	const struct lp_object_range hole = { (uintptr_t)start, (uintptr_t)start + size };

	for (unsigned i = 0; i < count; i++) {
		struct lp_object_range *range = &object->data[i];
		const struct lp_object_range rest = { hole.end, range->end };
		if (hole.start < range->start || hole.start >= range->end)
			continue;
		range->end = hole.start;
		if (rest.start < rest.end && object->data_count < LP_OBJECT_RANGES)
			object->data[object->data_count++] = rest;
	}
}

struct wanted {
	struct lp_object *object;
	uintptr_t module;
};

static bool find_wanted(void *closure, const struct lp_elf_symbol *symbol)
{
	struct wanted *w = closure;

	if (symbol->defined && symbol->function && !strcmp(symbol->name, "main"))
		w->object->main = w->object->base + symbol->value;
	if (symbol->defined && symbol->object && !strcmp(symbol->name, "lp_module"))
		w->module = w->object->base + symbol->value;
	return !w->object->main || !w->module;
}

static bool find_module(struct lp_object *object, struct lp_error *error)
{
	struct wanted w = { .object = object };

	if (!lp_elf_symbols(object->fd, find_wanted, &w, error))
		return false;
	const struct lp_module *module = (const void *)w.module;
	if (!module)
		return lp_fail(error, "cannot load the program: it was not made by linchpin's front end");
	if (module->version != LP_ABI_VERSION)
		return lp_fail(error, "cannot load the program: it was made for version %u of the runtime's "
			       "interface, not %u", module->version, LP_ABI_VERSION);
	object->module = module;
	cut(object, module->current, sizeof *module->current);
	cut(object, module->sites, module->site_count * sizeof *module->sites);
	return true;
}

/* The usual reason is an undefined symbol.  The message leaves out the name of our temporary file. */
static bool refuse(const char *why, struct lp_error *error)
{
	static const char missing[] = "undefined symbol: ";
	const char *symbol = strstr(why, missing);
	char name[256];

	if (!symbol)
		return lp_fail(error, "cannot load the program: %s", why);
	lp_user_plain_name(symbol + strlen(missing), name, sizeof name);
	lp_fail(error, "cannot load the program: '%s' is not defined", name);
	snprintf(error->hint, sizeof error->hint, "other sources go after `--`, and so do libraries: "
		 "linchpin COMMAND FILE.c -- OTHER.c -lNAME");
	return false;
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
		return refuse(dlerror(), error);
	if (dlinfo(object->handle, RTLD_DI_LINKMAP, &map))
		return lp_fail(error, "cannot load the program: %s", dlerror());
	object->base = map->l_addr;
	dl_iterate_phdr(find_segments, object);
	return find_module(object, error);
}
