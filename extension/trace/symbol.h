/* Names of functions, files and labels: each distinct name gets a small id, valid for one profile. Names are copied
 * byte by byte, at any length, when a function is first seen; a function may be gone when the profile is read. */
#ifndef XHPROF_TRACE_SYMBOL_H
#define XHPROF_TRACE_SYMBOL_H

#include "file_list.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/table.h"

#include <stdbool.h>

/* Flags that the hot path needs without loading the symbol; kept in the low bits of a reference. */
#define XHPROF_SYMBOL_TRANSPARENT 1u /* the function is not recorded: its callees become its caller's */
#define XHPROF_SYMBOL_EXAMINED 2u    /* each begin is examined: of a generator, a hook, a function with labels */
#define XHPROF_SYMBOL_OPERATION 4u   /* its calls are recorded as operations */
#define XHPROF_SYMBOL_RUN_INIT 8u    /* a file's top-level code */
#define XHPROF_SYMBOL_SPECIAL (XHPROF_SYMBOL_TRANSPARENT | XHPROF_SYMBOL_EXAMINED | XHPROF_SYMBOL_OPERATION)
#define XHPROF_SYMBOL_FLAG_BITS 4

/* Further flags of a symbol; not in references. */
#define XHPROF_SYMBOL_INTERNAL 16u /* a function of PHP or of an extension */
#define XHPROF_SYMBOL_COMPILED 32u /* the compiling of a file or string */

/* Bits of the flags that hold a number of the caller's own. */
#define XHPROF_SYMBOL_NUMBER_SHIFT 8
#define XHPROF_SYMBOL_NUMBER_MASK (0xFFu << XHPROF_SYMBOL_NUMBER_SHIFT)

/* Name of the garbage collection as a function, in sampled profiles. */
#define XHPROF_SYMBOL_GC_NAME "(garbage collection)"

/* A reference to a symbol: id << XHPROF_SYMBOL_FLAG_BITS | flags. 0: there was no memory for it. */
typedef uint32_t xhprof_symbol_ref;

#define XHPROF_SYMBOL_ID(ref) ((ref) >> XHPROF_SYMBOL_FLAG_BITS)
#define XHPROF_SYMBOL_MAX_ID ((UINT32_C(1) << (32 - XHPROF_SYMBOL_FLAG_BITS)) - 1)

enum { XHPROF_SYMBOL_MAIN = 1, XHPROF_SYMBOL_TRUNCATED = 2 };
#define XHPROF_SYMBOL_TRUNCATED_REF ((xhprof_symbol_ref)XHPROF_SYMBOL_TRUNCATED << XHPROF_SYMBOL_FLAG_BITS)

/* The place of a function's code; NULL and 0: not known. */
typedef struct xhprof_place {
	const xhprof_file *file;
	uint32_t line, last_line;
} xhprof_place;

typedef struct xhprof_symbol {
	const char *name;
	uint32_t length;
	uint32_t flags;
	uint32_t id;
	uint32_t twins;              /* for the first of a name: how many symbols share it in this set */
	xhprof_place place;          /* place of the first function with this name */
	uint64_t identity;           /* distinguishes functions of one name; 0 if the name is enough */
	uint32_t set;                /* number of the last set that it was in, with this id */
	struct xhprof_symbol *twin;  /* next of the same name, in order of arrival */
	struct xhprof_symbol *chain; /* next with the same hash */
	struct xhprof_symbol *base;  /* the first of the name */
} xhprof_symbol;

typedef struct xhprof_symbols {
	xhprof_arena arena; /* its memory is not zeroed */
	xhprof_table by_name;
	xhprof_table ignored; /* hash of a lower-case name -> chain of ignored_name */
	xhprof_file_list files;
	xhprof_symbol **by_id;
	xhprof_symbol *main, *truncated; /* symbols of each set, once they have names here */
	uint32_t count;                  /* ids 1..count are in use */
	uint32_t capacity;
	uint32_t set; /* number of this set; a kept name belongs to an earlier set until it is asked for */
	bool keeps;   /* names may be kept for later sets: set before the first use; symbols' names must not change then */
	bool kept;    /* names are kept, between two sets */
	uint64_t drops; /* how often all names were dropped: symbols and files live until it changes */
} xhprof_symbols;

/* Starts a new set with only main() and (truncated) in it. False without memory. */
bool xhprof_symbols_begin(xhprof_symbols *symbols);

/* Ends the set. At most `*budget` bytes of memory stay for the next one, and are taken off the budget; the names stay
 * if the set keeps them and they take at most half of that. */
void xhprof_symbols_recycle(xhprof_symbols *symbols, size_t *budget);

/* Makes functions and methods of this name transparent. Names are compared as PHP compares them. False without
 * memory. */
bool xhprof_symbols_ignore(xhprof_symbols *symbols, const char *name, size_t length);

/* Returns the reference for a name, and creates its symbol if it is new. "==>" and "@2" at the end, which edges are
 * made of, become "\x3D=>" and "\x402" in every view. The same name with another non-zero `identity` is another symbol,
 * whose name ends with "#2", "#3", ...; past XHPROF_SYMBOL_MAX_TWINS they share the last one. */
xhprof_symbol_ref xhprof_symbols_intern(xhprof_symbols *symbols, const char *name, size_t length, uint64_t identity,
										uint32_t flags);

/* Returns the reference of a symbol without an identity, of this set or of an earlier one whose names were kept. */
xhprof_symbol_ref xhprof_symbols_use(xhprof_symbols *symbols, xhprof_symbol *symbol, uint32_t flags);

/* Returns the reference for the name made of `first`, `separator` and `second`, as xhprof_symbols_intern() does. */
xhprof_symbol_ref xhprof_symbols_join(xhprof_symbols *symbols, const char *first, size_t first_length,
									  const char *separator, const char *second, size_t second_length,
									  uint64_t identity, uint32_t flags);

/* Returns a file of the symbols' list, and adds it if it is new; NULL without memory. */
const xhprof_file *xhprof_symbols_file(xhprof_symbols *symbols, const char *prefix, const char *path, size_t length);

/* Sets the place of a symbol, whose file is in the symbols' list; that of (truncated) stays unknown. */
void xhprof_symbols_set_place(xhprof_symbols *symbols, xhprof_symbol_ref ref, xhprof_place place);

#define XHPROF_SYMBOL_MAX_TWINS 100

/* Most bytes of names and paths. Names beyond that are (truncated), files are not known. */
#define XHPROF_SYMBOL_MAX_BYTES ((size_t)256 * 1024 * 1024)

static inline const xhprof_symbol *xhprof_symbols_get(const xhprof_symbols *symbols, uint32_t id)
{
	return symbols->by_id[id];
}

/* Returns whether the place of this symbol is not known, and may be set. */
static inline bool xhprof_symbols_lack_place(const xhprof_symbols *symbols, xhprof_symbol_ref ref)
{
	uint32_t id = XHPROF_SYMBOL_ID(ref);
	return id && id != XHPROF_SYMBOL_TRUNCATED && !symbols->by_id[id]->place.file;
}

#endif
