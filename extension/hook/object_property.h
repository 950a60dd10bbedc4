/* Properties of objects, read in place: no code of the program runs, so neither a getter nor a hook nor __get(). */
#ifndef XHPROF_HOOK_OBJECT_PROPERTY_H
#define XHPROF_HOOK_OBJECT_PROPERTY_H

#include "php.h"

/* Returns the value of a property, private ones of parents too; NULL without one, or if it has no value. */
const zval *xhprof_object_property(const zend_object *object, const char *name);

/* The same, of a static property of a class. */
const zval *xhprof_object_property_static(zend_class_entry *class, const char *name);

/* The same, only for a value of that type. A text that is empty is none. */
const zend_object *xhprof_object_property_object(const zend_object *object, const char *name);
const zend_string *xhprof_object_property_text(const zend_object *object, const char *name);
const HashTable *xhprof_object_property_array(const zend_object *object, const char *name);
bool xhprof_object_property_is_true(const zend_object *object, const char *name);

/* Returns the text at a key of an array; NULL without one, if it is empty, or if `array` is NULL. */
const zend_string *xhprof_array_text(const HashTable *array, const char *key);

#endif
