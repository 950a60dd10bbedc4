#include "object_property.h"

const zval *xhprof_object_property(const zend_object *object, const char *name)
{
	const zend_class_entry *class = object->ce;
	const zend_property_info *info = NULL;
	for (; class && !info; class = class->parent) {
		info = zend_hash_str_find_ptr(&class->properties_info, name, strlen(name));
		info = info && info->flags & ZEND_ACC_STATIC ? NULL : info;
	}
	size_t first = offsetof(zend_object, properties_table);
	if (!info && object->properties) { /* one that is not declared, as those of stdClass */
		zval *value = zend_hash_str_find_ind(object->properties, name, strlen(name));
		if (value) {
			ZVAL_DEREF(value);
		}
		return value;
	}
	if (!info || info->offset < first ||
		(info->offset - first) / sizeof(zval) >= (size_t)object->ce->default_properties_count) {
		return NULL; /* one without a place of its own is a hook's */
	}
	const zval *value = (const zval *)((const char *)object + info->offset);
	ZVAL_DEREF(value);
	return Z_TYPE_P(value) == IS_UNDEF ? NULL : value;
}

const zend_object *xhprof_object_property_object(const zend_object *object, const char *name)
{
	const zval *value = xhprof_object_property(object, name);
	return value && Z_TYPE_P(value) == IS_OBJECT ? Z_OBJ_P(value) : NULL;
}

const zend_string *xhprof_object_property_text(const zend_object *object, const char *name)
{
	const zval *value = xhprof_object_property(object, name);
	return value && Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) ? Z_STR_P(value) : NULL;
}

const HashTable *xhprof_object_property_array(const zend_object *object, const char *name)
{
	const zval *value = xhprof_object_property(object, name);
	return value && Z_TYPE_P(value) == IS_ARRAY ? Z_ARRVAL_P(value) : NULL;
}

bool xhprof_object_property_is_true(const zend_object *object, const char *name)
{
	const zval *value = xhprof_object_property(object, name);
	return value && Z_TYPE_P(value) == IS_TRUE;
}

const zend_string *xhprof_array_text(const HashTable *array, const char *key)
{
	const zval *value = array ? zend_hash_str_find_deref((HashTable *)array, key, strlen(key)) : NULL;
	return value && Z_TYPE_P(value) == IS_STRING && Z_STRLEN_P(value) ? Z_STR_P(value) : NULL;
}

const zval *xhprof_object_property_static(zend_class_entry *class, const char *name)
{
	const zend_property_info *info = zend_hash_str_find_ptr(&class->properties_info, name, strlen(name));
	zval *values = info && info->flags & ZEND_ACC_STATIC ? CE_STATIC_MEMBERS(class) : NULL;
	if (!values) {
		return NULL; /* its class was not used yet */
	}
	const zval *value = values + info->offset;
	ZVAL_DEINDIRECT(value);
	ZVAL_DEREF(value);
	return Z_TYPE_P(value) == IS_UNDEF ? NULL : value;
}
