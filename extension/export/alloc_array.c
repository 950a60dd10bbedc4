#include "alloc_array.h"

#include "compat/fallible.h"

/* The keys of a node's array, in their order. */
enum { SIZE, BLOCKS, SIZE_INCLUSIVE, BLOCKS_INCLUSIVE, CALLS, CALLED, KEYS };

static const char *const key_names[KEYS] = {
	"memory_size", "blocks_count", "memory_size_inclusive", "blocks_count_inclusive", "calls", "called_functions"};

typedef struct called {
	uint32_t count;  /* children */
	HashTable *into; /* "called_functions" */
} called;

/* Makes the array of a path, with an empty list of called functions. False at memory_limit. */
static bool node_init(const xhprof_alloc_path *path, zend_string *keys[KEYS], called *below, zval *node)
{
	const uint64_t values[CALLED] = {path->own_bytes, path->own_blocks, path->bytes, path->blocks, path->calls};
	zval list, value;
	array_init_size(node, KEYS);
	ZVAL_EMPTY_ARRAY(&list);
	if (!xhprof_compat_try_real_init(Z_ARRVAL_P(node), false)) {
		return false;
	}
	for (size_t i = 0; i < CALLED; i++) {
		ZVAL_LONG(&value, (zend_long)values[i]);
		zend_hash_add_new(Z_ARRVAL_P(node), keys[i], &value);
	}
	if (below->count) {
		array_init_size(&list, below->count);
		below->into = Z_ARRVAL(list);
	}
	zend_hash_add_new(Z_ARRVAL_P(node), keys[CALLED], &list);
	return !below->count || xhprof_compat_try_real_init(below->into, false);
}

static zend_string *name_of(const xhprof_alloc_paths *paths, uint32_t symbol)
{
	size_t length;
	const char *name = xhprof_alloc_symbol_name(paths, symbol, &length);
	zend_string *string = xhprof_compat_try_string(length);
	if (string) {
		memcpy(ZSTR_VAL(string), name, length);
		ZSTR_VAL(string)[length] = '\0';
	}
	return string;
}

/* Returns the name of a symbol, one string for all of its paths. */
static zend_string *cached_name(const xhprof_alloc_paths *paths, zend_string **names, uint32_t symbol)
{
	if (!names[symbol]) {
		names[symbol] = name_of(paths, symbol);
	}
	return names[symbol];
}

/* Adds the node of a function to its caller's list. Paths of one function are one node; if two functions have the same
 * name all the same, the second is "name#2". Frees the node if there is no memory for its name. */
static bool add_child(HashTable *into, zend_string *name, zval *node)
{
	if (!name) {
		zval_ptr_dtor(node);
		return false;
	}
	if (!zend_symtable_exists(into, name)) {
		zend_symtable_add_new(into, name, node);
		return true;
	}
	for (int number = 2;; number++) {
		zend_string *another = strpprintf(0, "%s#%d", ZSTR_VAL(name), number);
		bool added = zend_hash_add(into, another, node) != NULL;
		zend_string_release(another);
		if (added) {
			return true;
		}
	}
}

static bool fill_paths(const xhprof_alloc_paths *paths, zend_string *keys[KEYS], zend_string **names, called *below,
					   zval *result)
{
	ZVAL_NULL(result);
	if (!node_init(&paths->items[0], keys, &below[0], result)) {
		return false;
	}
	for (uint32_t i = 1; i < paths->count; i++) {
		zval node;
		bool complete = node_init(&paths->items[i], keys, &below[i], &node);
		if (!add_child(below[paths->items[i].parent].into, cached_name(paths, names, paths->items[i].symbol), &node) ||
			!complete) {
			return false;
		}
	}
	return true;
}

bool xhprof_alloc_array(const xhprof_alloc_dump *dump, xhprof_alloc_paths *paths, zval *result)
{
	zend_string *keys[KEYS], **names;
	called *below;
	ZVAL_NULL(result);
	if (!xhprof_alloc_paths_begin(paths, dump, XHPROF_ALLOC_DEPTH,
								  XHPROF_ALLOC_EMPTY_PATHS | XHPROF_ALLOC_MAIN_IS_ROOT) ||
		!(names = xhprof_arena_alloc(&paths->arena, paths->symbols * sizeof(*names), 8)) ||
		!(below = xhprof_arena_alloc(&paths->arena, paths->count * sizeof(*below), 8))) {
		return false;
	}
	for (uint32_t i = 1; i < paths->count; i++) {
		below[paths->items[i].parent].count++;
	}
	for (size_t i = 0; i < KEYS; i++) {
		keys[i] = zend_string_init(key_names[i], strlen(key_names[i]), false);
	}
	bool complete = fill_paths(paths, keys, names, below, result);
	for (size_t i = 0; i < KEYS; i++) {
		zend_string_release(keys[i]);
	}
	for (uint32_t i = 1; i < paths->symbols; i++) {
		if (names[i]) {
			zend_string_release(names[i]);
		}
	}
	if (!complete) {
		zval_ptr_dtor(result);
		ZVAL_NULL(result);
	}
	return complete;
}
