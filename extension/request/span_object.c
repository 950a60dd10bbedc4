#include "span_object.h"

#include "span.h"

#include "zend_interfaces.h"

typedef struct span_object {
	uint64_t number; /* of the span, or 0 */
	uint64_t top;    /* see xhprof_span_leave() */
	zend_object object;
} span_object;

static zend_class_entry *span_class; /* written in MINIT */
static zend_object_handlers handlers;

static span_object *span_of(zend_object *object)
{
	return (span_object *)((char *)object - offsetof(span_object, object));
}

static zend_object *create_span(zend_class_entry *class_entry)
{
	span_object *span = zend_object_alloc(sizeof(*span), class_entry);
	span->number = span->top = 0;
	zend_object_std_init(&span->object, class_entry);
	object_properties_init(&span->object, class_entry);
	span->object.handlers = &handlers;
	return &span->object;
}

static const char *end_once(span_object *span)
{
	uint64_t number = span->number;
	span->number = 0;
	return number ? xhprof_span_end(number) : NULL;
}

static void destroy_span(zend_object *object)
{
	end_once(span_of(object));
}

PHP_METHOD(XHProfSpan, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
}

PHP_METHOD(XHProfSpan, end)
{
	ZEND_PARSE_PARAMETERS_NONE();
	const char *id = end_once(span_of(Z_OBJ_P(ZEND_THIS)));
	if (id) {
		RETURN_STRING(id);
	}
}

PHP_METHOD(XHProfSpan, enter)
{
	ZEND_PARSE_PARAMETERS_NONE();
	xhprof_span_enter(span_of(Z_OBJ_P(ZEND_THIS))->number);
}

PHP_METHOD(XHProfSpan, leave)
{
	ZEND_PARSE_PARAMETERS_NONE();
	xhprof_span_leave(span_of(Z_OBJ_P(ZEND_THIS))->top);
}

void xhprof_span_object_minit(zend_class_entry *registered)
{
	span_class = registered;
	span_class->create_object = create_span;
	handlers = std_object_handlers;
	handlers.offset = (int)offsetof(span_object, object);
	handlers.dtor_obj = destroy_span;
	handlers.clone_obj = NULL;
}

void xhprof_span_object_begin(const zend_string *name, zval *meta, zval *object)
{
	bool profiled;
	if (object_init_ex(object, span_class) != SUCCESS) {
		return;
	}
	span_object *span = span_of(Z_OBJ_P(object));
	span->number = xhprof_span_begin("xhprof_span", name, meta, true, &profiled);
	span->top = xhprof_span_top(span->number);
}
