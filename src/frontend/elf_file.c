/* elf_file.c -- reads symbols, sections and relocations with libelf. */
#include "frontend/elf_file.h"

#include <elf.h>
#include <gelf.h>
#include <string.h>

static Elf *elf_begin_file(int fd, struct lp_error *error)
{
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf)
		lp_fail(error, "cannot read an object file: %s", elf_errmsg(-1));
	return elf;
}

bool lp_elf_symbols(int fd, bool (*visit)(void *, const struct lp_elf_symbol *),
		    void *closure, struct lp_error *error)
{
	Elf *elf = elf_begin_file(fd, error);
	Elf_Scn *section = NULL;
	bool more = true;

	if (!elf)
		return false;
	while (more && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		const int count = (int)(header.sh_size / header.sh_entsize);
		for (int i = 1; data && more && i < count; i++) {
			GElf_Sym symbol;
			gelf_getsym(data, i, &symbol);
			const int type = GELF_ST_TYPE(symbol.st_info);
			const struct lp_elf_symbol out = {
				.name = elf_strptr(elf, header.sh_link, symbol.st_name),
				.value = symbol.st_value,
				.size = symbol.st_size,
				.defined = symbol.st_shndx != SHN_UNDEF,
				.global = GELF_ST_BIND(symbol.st_info) != STB_LOCAL,
				.function = type == STT_FUNC,
				.object = type == STT_OBJECT,
				.thread_local_ = type == STT_TLS,
			};
			if (out.name && *out.name)
				more = visit(closure, &out);
		}
	}
	elf_end(elf);
	return true;
}

bool lp_elf_sections(int fd, bool (*visit)(void *, const struct lp_elf_section *),
		     void *closure, struct lp_error *error)
{
	Elf *elf = elf_begin_file(fd, error);
	Elf_Scn *section = NULL;
	size_t names;
	bool more = true;

	if (!elf)
		return false;
	elf_getshdrstrndx(elf, &names);
	while (more && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header))
			continue;
		const struct lp_elf_section out = {
			.name = elf_strptr(elf, names, header.sh_name),
			.address = header.sh_addr,
			.size = header.sh_size,
		};
		if (out.name)
			more = visit(closure, &out);
	}
	elf_end(elf);
	return true;
}

static bool is_static_tls(int machine, uint64_t type)
{
	if (machine == EM_X86_64)
		return type == R_X86_64_GOTTPOFF || type == R_X86_64_TPOFF32 ||
		       type == R_X86_64_TPOFF64 || type == R_X86_64_GOTPC32_TLSDESC;
	if (machine == EM_AARCH64)
		return (type >= 539 && type <= 573) || (type >= 1028 && type <= 1031);
	return false;
}

bool lp_elf_has_static_tls(int fd)
{
	Elf *elf = elf_begin_file(fd, NULL);
	Elf_Scn *section = NULL;
	GElf_Ehdr file;
	bool found = false;

	if (!elf || !gelf_getehdr(elf, &file))
		return false;
	while (!found && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		const int count = (int)(header.sh_size / header.sh_entsize);
		for (int i = 0; data && !found && i < count; i++) {
			GElf_Rela rela;
			gelf_getrela(data, i, &rela);
			found = is_static_tls(file.e_machine, GELF_R_TYPE(rela.r_info));
		}
	}
	elf_end(elf);
	return found;
}
