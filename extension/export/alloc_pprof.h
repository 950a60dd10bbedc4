/* A dump as pprof's profile.proto, gzipped: inuse_objects and inuse_space per path, with types as label "type". */
#ifndef XHPROF_ALLOC_PPROF_H
#define XHPROF_ALLOC_PPROF_H

#include "alloc_paths.h"

bool xhprof_alloc_write_pprof(const xhprof_alloc_dump *dump, const xhprof_alloc_options *options,
							  xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
