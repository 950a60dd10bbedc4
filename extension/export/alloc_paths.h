/* The call paths of a dump's live blocks: a tree of its own with sums, for all writers. It does not change while it is
 * written, whatever the program does; but no new profile may begin meanwhile, as the names belong to the profile. */
#ifndef XHPROF_EXPORT_ALLOC_PATHS_H
#define XHPROF_EXPORT_ALLOC_PATHS_H

#include "alloc/alloc_dump.h"
#include "writer.h"

/* Greatest depth of a path in formats that nest, or write each path in full: deeper ones are summed up in "(deeper)".
 * Freeing arrays twice as deep may overflow the stack; PHP's json_decode() reads 999 of these nested. */
#define XHPROF_ALLOC_DEPTH 960

typedef struct xhprof_alloc_path {
	uint32_t parent;
	uint32_t first_child; /* 0: none; in order of first call */
	uint32_t next_sibling;
	uint32_t symbol;    /* see xhprof_alloc_symbol_name() */
	uint32_t first_row; /* row of the dump + 1, the first of a list by next_row; 0: none */
	uint32_t depth;     /* 0: the root */
	uint64_t own_bytes, own_blocks;
	uint64_t bytes, blocks; /* including the paths below */
	uint64_t calls;
} xhprof_alloc_path;

/* The tree of paths. All zero, or released, before it is begun. */
typedef struct xhprof_alloc_paths {
	const xhprof_alloc_dump *dump;
	xhprof_alloc_path *items; /* [0] is the root: main() itself, or above main(), "(before)", "(other threads)" and
							* "(below threshold)"; a parent's index is below its children's */
	uint32_t count;
	uint32_t symbols;   /* symbols of all paths are below this */
	uint32_t known;     /* symbols up to this one are the tracer's */
	uint32_t *next_row; /* row -> the next one of its path, + 1; 0: none */
	xhprof_arena arena; /* memory of these arrays, and of a writer's own tables */
	xhprof_table table; /* paths with the same parent and symbol, until all are added */
} xhprof_alloc_paths;

#define XHPROF_ALLOC_EMPTY_PATHS 1  /* empty paths are included */
#define XHPROF_ALLOC_MAIN_IS_ROOT 2 /* main() is no path of its own and its callees are below the root, as in memprof */

/* Begins a tree of the paths with live blocks, and main(). `depth`: the greatest, 0: unlimited. `flags`: of those
 * above. False without memory. */
bool xhprof_alloc_paths_begin(xhprof_alloc_paths *paths, const xhprof_alloc_dump *dump, uint32_t depth, unsigned flags);

/* Releases the tree, after each write and also after a longjmp(). */
void xhprof_alloc_paths_release(xhprof_alloc_paths *paths);

/* Returns the name of a path's symbol. */
const char *xhprof_alloc_symbol_name(const xhprof_alloc_paths *paths, uint32_t symbol, size_t *length);

/* A walk that enters and leaves every path. All zero, it enters the root next. */
typedef struct xhprof_alloc_walk {
	uint32_t path;
	bool leaving;
} xhprof_alloc_walk;

/* Goes on to the next step of a walk. False after it has left the root. */
bool xhprof_alloc_walk_next(const xhprof_alloc_paths *paths, xhprof_alloc_walk *walk);

/* Writes a dump in one format. False without memory for its tables; `writer` records errors of output. The caller
 * flushes the writer's buffer. */
typedef bool (*xhprof_alloc_write)(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, xhprof_writer *writer);

#endif
