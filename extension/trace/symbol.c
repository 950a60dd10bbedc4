#include "symbol.h"

#include <stdio.h>
#include <string.h>

#define KEPT_SHARE 2 /* names are kept that take one part in this many of what may be kept */

typedef struct ignored_name {
	const char *name; /* lower case */
	size_t length;
	struct ignored_name *chain;
} ignored_name;

static char *symbols_copy(xhprof_symbols *symbols, const char *bytes, size_t length)
{
	char *copy = xhprof_arena_alloc(&symbols->arena, length + 1, 1);
	if (copy) {
		memcpy(copy, bytes, length);
		copy[length] = '\0';
	}
	return copy;
}

/* Returns the index at which the digits of "@2" at the end begin; the length if it does not end in that way. */
static size_t level_digits(const char *name, size_t length)
{
	size_t digits = length;
	while (digits && name[digits - 1] >= '0' && name[digits - 1] <= '9') {
		digits--;
	}
	return digits && digits < length && name[digits - 1] == '@' ? digits : length;
}

/* Returns how many bytes of a name would be taken for a part of an edge: the first of each "==>", and the "@" of a
 * level. */
static size_t symbols_ambiguous(const char *name, size_t length)
{
	size_t count = level_digits(name, length) < length;
	const char *end = name + length, *at = name;
	while ((at = memmem(at, (size_t)(end - at), "==>", 3))) {
		at += 3;
		count++;
	}
	return count;
}

/* Writes these bytes as "\xNN" into `to`, with room for three more each. The same rule is EdgeKey::escaped() in PHP. */
static size_t symbols_escape(char *to, const char *name, size_t length)
{
	size_t digits = level_digits(name, length), size = 0;
	for (size_t i = 0; i < length; i++) {
		if (i + 1 == digits && digits < length) {
			memcpy(to + size, "\\x40", 4);
			size += 4;
		} else if (length - i >= 3 && memcmp(name + i, "==>", 3) == 0) {
			memcpy(to + size, "\\x3D", 4);
			size += 4;
		} else {
			to[size++] = name[i];
		}
	}
	return size;
}

static char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool symbols_is_ignored(const xhprof_symbols *symbols, const char *name, size_t length)
{
	if (!symbols->ignored.used) {
		return false;
	}
	char small[256] = "", *lower = small;
	if (length > sizeof(small) && !(lower = xhprof_pages_map(length))) {
		return false;
	}
	for (size_t i = 0; i < length; i++) {
		lower[i] = ascii_lower(name[i]);
	}
	const ignored_name *entry = xhprof_table_find(&symbols->ignored, xhprof_hash_bytes(lower, length, 0));
	while (entry && (entry->length != length || memcmp(entry->name, lower, length) != 0)) {
		entry = entry->chain;
	}
	if (lower != small) {
		xhprof_pages_unmap(lower, length);
	}
	return entry != NULL;
}

bool xhprof_symbols_ignore(xhprof_symbols *symbols, const char *name, size_t length)
{
	ignored_name *entry = xhprof_arena_alloc(&symbols->arena, sizeof(*entry), 8);
	char *lower = xhprof_arena_alloc(&symbols->arena, length + 3 * symbols_ambiguous(name, length) + 1, 1);
	if (!entry || !lower) {
		return false;
	}
	length = symbols_escape(lower, name, length);
	for (size_t i = 0; i < length; i++) {
		lower[i] = ascii_lower(lower[i]);
	}
	uint64_t hash = xhprof_hash_bytes(lower, length, 0);
	entry->name = lower;
	entry->length = length;
	entry->chain = xhprof_table_find(&symbols->ignored, hash);
	return xhprof_table_put(&symbols->ignored, hash, entry);
}

