/* A dump of live memory as a file of its own, memprof's JSON:
 * {"v":1,"kind":"memory","unit":"B","time":<seconds since 1970>,"pid","sample_bytes":0,"marks":0,
 *  "allocators":{"zend_mm":{"size","peak","allocated_bytes","allocated_blocks","freed_bytes","freed_blocks",
 *                           "before_bytes"},"malloc":{the same, or the size alone},"xhprof/register":{"size"}},
 *  "dropped":{"blocks","bytes"},"types":[names],
 *  "tree":{"v":1,"kind":"tree","order":"preorder","n","names":[],"fn":[],"depth":[],"ct":[]},
 *  "rows":{"node":[],"type":[],"mark":[],"blocks":[],"bytes":[]}}
 * The tree has the paths with live blocks. Of rows see alloc_rows.h. */
#ifndef XHPROF_EXPORT_ALLOC_JSON_H
#define XHPROF_EXPORT_ALLOC_JSON_H

#include "alloc_paths.h"

/* Writes the dump. False without memory. */
bool xhprof_alloc_write_json(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
