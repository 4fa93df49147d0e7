/* liveness_image.c -- functions, imports and code of a shared object.
 *
 * Function boundaries come from the symbol tables, exception handlers from the
 * unwind tables: compilers use an augmentation with an 'L' only for functions
 * that have a language-specific data area, that is, landing pads.
 */
#include "load/liveness_image.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_start(const void *a, const void *b)
{
	const struct lp_image_function *f = a, *g = b;

	if (f->start != g->start)
		return f->start < g->start ? -1 : 1;
	return f->end < g->end ? 1 : f->end > g->end ? -1 : 0; /* a size beats none */
}

static int by_address(const void *a, const void *b)
{
	const struct lp_image_slot *s = a, *t = b;

	return s->at < t->at ? -1 : s->at > t->at;
}

const struct lp_image_function *lp_image_within(const struct lp_image *image, uint64_t address)
{
	uint32_t low = 0, high = image->functions.count;

	while (low < high) { /* the last one that begins at or before the address */
		const uint32_t middle = (low + high) / 2;
		if (image->functions.at[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address >= image->functions.at[low - 1].end)
		return NULL;
	return &image->functions.at[low - 1];
}

const struct lp_image_function *lp_image_begins(const struct lp_image *image, uint64_t address)
{
	const struct lp_image_function *f = lp_image_within(image, address);

	return f && f->start == address ? f : NULL;
}

const struct lp_image_slot *lp_image_slot(const struct lp_image *image, uint64_t address)
{
	const struct lp_image_slot key = { .at = address };

	if (!image->slots.count)
		return NULL;
	return bsearch(&key, image->slots.at, image->slots.count, sizeof key, by_address);
}

const uint8_t *lp_image_bytes(const struct lp_image *image, uint64_t address, size_t *room)
{
	for (uint32_t i = 0; i < image->code.count; i++) {
		const struct lp_image_code *code = &image->code.at[i];
		if (address - code->start < code->size) {
			*room = code->size - (address - code->start);
			return code->bytes + (address - code->start);
		}
	}
	return NULL;
}

static void read_symbols(struct lp_image *image, Elf *elf, const GElf_Shdr *header, Elf_Data *data)
{
	GElf_Sym symbol;

	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const unsigned type = GELF_ST_TYPE(symbol.st_info);
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF || !name)
			continue;
		LP_PUSH(&image->functions, ((struct lp_image_function){
			.start = symbol.st_value, .end = symbol.st_value + symbol.st_size,
			.name = name, .part = strstr(name, ".cold") != NULL }));
	}
}

static void read_relocations(struct lp_image *image, Elf *elf, const GElf_Shdr *header,
			     Elf_Data *data)
{
	GElf_Shdr symbols_header;
	Elf_Scn *section = elf_getscn(elf, header->sh_link);
	Elf_Data *symbols = section ? elf_getdata(section, NULL) : NULL;
	GElf_Rela rela;
	GElf_Sym symbol;

	if (!symbols || !gelf_getshdr(section, &symbols_header))
		return;
	for (int i = 0; gelf_getrela(data, i, &rela); i++) {
		struct lp_image_slot slot = { .at = rela.r_offset, .target = (uint64_t)rela.r_addend };
		const int index = (int)GELF_R_SYM(rela.r_info);

		if (index && gelf_getsym(symbols, index, &symbol)) {
			slot.name = elf_strptr(elf, symbols_header.sh_link, symbol.st_name);
			slot.defined = symbol.st_shndx != SHN_UNDEF;
			slot.target += symbol.st_value;
		}
		LP_PUSH(&image->slots, slot);
	}
}

static void read_sections(struct lp_image *image, Elf *elf)
{
	GElf_Shdr header;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
		    !(data = elf_getdata(section, NULL)))
			continue;
		if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
			read_symbols(image, elf, &header, data);
		else if (header.sh_type == SHT_RELA)
			read_relocations(image, elf, &header, data);
		else if ((header.sh_flags & SHF_EXECINSTR) && data->d_buf)
			LP_PUSH(&image->code, ((struct lp_image_code){
				header.sh_addr, data->d_size, data->d_buf }));
	}
}

/* One entry an address: the symbol with the largest size, cold only if every name
 * of it says so.  A function without a size ends where the next one begins. */
