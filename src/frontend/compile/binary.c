/* binary.c -- parts of object files, archives, shared objects and executables.
 *
 * An archive has a line of 60 bytes before each member: its name, or "/" and the place of its name in the
 * table of long names, and its size.  A thin archive does not contain its members.
 */
#include "frontend/compile/binary.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

char *lp_binary_read(const char *path, size_t *size)
{
	FILE *in = fopen(path, "re");
	struct stat status;
	char *bytes = NULL;

	if (in && !fstat(fileno(in), &status) && S_ISREG(status.st_mode)) {
		*size = (size_t)status.st_size;
		bytes = lp_alloc_zero(*size + 1, 1);
		if (fread(bytes, 1, *size, in) != *size) {
			lp_free(bytes);
			bytes = NULL;
		}
	}
	if (in)
		fclose(in);
	return bytes;
}

bool lp_binary_write(const char *path, const char *bytes, size_t size)
{
	FILE *out = fopen(path, "we");
	const bool good = out && fwrite(bytes, 1, size, out) == size;

	return out && !fclose(out) && good;
}

enum lp_binary lp_binary_kind(const char *path)
{
	unsigned char start[20] = { 0 };
	FILE *in = fopen(path, "re");
	const size_t size = in ? fread(start, 1, sizeof start, in) : 0;

	if (in)
		fclose(in);
	if (size >= 8 && (!memcmp(start, "!<arch>\n", 8) || !memcmp(start, "!<thin>\n", 8)))
		return LP_BINARY_ARCHIVE;
	if (size < sizeof start || memcmp(start, ELFMAG, SELFMAG))
		return LP_BINARY_NONE;
	const unsigned type = start[EI_DATA] == ELFDATA2MSB ? start[17] : start[16];
	return type == ET_REL ? LP_BINARY_OBJECT : LP_BINARY_LINKED;
}

char *lp_binary_section(int fd, const char *name, size_t *size)
{
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;
	char *bytes = NULL;
	size_t names;

	if (!elf || elf_getshdrstrndx(elf, &names))
		goto out;
	while (!bytes && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *own = gelf_getshdr(section, &header) ?
					  elf_strptr(elf, names, header.sh_name) : NULL;
		Elf_Data *data = own && !strcmp(own, name) ? elf_rawdata(section, NULL) : NULL;
		if (data && data->d_buf) {
			*size = data->d_size;
			bytes = lp_alloc_zero(*size + 1, 1);
			memcpy(bytes, data->d_buf, *size);
		}
	}
out:
	elf_end(elf);
	return bytes;
}

void lp_binary_dynamic(int fd, int64_t tag, void (*visit)(void *, const char *), void *closure)
{
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	Elf_Scn *section = NULL;

	while (elf && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || !header.sh_entsize)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		const int count = (int)(header.sh_size / header.sh_entsize);
		for (int i = 0; data && i < count; i++) {
			GElf_Dyn entry;
			if (!gelf_getdyn(data, i, &entry) || entry.d_tag != tag)
				continue;
			const char *name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
			if (name)
				visit(closure, name);
		}
	}
	elf_end(elf);
}

/* ---- archives ---- */

struct archive {
	const char *path, *bytes, *long_names;
	size_t size, long_size;
	bool thin;
};

struct member {
	char name[256];
	size_t at, size; /* of its bytes; of a thin archive: in its own file */
	bool special;    /* a table of the archive's own */
};

/* The member whose line is at `*at`, which moves on to the next one. */
static bool next_member(struct archive *a, size_t *at, struct member *m)
{
	const char *line = a->bytes + *at;
	size_t length = 0;

	if (*at + 60 > a->size || memcmp(line + 58, "`\n", 2))
		return false;
	m->size = strtoul(line + 48, NULL, 10);
	m->at = *at + 60;
	m->special = line[0] == '/' && (line[1] == ' ' || line[1] == '/' || line[1] == 'S');
	if (line[0] == '/' && !m->special) {
		const size_t name = strtoul(line + 1, NULL, 10);
		while (name + length < a->long_size && a->long_names[name + length] != '\n')
			length++;
		snprintf(m->name, sizeof m->name, "%.*s", (int)length,
			 length ? a->long_names + name : "");
	} else {
		snprintf(m->name, sizeof m->name, "%.16s", line);
	}
	length = strcspn(m->name, "\n");
	while (length && (m->name[length - 1] == ' ' || m->name[length - 1] == '/'))
		length--;
	m->name[length] = '\0';
	const bool inside = !a->thin || m->special;
	*at = m->at + (inside ? m->size + m->size % 2 : 0);
	return !inside || m->size <= a->size - m->at;
}

/* Members of a thin archive are named from where it is. */
static char *read_member_file(const struct archive *a, const char *name, size_t *size)
{
	const char *slash = strrchr(a->path, '/');
	char path[4096];

	snprintf(path, sizeof path, "%.*s%s", *name == '/' || !slash ? 0 : (int)(slash + 1 - a->path),
		 a->path, name);
	return lp_binary_read(path, size);
}

bool lp_binary_archive_members(const char *path,
			bool (*visit)(void *, const char *, const char *, size_t), void *closure,
			struct lp_error *error)
{
	struct archive a = { .path = path };
	struct member m;
	bool good = true;
	char *bytes = lp_binary_read(path, &a.size);

	if (!bytes)
		return lp_fail(error, "cannot read '%s': %s", path, strerror(errno));
	a.bytes = bytes;
	a.thin = a.size >= 8 && !memcmp(bytes, "!<thin>\n", 8);
	for (size_t at = 8; good && next_member(&a, &at, &m);) {
		if (m.special) {
			if (a.bytes[m.at - 59] == '/') {
				a.long_names = a.bytes + m.at;
				a.long_size = m.size;
			}
			continue;
		}
		size_t size = m.size;
		char *own = a.thin ? read_member_file(&a, m.name, &size) : NULL;
		if (a.thin && !own)
			good = lp_fail(error, "cannot read '%s', a member of '%s'", m.name, path);
		else
			good = visit(closure, m.name, a.thin ? own : a.bytes + m.at, size);
		lp_free(own);
	}
	lp_free(bytes);
	return good;
}
