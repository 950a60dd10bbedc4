/* The symbols that a program or library in another process's memory exports. They are read where it is mapped, not from its
 * file, which may be in another mount namespace, or have been replaced since. */
#ifndef XHPROF_INSPECT_ELF_IMAGE_H
#define XHPROF_INSPECT_ELF_IMAGE_H

#include "remote.h"

typedef struct xhprof_elf_symbol {
	const char *name;    /* at most 62 bytes */
	xhprof_addr address; /* 0: not exported there */
	uint64_t size;
} xhprof_elf_symbol;

/* Fills in the symbols that the file mapped at `base`, from its beginning, defines; returns their number. Subtracts the
 * work done from `work`, which bounds it for all files of a process together: they may be forged. */
#define XHPROF_ELF_WORK 20000000
size_t xhprof_elf_find(xhprof_remote *remote, uint64_t base, xhprof_elf_symbol *symbols, size_t count, uint64_t *work);

/* The memory of the variables without an initial value of the file mapped at `base`. False if it has none. */
bool xhprof_elf_variables(xhprof_remote *remote, uint64_t base, xhprof_addr *from, xhprof_addr *to);

#endif
