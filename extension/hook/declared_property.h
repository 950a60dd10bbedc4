/* Properties of the program's objects, read without running code of it: no getter, no hook, no autoloading. */
#ifndef XHPROF_HOOK_DECLARED_PROPERTY_H
#define XHPROF_HOOK_DECLARED_PROPERTY_H

#include "php.h"

/* Returns the value of a declared property; NULL if there is no such one, or it has no value. */
const zval *xhprof_declared_property(const zend_object *object, const char *name);

/* The same, of a static property of a class. */
const zval *xhprof_declared_static(zend_class_entry *class, const char *name);

/* Returns the object in such a property, or NULL. */
const zend_object *xhprof_declared_object(const zend_object *object, const char *name);

#endif
