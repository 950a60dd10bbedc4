/* Geometry of the Zend heap (Zend/zend_alloc.c), which is private; the same from PHP 7.0 to 8.6. Does not need PHP's
 * headers. */
#ifndef XHPROF_COMPAT_HEAP_GEOMETRY_H
#define XHPROF_COMPAT_HEAP_GEOMETRY_H

#include <stdint.h>

#define XHPROF_ZMM_CHUNK_BITS 21
#define XHPROF_ZMM_CHUNK_SIZE ((uint64_t)1 << XHPROF_ZMM_CHUNK_BITS)
#define XHPROF_ZMM_PAGE_SIZE 4096
#define XHPROF_ZMM_PAGES 512
#define XHPROF_ZMM_BINS 30
#define XHPROF_ZMM_BIN_MOST 3072 /* the largest block of a bin */

/* Members of a chunk, struct _zend_mm_chunk. The main chunk holds the heap's structure. */
#define XHPROF_ZMM_CHUNK_HEAP 0
#define XHPROF_ZMM_CHUNK_NEXT 8
#define XHPROF_ZMM_CHUNK_PREV 16
/* The number of free pages, then the first page of the free ones at the end, from 1 on: 24 up to 8.5, 32 in 8.6, where
 * another member precedes them (seen in the memory of 8.6.0RC3). */
#define XHPROF_ZMM_CHUNK_FREE_PAGES 24
#define XHPROF_ZMM_CHUNK_FREE_PAGES_LAST 32
#define XHPROF_ZMM_HEAP_SLOT 64
/* Bits of the free pages' map, before the pages' own. */
#define XHPROF_ZMM_FREE_MAP 64

/* Members of the heap's structure, struct _zend_mm_heap, behind the handlers' mark and the storage. The others move. */
#define XHPROF_ZMM_HEAP_SIZE 16
#define XHPROF_ZMM_HEAP_PEAK 24

#endif