/* Makes room for one more symbol in this set. */
static bool symbols_room(xhprof_symbols *symbols)
{
	if (symbols->count + 1 < symbols->capacity) {
		return true;
	}
	if (symbols->count >= XHPROF_SYMBOL_MAX_ID) {
		return false;
	}
	/* The outgrown directory stays in the arena: doubling wastes at most as much again. */
	uint32_t capacity = symbols->capacity ? symbols->capacity * 2 : 512;
	xhprof_symbol **by_id = xhprof_arena_alloc(&symbols->arena, capacity * sizeof(*by_id), 8);
	if (!by_id) {
		return false;
	}
	memset(by_id, 0, capacity * sizeof(*by_id));
	if (symbols->by_id) {
		memcpy(by_id, symbols->by_id, symbols->capacity * sizeof(*by_id));
	}
	symbols->by_id = by_id;
	symbols->capacity = capacity;
	return true;
}

/* Gives the symbol, a new one or one that was kept, the next id of this set. The set has room. */
static void symbols_number(xhprof_symbols *symbols, xhprof_symbol *symbol)
{
	symbol->id = ++symbols->count;
	symbol->set = symbols->set;
	symbol->place = (xhprof_place){NULL, 0, 0};
	symbol->twins = 1;
	symbols->by_id[symbol->id] = symbol;
}

static xhprof_symbol *symbols_new(xhprof_symbols *symbols, const char *name, size_t length)
{
	xhprof_symbol *symbol = symbols_room(symbols) ? xhprof_arena_alloc(&symbols->arena, sizeof(*symbol), 8) : NULL;
	const char *copy = symbol && length <= UINT32_MAX ? symbols_copy(symbols, name, length) : NULL;
	if (!copy) {
		return NULL;
	}
	*symbol = (xhprof_symbol){.name = copy, .length = (uint32_t)length, .base = symbol};
	symbols_number(symbols, symbol);
	return symbol;
}

/* Adds a twin of the name after those of this set: "{closure:a.php:3}" has the twin "{closure:a.php:3#2}". */
static xhprof_symbol *symbols_add_twin(xhprof_symbols *symbols, xhprof_symbol *first, xhprof_symbol *last)
{
	char suffix[16];
	if (last->twin) { /* of an earlier set; those that come later have the same names */
		if (!symbols_room(symbols)) {
			return NULL;
		}
		symbols_number(symbols, last->twin);
		first->twins++;
		return last->twin;
	}
	bool brace = first->length && first->name[first->length - 1] == '}';
	size_t kept = first->length - brace;
	size_t extra = (size_t)snprintf(suffix, sizeof(suffix), "#%u%s", first->twins + 1, brace ? "}" : "");
	char *name = xhprof_arena_alloc(&symbols->arena, kept + extra, 1);
	if (!name) {
		return NULL;
	}
	memcpy(name, first->name, kept);
	memcpy(name + kept, suffix, extra);
	xhprof_symbol *twin = symbols_new(symbols, name, kept + extra);
	if (twin) {
		twin->base = first;
		last->twin = twin;
		first->twins++;
	}
	return twin;
}

#define REFERENCE_FLAGS ((1u << XHPROF_SYMBOL_FLAG_BITS) - 1)

/* Generator and operation are properties of one function, not of its name: methods of different anonymous classes share
 * names. */
static xhprof_symbol_ref symbol_ref(const xhprof_symbol *symbol, uint32_t flags)
{
	return symbol ? symbol->id << XHPROF_SYMBOL_FLAG_BITS | ((symbol->flags | flags) & REFERENCE_FLAGS) : 0;
}

/* Sets what a symbol is in this set. */
static void symbols_describe(const xhprof_symbols *symbols, xhprof_symbol *symbol, uint64_t identity, uint32_t flags)
{
	symbol->identity = identity;
	symbol->flags =
		flags & (XHPROF_SYMBOL_RUN_INIT | XHPROF_SYMBOL_INTERNAL | XHPROF_SYMBOL_COMPILED | XHPROF_SYMBOL_NUMBER_MASK);
	if (symbols_is_ignored(symbols, symbol->base->name, symbol->base->length)) {
		symbol->flags |= XHPROF_SYMBOL_TRANSPARENT;
	}
}

