#include "elf_image.h"

#include <elf.h>

#define MAX_HEADERS 256
#define MAX_DYNAMIC 1024
#define BATCH 256

typedef struct elf_tables {
	uint64_t symbols, strings, strings_size, hash, gnu_hash;
} elf_tables;

typedef struct elf_parts {
	uint64_t bias, dynamic;
	uint64_t variables, variables_end; /* 0: none */
} elf_parts;

/* Finds the load bias of the file, its dynamic section, and its variables without an initial value. */
static bool find_parts(xhprof_remote *remote, uint64_t base, elf_parts *parts)
{
	Elf64_Ehdr header;
	memset(parts, 0, sizeof(*parts));
	if (!xhprof_remote_get(remote, base, &header, sizeof(header)) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
		header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr) ||
		header.e_phnum > MAX_HEADERS) {
		return false;
	}
	bool loaded = false, found = false;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr program;
		if (!xhprof_remote_get(remote, base + header.e_phoff + i * sizeof(program), &program, sizeof(program))) {
			return false;
		}
		if (program.p_type == PT_LOAD && !loaded) {
			parts->bias = base - (program.p_vaddr - program.p_offset);
			loaded = true;
		}
		if (program.p_type == PT_LOAD && program.p_flags & PF_W) {
			parts->variables = parts->bias + program.p_vaddr + program.p_filesz;
			parts->variables_end = parts->bias + program.p_vaddr + program.p_memsz;
		} else if (program.p_type == PT_DYNAMIC) {
			parts->dynamic = parts->bias + program.p_vaddr;
			found = true;
		}
	}
	return loaded && found;
}

static bool read_dynamic(xhprof_remote *remote, uint64_t bias, uint64_t dynamic, elf_tables *tables)
{
	memset(tables, 0, sizeof(*tables));
	for (unsigned i = 0; i < MAX_DYNAMIC; i++) {
		Elf64_Dyn entry;
		if (!xhprof_remote_get(remote, dynamic + i * sizeof(entry), &entry, sizeof(entry)) || entry.d_tag == DT_NULL) {
			break;
		}
		/* glibc turns these offsets into addresses when it loads the file, musl does not. */
		xhprof_addr address = entry.d_un.d_ptr < bias ? entry.d_un.d_ptr + bias : entry.d_un.d_ptr;
		switch (entry.d_tag) {
			case DT_SYMTAB:
				tables->symbols = address;
				break;
			case DT_STRTAB:
				tables->strings = address;
				break;
			case DT_STRSZ:
				tables->strings_size = entry.d_un.d_val;
				break;
			case DT_HASH:
				tables->hash = address;
				break;
			case DT_GNU_HASH:
				tables->gnu_hash = address;
				break;
		}
	}
	return tables->symbols && tables->strings;
}

/* Returns the number of symbols: the buckets of the GNU hash give the last symbol of all. */
static uint64_t count_by_gnu_hash(xhprof_remote *remote, uint64_t hash, uint64_t work)
{
	uint32_t header[4]; /* buckets, first symbol, words of the filter, shift */
	if (!xhprof_remote_get(remote, hash, header, sizeof(header)) || header[0] > work) {
		return 0;
	}
	uint64_t buckets = hash + sizeof(header) + (uint64_t)header[2] * 8, chains = buckets + (uint64_t)header[0] * 4;
	uint32_t last = 0;
	for (uint32_t i = 0; i < header[0]; i++) {
		uint32_t bucket;
		if (!xhprof_remote_get(remote, buckets + (uint64_t)i * 4, &bucket, sizeof(bucket))) {
			return 0;
		}
		last = bucket > last ? bucket : last;
	}
	uint32_t link = 1;
	while (last >= header[1] && last < work &&
		   xhprof_remote_get(remote, chains + (uint64_t)(last - header[1]) * 4, &link, sizeof(link))) {
		last++;
		if (link & 1) {
			return last;
		}
	}
	return 0;
}

static uint64_t count_symbols(xhprof_remote *remote, const elf_tables *tables, uint64_t work)
{
	uint32_t header[2]; /* buckets, symbols */
	if (tables->hash && xhprof_remote_get(remote, tables->hash, header, sizeof(header))) {
		return header[1];
	}
	return tables->gnu_hash ? count_by_gnu_hash(remote, tables->gnu_hash, work) : 0;
}

size_t xhprof_elf_find(xhprof_remote *remote, uint64_t base, xhprof_elf_symbol *symbols, size_t count, uint64_t *work)
{
	elf_parts parts;
	elf_tables tables;
	for (size_t i = 0; i < count; i++) {
		symbols[i].address = symbols[i].size = 0;
	}
	if (!find_parts(remote, base, &parts) || !read_dynamic(remote, parts.bias, parts.dynamic, &tables)) {
		return 0;
	}
	size_t found = 0;
	uint64_t all = count_symbols(remote, &tables, *work);
	all = all < *work ? all : *work;
	*work -= all;
	for (uint64_t first = 0; first < all; first += BATCH) {
		Elf64_Sym batch[BATCH];
		uint32_t part = all - first < BATCH ? (uint32_t)(all - first) : BATCH;
		if (!xhprof_remote_get(remote, tables.symbols + first * sizeof(*batch), batch, part * sizeof(*batch))) {
			break;
		}
		for (uint32_t i = 0; i < part; i++) {
			char name[64];
			size_t room = sizeof(name);
			if (batch[i].st_shndx == SHN_UNDEF || batch[i].st_name >= tables.strings_size) {
				continue;
			}
			if (tables.strings_size - batch[i].st_name < room) {
				room = tables.strings_size - batch[i].st_name;
			}
			if (!xhprof_remote_get(remote, tables.strings + batch[i].st_name, name, room)) {
				continue;
			}
			name[room - 1] = '\0';
			for (size_t s = 0; s < count; s++) {
				if (strcmp(symbols[s].name, name) == 0) {
					found += symbols[s].address == 0;
					symbols[s].address = parts.bias + batch[i].st_value;
					symbols[s].size = batch[i].st_size;
				}
			}
		}
	}
	return found;
}

bool xhprof_elf_variables(xhprof_remote *remote, uint64_t base, xhprof_addr *from, xhprof_addr *to)
{
	elf_parts parts;
	bool found = find_parts(remote, base, &parts) && parts.variables_end > parts.variables;
	*from = parts.variables;
	*to = parts.variables_end;
	return found;
}
