#include "otel_context.h"

#include "object_property.h"

#include "zend_fibers.h"

#define MOST_SCOPES 256 /* that are looked through for the outermost span */
#define MOST_STORAGES 4 /* within each other */

static bool is_named(const zend_class_entry *class, const char *name)
{
	return strcmp(ZSTR_VAL(class->name), name) == 0;
}

/* Returns the class OpenTelemetry\\Context\\Context, or NULL. Most programs do not have it: the table of classes is asked
 * again only when it has grown. */
static zend_class_entry *context_class(void)
{
	static const char name[] = "opentelemetry\\context\\context";
	HashTable *classes = EG(class_table);
	if (XHPROF_G(context).classes == classes->nNumUsed && !XHPROF_G(context).otel) {
		return NULL;
	}
	zend_class_entry *class = zend_hash_str_find_ptr(classes, name, sizeof(name) - 1);
	XHPROF_G(context).classes = classes->nNumUsed;
	XHPROF_G(context).otel = class != NULL;
	return class;
}

/* Returns the object that a WeakMap has for another one, or NULL. Its handlers are the engine's. */
static const zend_object *in_weak_map(const zend_object *map, const zend_object *of)
{
	zval key, room, *value;
	if (map->ce->type != ZEND_INTERNAL_CLASS || !is_named(map->ce, "WeakMap")) {
		return NULL;
	}
	ZVAL_OBJ(&key, (zend_object *)of);
	if (!map->handlers->has_dimension((zend_object *)map, &key, 0)) {
		return NULL;
	}
	value = map->handlers->read_dimension((zend_object *)map, &key, BP_VAR_R, &room);
	if (value) {
		ZVAL_DEREF(value);
	}
	return value && Z_TYPE_P(value) == IS_OBJECT ? Z_OBJ_P(value) : NULL;
}

/* Returns the head of the list of the scopes of this fiber, or NULL. A storage has one that follows the program, or one
 * for each fiber by a map with itself in place of {main}, or another storage. */
static const zend_object *head_of(const zend_object *storage)
{
	for (int i = 0; storage && i < MOST_STORAGES; i++) {
		const zend_object *heads = xhprof_object_property_object(storage, "heads");
		const zend_object *head = xhprof_object_property_object(storage, "current");
		if (heads) {
			return in_weak_map(heads, EG(active_fiber) ? &EG(active_fiber)->std : storage);
		}
		if (head) {
			return head;
		}
		const zend_object *outer = storage;
		storage = xhprof_object_property_object(outer, "bc"); /* comes in place of the other */
		storage = storage ? storage : xhprof_object_property_object(outer, "storage");
	}
	return NULL;
}

static bool read_id(uint8_t *bytes, size_t size, const zend_object *context, const char *name)
{
	const zval *value = xhprof_object_property(context, name);
	return value && Z_TYPE_P(value) == IS_STRING &&
		   xhprof_trace_id_read(bytes, size, Z_STRVAL_P(value), Z_STRLEN_P(value));
}

/* Reads the ids of the span in the context of a scope. The span that stands for none has ids of 0. */
static bool read_span(xhprof_trace_ids *ids, const zend_object *scope)
{
	const zend_object *context = xhprof_object_property_object(scope, "context");
	const zend_object *span = context ? xhprof_object_property_object(context, "span") : NULL;
	const zend_object *of_span = span ? xhprof_object_property_object(span, "context") : NULL;
	xhprof_trace_ids read;
	if (!of_span || !read_id(read.trace, sizeof(read.trace), of_span, "traceId") ||
		!read_id(read.span, sizeof(read.span), of_span, "spanId")) {
		return false;
	}
	*ids = read;
	return true;
}

bool xhprof_otel_context(xhprof_trace_ids *ids, bool outermost)
{
	zend_class_entry *class = context_class();
	const zval *storage = class ? xhprof_object_property_static(class, "storage") : NULL;
	const zend_object *head = storage && Z_TYPE_P(storage) == IS_OBJECT ? head_of(Z_OBJ_P(storage)) : NULL;
	const zend_object *scope = head ? xhprof_object_property_object(head, "node") : NULL;
	bool found = scope && read_span(ids, scope);
	for (int i = 0; scope && outermost && i < MOST_SCOPES; i++) {
		found = read_span(ids, scope) || found;
		scope = xhprof_object_property_object(scope, "previous");
	}
	return found;
}
