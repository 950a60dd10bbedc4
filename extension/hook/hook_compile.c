#include "hook_compile.h"

#include "function_name.h"

static zend_op_array *(*previous_compile_file)(zend_file_handle *file, int type);
static zend_op_array *(*previous_compile_string)(zend_string *source, const char *filename,
												 zend_compile_position position);

/* The identity of such a "frame" is the address of the symbol on the C stack. After a fatal error in the compiler nobody
 * ends it; the end of the call around it does. */
static bool compile_begin(xhprof_symbol_ref *symbol, const char *prefix, const char *path, size_t length, bool shorten)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	xhprof_tracer_close_segment(tracer);
	*symbol = shorten ? xhprof_file_symbol(&tracer->symbols, prefix, path, length, XHPROF_SYMBOL_COMPILED)
					  : xhprof_joined_symbol(&tracer->symbols, prefix, strlen(prefix), "", path, length, 0,
											 XHPROF_SYMBOL_COMPILED);
	xhprof_tracer_skip(tracer);
	if (*symbol & XHPROF_SYMBOL_TRANSPARENT) {
		return false;
	}
	BEGIN_PROFILING(tracer, symbol, *symbol, 1);
	return true;
}

static void compile_end(const xhprof_symbol_ref *symbol)
{
	if (xhprof_tracer_running(&XHPROF_G(tracer))) {
		END_PROFILING(&XHPROF_G(tracer), symbol);
	}
}

static zend_op_array *wrapped_compile_file(zend_file_handle *file, int type)
{
	const zend_string *path = file->opened_path ? file->opened_path : file->filename;
	xhprof_symbol_ref symbol;
	if (!xhprof_tracer_running(&XHPROF_G(tracer)) || !path ||
		!compile_begin(&symbol, "load::", ZSTR_VAL(path), ZSTR_LEN(path), true)) {
		return previous_compile_file(file, type);
	}
	zend_op_array *code = previous_compile_file(file, type);
	compile_end(&symbol);
	return code;
}

static zend_op_array *wrapped_compile_string(zend_string *source, const char *filename, zend_compile_position position)
{
	xhprof_symbol_ref symbol;
	if (!xhprof_tracer_running(&XHPROF_G(tracer)) || !filename ||
		!compile_begin(&symbol, "eval::", filename, strlen(filename), false)) {
		return previous_compile_string(source, filename, position);
	}
	zend_op_array *code = previous_compile_string(source, filename, position);
	compile_end(&symbol);
	return code;
}

static bool installed; /* process-wide, as the pointers it guards; threads race for it atomically */

void xhprof_hook_compile_rinit(void)
{
	if (!__atomic_exchange_n(&installed, true, __ATOMIC_ACQ_REL)) {
		previous_compile_file = zend_compile_file;
		previous_compile_string = zend_compile_string;
		/* Another thread that sees the wrapper must see what it wraps. */
		__atomic_store_n(&zend_compile_file, wrapped_compile_file, __ATOMIC_RELEASE);
		__atomic_store_n(&zend_compile_string, wrapped_compile_string, __ATOMIC_RELEASE);
	}
}

void xhprof_hook_compile_mshutdown(void)
{
	installed = false; /* an embedding program may start the engine again */
	/* Only when nobody has wrapped us since: an unloaded hook in another's chain would crash. */
	if (zend_compile_file == wrapped_compile_file) {
		zend_compile_file = previous_compile_file;
	}
	if (zend_compile_string == wrapped_compile_string) {
		zend_compile_string = previous_compile_string;
	}
}
