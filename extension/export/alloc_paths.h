/* Shared by the writers of a dump: the call paths that hold its live blocks, as a tree of its own with sums. It does
 * not change while it is written, whatever the program does; only no new profile may begin before its end, as the names
 * are the profile's. */
#ifndef XHPROF_EXPORT_ALLOC_PATHS_H
#define XHPROF_EXPORT_ALLOC_PATHS_H

#include "alloc/alloc_dump.h"
#include "writer.h"

/* If a format nests, or writes each path in full, paths end here in a "(deeper)" that holds all below. Freeing arrays
 * twice as deep may overflow the stack; PHP's json_decode() reads 999 of these nested. */
#define XHPROF_ALLOC_DEPTH 960

typedef struct xhprof_alloc_path {
	uint32_t parent;
	uint32_t first_child; /* 0: none; in order of first call */
	uint32_t next_sibling;
	uint32_t symbol;    /* see xhprof_alloc_symbol_name() */
	uint32_t first_row; /* 0: none; of the dump, + 1, with next_row */
	uint32_t depth;     /* 0: the root */
	uint64_t own_bytes, own_blocks;
	uint64_t bytes, blocks; /* with the paths below */
	uint64_t calls;
} xhprof_alloc_path;

/* All zero, or released, before it is begun. */
typedef struct xhprof_alloc_paths {
	const xhprof_alloc_dump *dump;
	xhprof_alloc_path *items; /* [0] is the root: main() itself, or above main(), "(before)", "(other threads)" and
							* "(below threshold)"; a parent's index is below its children's */
	uint32_t count;
	uint32_t symbols;   /* all symbols of paths are below */
	uint32_t known;     /* symbols up to here are the tracer's */
	uint32_t *next_row; /* row -> the next one of its path, + 1; 0: none */
	xhprof_arena arena; /* of all these arrays, and of a writer's own tables */
	xhprof_table table; /* of twins, until all are added */
} xhprof_alloc_paths;

#define XHPROF_ALLOC_EMPTY_PATHS 1 /* also empty paths */
#define XHPROF_ALLOC_MAIN_IS_ROOT \
	2 /* as memprof has it: main() is no path of its own, what it calls is below the root */

/* The paths with live blocks, and main(). `depth` 0: unlimited. False without memory. */
bool xhprof_alloc_paths_begin(xhprof_alloc_paths *paths, const xhprof_alloc_dump *dump, uint32_t depth, unsigned flags);

/* After every write, also after a longjmp(). */
void xhprof_alloc_paths_release(xhprof_alloc_paths *paths);

const char *xhprof_alloc_symbol_name(const xhprof_alloc_paths *paths, uint32_t symbol, size_t *length);

/* A walk that enters and leaves every path. All zero it enters the root; false after it has left the root. */
typedef struct xhprof_alloc_walk {
	uint32_t path;
	bool leaving;
} xhprof_alloc_walk;

bool xhprof_alloc_walk_next(const xhprof_alloc_paths *paths, xhprof_alloc_walk *walk);

/* The shape of every writer. False without memory for its tables; errors of output are the writer's. The caller flushes
 * the writer's buffer. */
typedef bool (*xhprof_alloc_write)(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
