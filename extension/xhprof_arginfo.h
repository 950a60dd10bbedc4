/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 67edd81eaee8677628862a0f736910d74133d20d */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_enable, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, flags, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_disable, 0, 0, IS_ARRAY, 1)
ZEND_END_ARG_INFO()

#define arginfo_xhprof_call_tree arginfo_xhprof_disable

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_save, 0, 0, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, source, IS_STRING, 0, "\"xhprof\"")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, meta, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_sample_enable, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_xhprof_sample_disable arginfo_xhprof_disable

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_begin_span, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, meta, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_end_span, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_xhprof_span, 0, 1, XHProfSpan, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, meta, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_set_route, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_context, 0, 2, IS_ARRAY, 1)
	ZEND_ARG_TYPE_INFO(0, trace_id, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, span_id, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_ignore_request, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_xhprof_run_id arginfo_xhprof_end_span

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_redact, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_MASK(0, text, MAY_BE_STRING|MAY_BE_ARRAY, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_xhprof_alloc_mark, 0, 0, MAY_BE_LONG|MAY_BE_FALSE)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_alloc_dump, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_INFO(0, stream)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, format, IS_STRING, 0, "\"json\"")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_xhprof_heap_snapshot, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, file, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, options, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_XHProfSpan___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_XHProfSpan_end arginfo_xhprof_end_span

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_XHProfSpan_enter, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_XHProfSpan_leave arginfo_class_XHProfSpan_enter


ZEND_FUNCTION(xhprof_enable);
ZEND_FUNCTION(xhprof_disable);
ZEND_FUNCTION(xhprof_call_tree);
ZEND_FUNCTION(xhprof_save);
ZEND_FUNCTION(xhprof_sample_enable);
ZEND_FUNCTION(xhprof_sample_disable);
ZEND_FUNCTION(xhprof_begin_span);
ZEND_FUNCTION(xhprof_end_span);
ZEND_FUNCTION(xhprof_span);
ZEND_FUNCTION(xhprof_set_route);
ZEND_FUNCTION(xhprof_context);
ZEND_FUNCTION(xhprof_ignore_request);
ZEND_FUNCTION(xhprof_run_id);
ZEND_FUNCTION(xhprof_redact);
ZEND_FUNCTION(xhprof_alloc_mark);
ZEND_FUNCTION(xhprof_alloc_dump);
ZEND_FUNCTION(xhprof_heap_snapshot);
ZEND_METHOD(XHProfSpan, __construct);
ZEND_METHOD(XHProfSpan, end);
ZEND_METHOD(XHProfSpan, enter);
ZEND_METHOD(XHProfSpan, leave);


static const zend_function_entry ext_functions[] = {
	ZEND_FE(xhprof_enable, arginfo_xhprof_enable)
	ZEND_FE(xhprof_disable, arginfo_xhprof_disable)
	ZEND_FE(xhprof_call_tree, arginfo_xhprof_call_tree)
	ZEND_FE(xhprof_save, arginfo_xhprof_save)
	ZEND_FE(xhprof_sample_enable, arginfo_xhprof_sample_enable)
	ZEND_FE(xhprof_sample_disable, arginfo_xhprof_sample_disable)
	ZEND_FE(xhprof_begin_span, arginfo_xhprof_begin_span)
	ZEND_FE(xhprof_end_span, arginfo_xhprof_end_span)
	ZEND_FE(xhprof_span, arginfo_xhprof_span)
	ZEND_FE(xhprof_set_route, arginfo_xhprof_set_route)
	ZEND_FE(xhprof_context, arginfo_xhprof_context)
	ZEND_FE(xhprof_ignore_request, arginfo_xhprof_ignore_request)
	ZEND_FE(xhprof_run_id, arginfo_xhprof_run_id)
	ZEND_FE(xhprof_redact, arginfo_xhprof_redact)
	ZEND_FE(xhprof_alloc_mark, arginfo_xhprof_alloc_mark)
	ZEND_FE(xhprof_alloc_dump, arginfo_xhprof_alloc_dump)
	ZEND_FE(xhprof_heap_snapshot, arginfo_xhprof_heap_snapshot)
	ZEND_FE_END
};


static const zend_function_entry class_XHProfSpan_methods[] = {
	ZEND_ME(XHProfSpan, __construct, arginfo_class_XHProfSpan___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(XHProfSpan, end, arginfo_class_XHProfSpan_end, ZEND_ACC_PUBLIC)
	ZEND_ME(XHProfSpan, enter, arginfo_class_XHProfSpan_enter, ZEND_ACC_PUBLIC)
	ZEND_ME(XHProfSpan, leave, arginfo_class_XHProfSpan_leave, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static void register_xhprof_symbols(int module_number)
{
	REGISTER_LONG_CONSTANT("XHPROF_FLAGS_NO_BUILTINS", XHPROF_FLAGS_NO_BUILTINS, CONST_PERSISTENT);
	REGISTER_LONG_CONSTANT("XHPROF_FLAGS_CPU", XHPROF_FLAGS_CPU, CONST_PERSISTENT);
	REGISTER_LONG_CONSTANT("XHPROF_FLAGS_MEMORY", XHPROF_FLAGS_MEMORY, CONST_PERSISTENT);
	REGISTER_LONG_CONSTANT("XHPROF_FLAGS_ALLOC", XHPROF_FLAGS_ALLOC, CONST_PERSISTENT);
	REGISTER_LONG_CONSTANT("XHPROF_FLAGS_TIMELINE", XHPROF_FLAGS_TIMELINE, CONST_PERSISTENT);
}

static zend_class_entry *register_class_XHProfSpan(void)
{
	zend_class_entry ce, *class_entry;

	INIT_CLASS_ENTRY(ce, "XHProfSpan", class_XHProfSpan_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
