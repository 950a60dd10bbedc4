/* The exemplars of an aggregate as JSON: exemplars.json of its run. */
#ifndef XHPROF_REQUEST_EXEMPLAR_JSON_H
#define XHPROF_REQUEST_EXEMPLAR_JSON_H

#include "exemplar.h"

#include "export/json_layout.h"

/* `symbols`: those of the tree that is written beside it, whose names are not repeated. */
void xhprof_exemplars_json(const xhprof_exemplars *exemplars, const xhprof_symbols *symbols, xhprof_writer *writer);

#endif
