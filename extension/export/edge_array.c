#include "edge_array.h"

#include "compat/fallible.h"
#include "edge_name.h"

/* The keys of the metrics, static interned strings, which need no reference of their own in each of 100,000 arrays.
 * They are made once, and are the same for all threads. */
static zend_string *metric_keys[XHPROF_EDGE_METRICS];

void xhprof_edge_array_minit(void)
{
	for (size_t i = 0; i < XHPROF_EDGE_METRICS; i++) {
		metric_keys[i] =
			zend_string_init_interned(xhprof_edge_metric_names[i], strlen(xhprof_edge_metric_names[i]), true);
	}
}

/* Makes an array with the keys of all metrics; the values are set later. */
static HashTable *metrics_pattern(const xhprof_tracer *tracer)
{
	HashTable *pattern = zend_new_array(XHPROF_EDGE_METRICS);
	zval zero;
	ZVAL_LONG(&zero, 0);
	for (size_t i = 0; i < XHPROF_EDGE_METRICS; i++) {
		if (xhprof_edge_has_metric(tracer, i)) {
			zend_hash_add_new(pattern, metric_keys[i], &zero);
		}
	}
	return pattern;
}

/* Copies the pattern, as arrays of numbers under interned keys may be copied bytewise, and sets the values. NULL: see
 * fallible.h. */
static HashTable *metrics_copy(const HashTable *pattern, const int64_t *metrics, size_t count)
{
	HashTable *copy = xhprof_compat_try_alloc(sizeof(*copy));
	void *data = copy ? xhprof_compat_try_alloc(HT_SIZE(pattern)) : NULL;
	if (!data) {
		if (copy) {
			efree(copy);
		}
		return NULL;
	}
	*copy = *pattern;
	HT_SET_DATA_ADDR(copy, data);
	memcpy(HT_GET_DATA_ADDR(copy), HT_GET_DATA_ADDR(pattern), HT_USED_SIZE(pattern));
	for (size_t i = 0; i < count; i++) {
		Z_LVAL(copy->arData[i].val) = (zend_long)metrics[i];
	}
	return copy;
}

/* The number of arrays that edges may share. Many edges have the same few metrics, called once and over in no time:
 * they share one array, as copies of an array do, until the program writes to one. An array takes four times as much
 * memory as a name. `shared` has the latest ones and a reference to each, as an edge may be overwritten. */
#define SHARED_ARRAYS 512

static void share_release(HashTable *array)
{
	if (array) {
		zend_array_release(array);
	}
}

static HashTable *metrics_array(HashTable **shared, const HashTable *pattern, const int64_t *metrics, size_t count)
{
	uint64_t hash = 0;
	for (size_t i = 0; i < count; i++) {
		hash = xhprof_hash_spread(hash ^ (uint64_t)metrics[i]);
	}
	HashTable **place = &shared[(hash >> 32) % SHARED_ARRAYS], *found = *place;
	for (size_t i = 0; found && i < count; i++) {
		found = Z_LVAL(found->arData[i].val) == (zend_long)metrics[i] ? found : NULL;
	}
	if (!found) {
		share_release(*place);
		*place = found = metrics_copy(pattern, metrics, count);
	}
	if (found) {
		GC_ADDREF(found);
	}
	return found;
}

static bool add_edge(const xhprof_tracer *tracer, const xhprof_fold *fold, const xhprof_edge *edge, HashTable **shared,
					 const HashTable *pattern, HashTable *edges)
{
	xhprof_edge_name name;
	int64_t numbers[XHPROF_EDGE_METRICS];
	xhprof_edge_name_of(&name, &tracer->symbols, fold, edge);
	zend_string *key = xhprof_compat_try_string(name.length);
	if (!key) {
		return false;
	}
	*xhprof_edge_name_copy(ZSTR_VAL(key), &name) = '\0';
	HashTable *array = metrics_array(shared, pattern, numbers, xhprof_edge_metrics(tracer, edge, numbers));
	if (array) {
		zval metrics;
		ZVAL_ARR(&metrics, array);
		zend_hash_update(edges, key, &metrics); /* names that contain "==>" may collide */
	}
	zend_string_release(key);
	return array != NULL;
}

/* Fills the array of edges; it becomes NULL at memory_limit, which the engine reports. */
static void fill_array(const xhprof_tracer *tracer, const xhprof_fold *fold, zval *result)
{
	HashTable *shared[SHARED_ARRAYS] = {NULL}, *pattern = metrics_pattern(tracer);
	array_init_size(result, fold->edge_count);
	bool complete = xhprof_compat_try_real_init(Z_ARRVAL_P(result), false);
	for (uint32_t i = 0; complete && i < fold->edge_count; i++) {
		complete = add_edge(tracer, fold, &fold->edges[i], shared, pattern, Z_ARRVAL_P(result));
	}
	for (size_t i = 0; i < SHARED_ARRAYS; i++) {
		share_release(shared[i]);
	}
	zend_array_release(pattern);
	if (!complete) {
		zval_ptr_dtor(result);
		ZVAL_NULL(result);
	}
}

bool xhprof_edge_array(const xhprof_tracer *tracer, bool keep_run_init, zval *result)
{
	xhprof_columns columns;
	xhprof_fold fold;
	ZVAL_NULL(result);
	xhprof_columns_init(&columns, tracer);
	bool complete = xhprof_fold_tree(&fold, &columns, tracer->symbols.count, keep_run_init);
	if (complete) {
		zend_try
		{
			fill_array(tracer, &fold, result);
		}
		zend_catch
		{ /* memory_limit: the engine does not free our pages */
			xhprof_fold_release(&fold);
			zend_bailout();
		}
		zend_end_try();
	}
	xhprof_fold_release(&fold);
	return complete;
}
