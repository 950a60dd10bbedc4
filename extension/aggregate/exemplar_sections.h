/* The exemplars of a window, docs/formats.md: the document "exemplars" of its run's file. */
#ifndef XHPROF_AGGREGATE_EXEMPLAR_SECTIONS_H
#define XHPROF_AGGREGATE_EXEMPLAR_SECTIONS_H

#include "exemplar.h"

#include "export/run_file.h"

/* What the sections are made from; it lives until the file is written. */
typedef struct xhprof_exemplar_sections {
	const xhprof_exemplars *exemplars;
	const xhprof_symbols *symbols;
	uint32_t next; /* the next exemplar of the column that is asked for, a route's place and its kind */
	uint32_t node; /* its node */
} xhprof_exemplar_sections;

/* `symbols`: those of the tree that is written beside it, whose names are not repeated. */
void xhprof_exemplar_sections_add(xhprof_exemplar_sections *sections, const xhprof_exemplars *exemplars,
								  const xhprof_symbols *symbols, xhprof_run_file *file);

#endif
