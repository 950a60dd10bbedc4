#include "hook_compile.h"

#include "operation.h"
#include "operation_count.h"
#include "sampler.h"

static zend_op_array *(*previous_compile_file)(zend_file_handle *file, int type);
static zend_op_array *(*previous_compile_string)(zend_string *source, const char *filename,
												 zend_compile_position position);

typedef struct compiling {
	xhprof_compiled what;
	/* Its address is the identity of such a "frame". After a fatal error in the compiler nothing ends it; the end of
	 * the call around it does. */
	xhprof_symbol_ref symbol;
	bool traced, sampled;
} compiling;

static bool trace_begin(compiling *now)
{
	xhprof_tracer *tracer = &XHPROF_G(tracer);
	xhprof_tracer_close_segment(tracer);
	now->symbol = xhprof_compiled_symbol(&tracer->symbols, &now->what, XHPROF_SYMBOL_COMPILED);
	xhprof_tracer_skip(tracer);
	if (now->symbol & XHPROF_SYMBOL_TRANSPARENT) {
		return false;
	}
	xhprof_tracer_begin_any(tracer, &now->symbol, now->symbol, 1);
	xhprof_operation_begin_engine(tracer, &now->symbol, XHPROF_OPERATION_COMPILE,
								  now->what.shorten ? "include a file" : "compile a string");
	return true;
}

static void compile_begin(compiling *now)
{
	now->sampled = xhprof_sampler_running();
	xhprof_operation_count_engine(XHPROF_OPERATION_COMPILE);
	if (now->sampled) {
		xhprof_sampler_engine_begins();
	}
	now->traced = xhprof_tracer_running(&XHPROF_G(tracer)) && trace_begin(now);
}

static void compile_end(const compiling *now)
{
	if (now->traced && xhprof_tracer_running(&XHPROF_G(tracer))) {
		xhprof_operation_end_engine(&XHPROF_G(tracer), &now->symbol);
		xhprof_tracer_end_any(&XHPROF_G(tracer), &now->symbol);
	}
	if (now->sampled) {
		xhprof_sampler_compiled(&now->what);
	}
}

static bool is_followed(void)
{
	return xhprof_tracer_running(&XHPROF_G(tracer)) || xhprof_sampler_running() || xhprof_operation_counting();
}

static zend_op_array *wrapped_compile_file(zend_file_handle *file, int type)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE); /* see xhprof_hook_compile_install() */
	zend_string *path = file->opened_path ? file->opened_path : file->filename;
	if (!path || !is_followed()) {
		return previous_compile_file(file, type);
	}
	compiling now = {.what = {"load::", ZSTR_VAL(path), ZSTR_LEN(path), true}};
	zend_string_addref(path); /* the compiler may release it */
	compile_begin(&now);
	zend_op_array *code = previous_compile_file(file, type);
	compile_end(&now);
	zend_string_release(path);
	return code;
}

static zend_op_array *wrapped_compile_string(zend_string *source, const char *filename, zend_compile_position position)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE); /* see xhprof_hook_compile_install() */
	if (!filename || !is_followed()) {
		return previous_compile_string(source, filename, position);
	}
	compiling now = {.what = {"eval::", filename, strlen(filename), false}};
	compile_begin(&now);
	zend_op_array *code = previous_compile_string(source, filename, position);
	compile_end(&now);
	return code;
}

static bool installed; /* process-wide, as the pointers it guards; threads race for it atomically */

void xhprof_hook_compile_install(void)
{
	if (!__atomic_exchange_n(&installed, true, __ATOMIC_ACQ_REL)) {
		previous_compile_file = zend_compile_file;
		previous_compile_string = zend_compile_string;
		/* A thread that sees the wrapper must also see the wrapped function: it reads that after a fence, as the engine
		 * reads the wrapper without one. */
		__atomic_store_n(&zend_compile_file, wrapped_compile_file, __ATOMIC_RELEASE);
		__atomic_store_n(&zend_compile_string, wrapped_compile_string, __ATOMIC_RELEASE);
	}
}

void xhprof_hook_compile_mshutdown(void)
{
	installed = false; /* an embedding program may start the engine again */
	/* Only if the hook is still ours: others may have wrapped us, and an unloaded hook in their chain would crash. */
	if (zend_compile_file == wrapped_compile_file) {
		zend_compile_file = previous_compile_file;
	}
	if (zend_compile_string == wrapped_compile_string) {
		zend_compile_string = previous_compile_string;
	}
}
