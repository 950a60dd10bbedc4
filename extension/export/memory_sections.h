/* The live memory at the end of a profile, docs/formats.md: the document "memory" of a run's file. */
#ifndef XHPROF_EXPORT_MEMORY_SECTIONS_H
#define XHPROF_EXPORT_MEMORY_SECTIONS_H

#include "run_file.h"

#include "alloc/alloc_dump.h"

/* What the sections are made from; it lives until the file is written. */
typedef struct xhprof_memory_sections {
	const xhprof_alloc_dump *dump;
	const uint32_t *places;
	uint32_t next; /* the first node that was not looked at yet, of the peak's column that is asked for */
} xhprof_memory_sections;

/* Of a stopped profile; `places` by node id, see columns.h. */
void xhprof_memory_sections_add(xhprof_memory_sections *sections, const xhprof_alloc_dump *dump, const uint32_t *places,
								xhprof_run_file *file);

#endif