static void sort_functions(struct lp_image *image)
{
	uint32_t kept = 0;

	if (image->functions.count)
		qsort(image->functions.at, image->functions.count, sizeof *image->functions.at, by_start);
	for (uint32_t i = 0; i < image->functions.count; i++) {
		const struct lp_image_function f = image->functions.at[i];
		if (kept && image->functions.at[kept - 1].start == f.start)
			image->functions.at[kept - 1].part &= f.part;
		else
			image->functions.at[kept++] = f;
	}
	image->functions.count = kept;
	for (uint32_t i = 0; i < kept; i++) {
		struct lp_image_function *f = &image->functions.at[i];
		const uint64_t next = i + 1 < kept ? f[1].start : f->start + 1;
		if (f->end == f->start)
			f->end = next;
	}
}

static void mark_handlers(struct lp_image *image, uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < image->functions.count; i++) {
		struct lp_image_function *f = &image->functions.at[i];
		if (f->start < end && start < f->end)
			f->handlers = true;
	}
}

/* Marks the functions whose unwind entry has an 'L' augmentation; all of them if
 * the table cannot be read to its end. */
static void read_handlers(struct lp_image *image, Elf *elf)
{
	size_t names;
	GElf_Shdr header;
	Elf_Data *frames = NULL;
	bool any = false;
	uint64_t base = 0;

	if (elf_getshdrstrndx(elf, &names))
		return;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		const char *name;
		if (!gelf_getshdr(section, &header) || !(name = elf_strptr(elf, names, header.sh_name)))
			continue;
		any |= !strncmp(name, ".gcc_except_table", 17);
		if (!strcmp(name, ".eh_frame")) {
			frames = elf_getdata(section, NULL);
			base = header.sh_addr;
		}
	}
	if (!any)
		return;
	/* Pointers in the table are relative to where they stand (DW_EH_PE_pcrel); the
	 * one we need is the function's start, four bytes, signed. */
	const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
	Dwarf_Off offset = 0, next;
	Dwarf_CFI_Entry entry;
	int status = frames ? 0 : -1;

	while (frames && !(status = dwarf_next_cfi(ident, frames, true, offset, &next, &entry))) {
		if (!dwarf_cfi_cie_p(&entry)) {
			Dwarf_CFI_Entry cie;
			Dwarf_Off after;
			int32_t start, size;

			if (dwarf_next_cfi(ident, frames, true, entry.fde.CIE_pointer, &after, &cie) ||
			    !dwarf_cfi_cie_p(&cie) ||
			    entry.fde.end - entry.fde.start < 8) {
				status = -1;
				break;
			}
			memcpy(&start, entry.fde.start, 4);
			memcpy(&size, entry.fde.start + 4, 4);
			const uint64_t at = base + (uint64_t)(entry.fde.start - (const uint8_t *)frames->d_buf);
			const uint64_t from = at + (uint64_t)(int64_t)start;
			if (strchr(cie.cie.augmentation, 'L'))
				mark_handlers(image, from, from + (uint32_t)size);
		}
		offset = next;
	}
	if (status < 0)
		mark_handlers(image, 0, UINT64_MAX);
}

bool lp_image_open(struct lp_image *image, const char *path, struct lp_error *error)
{
	GElf_Ehdr header;

	*image = (struct lp_image){ .fd = -1 };
	elf_version(EV_CURRENT);
	image->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (image->fd < 0)
		return lp_fail(error, "cannot open '%s'", path);
	Elf *elf = image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header)) {
		lp_image_close(image);
		return lp_fail(error, "cannot read '%s': not an ELF file", path);
	}
	image->x86_64 = header.e_machine == EM_X86_64 && header.e_type == ET_DYN;
	read_sections(image, elf);
	sort_functions(image);
	if (image->slots.count)
		qsort(image->slots.at, image->slots.count, sizeof *image->slots.at, by_address);
	read_handlers(image, elf);
	return true;
}

void lp_image_close(struct lp_image *image)
{
	if (!image->elf && image->fd <= 0)
		return;
	lp_free(image->functions.at);
	lp_free(image->slots.at);
	lp_free(image->code.at);
	if (image->elf)
		elf_end(image->elf);
	close(image->fd);
	*image = (struct lp_image){ .fd = -1 };
}
