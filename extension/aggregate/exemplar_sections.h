/* The exemplars of a window as the document "exemplars" of its run's file; see docs/formats.md. */
#ifndef XHPROF_AGGREGATE_EXEMPLAR_SECTIONS_H
#define XHPROF_AGGREGATE_EXEMPLAR_SECTIONS_H

#include "exemplar.h"

#include "export/run_file.h"

/* The source of the sections, which lives until the file is written. */
typedef struct xhprof_exemplar_sections {
	const xhprof_exemplars *exemplars;
	const xhprof_symbols *symbols;
	uint32_t next; /* the exemplar that a column gives next: its route's place and its kind */
	uint32_t node; /* its node */
} xhprof_exemplar_sections;

/* Adds the sections. `symbols`: those of the tree in the same file, whose names are not repeated. */
void xhprof_exemplar_sections_add(xhprof_exemplar_sections *sections, const xhprof_exemplars *exemplars,
								  const xhprof_symbols *symbols, xhprof_run_file *file);

#endif
