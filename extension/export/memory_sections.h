/* The document "memory" of a run's file: the live memory at the end of a profile. See docs/formats.md. */
#ifndef XHPROF_EXPORT_MEMORY_SECTIONS_H
#define XHPROF_EXPORT_MEMORY_SECTIONS_H

#include "run_file.h"

#include "alloc/alloc_dump.h"
#include "base/table.h"

/* The source of the sections, which lives until the file is written. */
typedef struct xhprof_memory_sections {
	const xhprof_alloc_dump *dump;
	const uint32_t *places;
	uint32_t *jobs; /* ids of symbols: names of jobs that have ended with marks */
	size_t job_count, job_capacity;
	xhprof_table job_places; /* id -> place in it + 1 */
	uint32_t next;           /* first node of the peak's column that was not read yet */
} xhprof_memory_sections;

/* Adds the document of a stopped profile. `places`: of nodes in preorder, by id; see columns.h. */
void xhprof_memory_sections_add(xhprof_memory_sections *sections, const xhprof_alloc_dump *dump, const uint32_t *places,
								xhprof_run_file *file);
void xhprof_memory_sections_release(xhprof_memory_sections *sections);

#endif
