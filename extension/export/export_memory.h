/* The live memory at the end of a profile, as ID.SOURCE.memory.json:
 * {"v":1,"kind":"memory","unit":"B","sample_bytes":0,"marks":0,
 *  "allocators":{"zend_mm":{"size","peak","allocated_bytes","allocated_blocks","freed_bytes","freed_blocks",
 *                           "before_bytes"},"malloc":{the same, or the size alone},"xhprof/register":{"size"}},
 *  "dropped":{"blocks","bytes"},"types":[names],
 *  "rows":{"node":[],"type":[],"mark":[],"blocks":[],"bytes":[]}}
 * A row is the memory of one path and type, allocated after this many marks; the heaviest first. `node` is the place in the
 * tree's preorder, -1 "(before)", -2 "(other threads)"; `type` an index of types, 1 for native memory. */
#ifndef XHPROF_EXPORT_MEMORY_H
#define XHPROF_EXPORT_MEMORY_H

#include "alloc_paths.h"

/* Of a stopped profile; `places` by node id, see columns.h. False without memory. */
bool xhprof_export_memory_json(const xhprof_alloc_dump *dump, const uint32_t *places, xhprof_writer *writer);

/* At this moment, as a self-contained file: the same, with "time" (seconds since 1970) and "pid" behind "unit", and
 * before the rows "tree":{"v":1,"kind":"tree","order":"preorder","n","names":[],"fn":[],"depth":[],"ct":[]}, the paths
 * with live blocks. A row of node -3 is "(below threshold)". */
bool xhprof_alloc_write_json(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
