/* The class XHProfSpan, whose object ends its span. */
#ifndef XHPROF_REQUEST_SPAN_OBJECT_H
#define XHPROF_REQUEST_SPAN_OBJECT_H

#include "php_xhprof.h"

/* Completes the class, which has just been registered. */
void xhprof_span_object_minit(zend_class_entry *registered);

/* Begins a span. `object` becomes its object, unless an exception is thrown. */
void xhprof_span_object_begin(const zend_string *name, zval *meta, zval *object);

#endif
