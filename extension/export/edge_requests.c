#include "edge_requests.h"

#include "edge_name.h"

/* A node on the path of the walk. */
typedef struct open_node {
	uint32_t symbol; /* id; 0 if its figures are its caller's */
	uint32_t level;
	HashTable *metrics; /* of its edge, or of that of its caller; NULL: there is none */
} open_node;

typedef struct edge_walk {
	const xhprof_tracer *tracer;
	HashTable *edges;
	uint32_t *running; /* by symbol id: how often it is on the path */
	open_node *path;
	size_t capacity;
} edge_walk;

static const char *const keys[] = {"mem.na", "mem.nf", "mem.aa"};

static void set_number(HashTable *metrics, const char *key, zend_long number)
{
	zval value;
	ZVAL_LONG(&value, number);
	zend_hash_str_update(metrics, key, strlen(key), &value);
}

static void add_number(HashTable *metrics, const char *key, uint64_t number)
{
	zval *value = zend_hash_str_find(metrics, key, strlen(key));
	if (value) {
		Z_LVAL_P(value) += (zend_long)number;
	}
}

/* Adds the keys of the requests to each edge, which gets an array of its own: until then edges share arrays. */
static void add_keys(HashTable *edges, bool as_mu)
{
	zval *metrics;
	ZEND_HASH_FOREACH_VAL(edges, metrics) {
		SEPARATE_ARRAY(metrics);
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			set_number(Z_ARRVAL_P(metrics), keys[i], 0);
		}
		if (as_mu) {
			set_number(Z_ARRVAL_P(metrics), "mu", 0);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Returns the metrics of the edge from the one node to the other. */
static HashTable *metrics_of(const edge_walk *walk, const open_node *caller, const open_node *callee)
{
	xhprof_fold_label labels[] = {{.symbol = callee->symbol, .level = callee->level},
								  {.symbol = caller ? caller->symbol : 0, .level = caller ? caller->level : 0}};
	const xhprof_fold fold = {.labels = labels};
	const xhprof_edge edge = {.callee = 0, .caller = caller ? 1 : XHPROF_FOLD_NO_CALLER};
	xhprof_edge_name name;
	xhprof_edge_name_of(&name, &walk->tracer->symbols, &fold, &edge);
	zend_string *key = zend_string_alloc(name.length, false);
	*xhprof_edge_name_copy(ZSTR_VAL(key), &name) = '\0';
	zval *metrics = zend_hash_find(walk->edges, key);
	zend_string_efree(key);
	return metrics ? Z_ARRVAL_P(metrics) : NULL;
}

/* Returns the nearest node on the path that has an edge of its own. */
static const open_node *caller_at(const edge_walk *walk, uint32_t depth)
{
	while (depth > 0) {
		if (walk->path[--depth].symbol) {
			return &walk->path[depth];
		}
	}
	return NULL;
}

static open_node *enter(edge_walk *walk, const xhprof_node *node, uint32_t depth, bool keep_run_init)
{
	if (depth == walk->capacity) {
		walk->capacity = walk->capacity ? walk->capacity * 2 : 256;
		walk->path = safe_erealloc(walk->path, walk->capacity, sizeof(*walk->path), 0);
	}
	open_node *open = &walk->path[depth];
	const open_node *caller = caller_at(walk, depth);
	if (!keep_run_init && node->symbol & XHPROF_SYMBOL_RUN_INIT) {
		*open = (open_node){.metrics = caller ? caller->metrics : NULL};
	} else {
		uint32_t symbol = XHPROF_SYMBOL_ID(node->symbol);
		*open = (open_node){.symbol = symbol, .level = walk->running[symbol]++};
		open->metrics = metrics_of(walk, caller, open);
	}
	return open;
}

static void leave(edge_walk *walk, uint32_t from, uint32_t to)
{
	while (from-- > to) {
		walk->running[walk->path[from].symbol] -= walk->path[from].symbol != 0;
	}
}

void xhprof_edge_requests_add(const xhprof_tracer *tracer, bool keep_run_init, bool as_mu, HashTable *edges)
{
	edge_walk walk = {.tracer = tracer, .edges = edges};
	add_keys(edges, as_mu);
	walk.running = ecalloc((size_t)tracer->symbols.count + 1, sizeof(*walk.running));
	uint32_t depth = 0, open = 0;
	for (const xhprof_node *node = tracer->tree.root; node; node = xhprof_calltree_next_at(node, &depth)) {
		const xhprof_node_requests *requests = &tracer->tree.requests[node->id];
		leave(&walk, open, depth);
		HashTable *metrics = enter(&walk, node, depth, keep_run_init)->metrics;
		open = depth + 1;
		if (metrics) {
			add_number(metrics, "mem.na", requests->allocations);
			add_number(metrics, "mem.nf", requests->frees);
			add_number(metrics, "mem.aa", requests->bytes);
			if (as_mu) {
				add_number(metrics, "mu", requests->bytes);
			}
		}
	}
	efree(walk.running);
	if (walk.path) {
		efree(walk.path);
	}
}