static xhprof_symbol_ref symbols_use(xhprof_symbols *symbols, xhprof_symbol *first, uint64_t identity, uint32_t flags)
{
	if (first->set != symbols->set) {
		if (!symbols_room(symbols)) {
			return 0;
		}
		symbols_number(symbols, first);
		symbols_describe(symbols, first, identity, flags);
	}
	return symbol_ref(first, flags);
}

xhprof_symbol_ref xhprof_symbols_use(xhprof_symbols *symbols, xhprof_symbol *symbol, uint32_t flags)
{
	return symbols_use(symbols, symbol, 0, flags);
}

/* Returns the symbol with this identity among those of the name in this set, or the last of them. */
static xhprof_symbol *symbols_find_twin(xhprof_symbol *first, uint64_t identity)
{
	xhprof_symbol *symbol = first;
	for (uint32_t i = 1; i < first->twins && symbol->identity != identity; i++) {
		symbol = symbol->twin;
	}
	return symbol;
}

/* Returns the reference for a name without ambiguous bytes. */
static xhprof_symbol_ref symbols_intern(xhprof_symbols *symbols, const char *name, size_t length, uint64_t identity,
										uint32_t flags)
{
	uint64_t hash = xhprof_hash_bytes(name, length, 0);
	xhprof_symbol *head = xhprof_table_find(&symbols->by_name, hash);
	xhprof_symbol *first = head;
	while (first && (first->length != length || memcmp(first->name, name, length) != 0)) {
		first = first->chain;
	}
	if (first && (!identity || first->set != symbols->set)) {
		return symbols_use(symbols, first, identity, flags);
	}
	xhprof_symbol *symbol = first ? symbols_find_twin(first, identity) : NULL;
	if (symbol && (symbol->identity == identity || first->twins >= XHPROF_SYMBOL_MAX_TWINS)) {
		return symbol_ref(symbol, flags);
	}
	if (symbols->arena.mapped >= XHPROF_SYMBOL_MAX_BYTES) {
		bool ignored = symbols_is_ignored(symbols, name, length);
		return (xhprof_symbol_ref)XHPROF_SYMBOL_TRUNCATED << XHPROF_SYMBOL_FLAG_BITS | (flags & REFERENCE_FLAGS) |
			   (ignored ? XHPROF_SYMBOL_TRANSPARENT : 0);
	}
	if (first) {
		symbol = symbols_add_twin(symbols, first, symbol);
	} else if ((symbol = symbols_new(symbols, name, length))) {
		symbol->chain = head;
		if (!xhprof_table_put(&symbols->by_name, hash, symbol)) {
			return 0; /* unreachable by name, so it must not be handed out twice */
		}
	}
	if (symbol) {
		symbols_describe(symbols, symbol, identity, flags);
	}
	return symbol_ref(symbol, flags);
}

xhprof_symbol_ref xhprof_symbols_intern(xhprof_symbols *symbols, const char *name, size_t length, uint64_t identity,
										uint32_t flags)
{
	size_t ambiguous = symbols_ambiguous(name, length);
	if (!ambiguous) {
		return symbols_intern(symbols, name, length, identity, flags);
	}
	size_t room = length + 3 * ambiguous;
	char small[512], *escaped = small;
	if (room > sizeof(small) && !(escaped = xhprof_pages_map(room))) {
		return 0;
	}
	xhprof_symbol_ref symbol = symbols_intern(symbols, escaped, symbols_escape(escaped, name, length), identity, flags);
	if (escaped != small) {
		xhprof_pages_unmap(escaped, room);
	}
	return symbol;
}

xhprof_symbol_ref xhprof_symbols_join(xhprof_symbols *symbols, const char *first, size_t first_length,
									  const char *separator, const char *second, size_t second_length,
									  uint64_t identity, uint32_t flags)
{
	char small[512], *name = small;
	size_t middle = strlen(separator), length = first_length + middle + second_length;
	if (length > sizeof(small) && !(name = xhprof_pages_map(length))) {
		return 0;
	}
	memcpy(name, first, first_length);
	memcpy(name + first_length, separator, middle);
	memcpy(name + first_length + middle, second, second_length);
	xhprof_symbol_ref symbol = xhprof_symbols_intern(symbols, name, length, identity, flags);
	if (name != small) {
		xhprof_pages_unmap(name, length);
	}
	return symbol;
}

