/* Geometry of the Zend heap (Zend/zend_alloc.c), which is private; the same from PHP 7.0 to 8.4. Does not need PHP's
 * headers. */
#ifndef XHPROF_COMPAT_HEAP_GEOMETRY_H
#define XHPROF_COMPAT_HEAP_GEOMETRY_H

#include <stdint.h>

#define XHPROF_ZMM_CHUNK_BITS 21
#define XHPROF_ZMM_CHUNK_SIZE ((uint64_t)1 << XHPROF_ZMM_CHUNK_BITS)
#define XHPROF_ZMM_PAGE_SIZE 4096
#define XHPROF_ZMM_PAGES 512
#define XHPROF_ZMM_BINS 30

/* Members of a chunk, struct _zend_mm_chunk. The main chunk holds the heap's structure. */
#define XHPROF_ZMM_CHUNK_HEAP 0
#define XHPROF_ZMM_CHUNK_NEXT 8
#define XHPROF_ZMM_CHUNK_PREV 16
#define XHPROF_ZMM_CHUNK_FREE_PAGES 24
#define XHPROF_ZMM_HEAP_SLOT 64
/* Bits of the free pages' map, before the pages' own. */
#define XHPROF_ZMM_FREE_MAP 64

/* Members of the heap's structure, struct _zend_mm_heap, behind the handlers' mark and the storage. The others move. */
#define XHPROF_ZMM_HEAP_SIZE 16
#define XHPROF_ZMM_HEAP_PEAK 24

#endif