const xhprof_file *xhprof_symbols_file(xhprof_symbols *symbols, const char *prefix, const char *path, size_t length)
{
	return symbols->arena.mapped < XHPROF_SYMBOL_MAX_BYTES
			   ? xhprof_file_list_add(&symbols->files, &symbols->arena, prefix, path, length)
			   : NULL;
}

void xhprof_symbols_set_place(xhprof_symbols *symbols, xhprof_symbol_ref ref, xhprof_place place)
{
	uint32_t id = XHPROF_SYMBOL_ID(ref);
	if (id && id != XHPROF_SYMBOL_TRUNCATED) {
		symbols->by_id[id]->place = place;
	}
}

static void symbols_drop(xhprof_symbols *symbols)
{
	symbols->by_id = NULL;
	symbols->main = symbols->truncated = NULL;
	symbols->capacity = 0;
	symbols->kept = false;
	symbols->drops++;
}

/* Empties the set. Names that were kept are of none. */
static void symbols_start(xhprof_symbols *symbols)
{
	symbols->count = 0;
	xhprof_table_clear(&symbols->ignored);
	if (symbols->kept && symbols->set < UINT32_MAX) {
		xhprof_file_list_restart(&symbols->files);
		symbols->kept = false;
		symbols->set++;
		return;
	}
	symbols_drop(symbols);
	symbols->arena.unzeroed = true; /* all is written when it is made */
	xhprof_arena_reset(&symbols->arena);
	xhprof_table_clear(&symbols->by_name);
	xhprof_file_list_clear(&symbols->files);
	symbols->set = 1;
}

/* Puts a symbol that each set has at its id. It is looked for only if names were dropped. */
static bool symbols_put_fixed(xhprof_symbols *symbols, xhprof_symbol **fixed, uint32_t id, const char *name)
{
	xhprof_symbol_ref ref =
		*fixed ? symbols_use(symbols, *fixed, 0, 0) : xhprof_symbols_intern(symbols, name, strlen(name), 0, 0);
	*fixed = XHPROF_SYMBOL_ID(ref) == id ? symbols->by_id[id] : NULL;
	return *fixed != NULL;
}

bool xhprof_symbols_begin(xhprof_symbols *symbols)
{
	symbols_start(symbols);
	return symbols_put_fixed(symbols, &symbols->main, XHPROF_SYMBOL_MAIN, "main()") &&
		   symbols_put_fixed(symbols, &symbols->truncated, XHPROF_SYMBOL_TRUNCATED, "(truncated)");
}

/* Returns whether the names, and what finds them, may stay. */
static bool symbols_stay(const xhprof_symbols *symbols, size_t budget)
{
	size_t bytes =
		symbols->arena.mapped + xhprof_table_size(&symbols->by_name) + xhprof_table_size(&symbols->files.by_path);
	return symbols->keeps && symbols->by_id && bytes <= budget / KEPT_SHARE;
}

void xhprof_symbols_recycle(xhprof_symbols *symbols, size_t *budget)
{
	if (symbols_stay(symbols, *budget)) {
		*budget -=
			symbols->arena.mapped + xhprof_table_size(&symbols->by_name) + xhprof_table_size(&symbols->files.by_path);
		xhprof_table_recycle(&symbols->ignored, budget);
		symbols->count = 0;
		symbols->kept = true;
		return;
	}
	xhprof_table_recycle(&symbols->by_name, budget);
	xhprof_table_recycle(&symbols->ignored, budget);
	xhprof_file_list_recycle(&symbols->files, budget);
	xhprof_arena_recycle(&symbols->arena, budget);
	symbols_drop(symbols);
	symbols->count = 0;
}
