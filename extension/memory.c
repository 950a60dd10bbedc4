#include "memory.h"

#include "export/heap_snapshot.h"
#include "hook/alloc_tracking.h"
#include "hook/session.h"

#include "zend_exceptions.h"

#include <errno.h>

/* Reports why there is no snapshot; returns false always. */
static bool fail_snapshot(const xhprof_memory_caller *caller, const char *why)
{
	if (caller->throws) {
		zend_throw_exception_ex(zend_ce_exception, 0, "%s(): %s", caller->function, why);
	} else {
		zend_error(E_WARNING, "%s(): %s", caller->function, why);
	}
	return false;
}

bool xhprof_memory_take(const xhprof_memory_caller *caller, xhprof_alloc_dump *dump,
						const xhprof_alloc_dump_options *options)
{
	if (XHPROF_G(session).locked) {
		return fail_snapshot(caller, "A dump is being written already");
	}
	return xhprof_alloc_tracking_dump(dump, options) || fail_snapshot(caller, "Not enough memory to take the dump");
}

typedef struct writing {
	php_stream *to;
	const xhprof_alloc_request *request;
	xhprof_alloc_dump *dump;
	int error;
} writing;

static void write_to_stream(void *context)
{
	writing *output = context;
	output->error = xhprof_alloc_output_stream(output->to, output->request, output->dump);
}

bool xhprof_memory_dump(const xhprof_memory_caller *caller, zval *stream, const xhprof_alloc_request *request)
{
	xhprof_alloc_dump dump;
	php_stream *to = zend_fetch_resource2_ex(stream, "stream", php_file_le_stream(), php_file_le_pstream());
	if (!to) {
		return false; /* a TypeError reports that it is not a stream, or closed */
	}
	if (!xhprof_memory_take(caller, &dump, &request->dump)) {
		return false;
	}
	writing output = {.to = to, .request = request, .dump = &dump};
	xhprof_session_lock(write_to_stream, &output);
	if (output.error && !EG(exception)) {
		fail_snapshot(caller, output.error == ENOMEM ? "Not enough memory to write the dump" : caller->unwritable);
	}
	return !output.error;
}

PHP_FUNCTION(xhprof_alloc_mark)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!xhprof_alloc_tracking_running()) {
		RETURN_FALSE; /* the loop of a worker marks each job, tracked or not */
	}
	RETURN_LONG(xhprof_alloc_tracking_mark());
}

PHP_FUNCTION(xhprof_alloc_dump)
{
	zval *stream;
	zend_string *format = NULL;
	HashTable *options = NULL;
	xhprof_alloc_request request;
	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_RESOURCE(stream)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(format)
		Z_PARAM_ARRAY_HT(options)
	ZEND_PARSE_PARAMETERS_END();
	if (!xhprof_alloc_request_read(&request, format, options)) {
		RETURN_THROWS();
	}
	if (!xhprof_alloc_tracking_any()) {
		zend_error(E_WARNING, "xhprof_alloc_dump(): No allocations are tracked, and the last profile tracked none");
		RETURN_FALSE;
	}
	const xhprof_memory_caller caller = {"xhprof_alloc_dump", "The stream could not be written to", false};
	RETURN_BOOL(xhprof_memory_dump(&caller, stream, &request));
}

/* Takes a snapshot. Returns NULL, or why that failed. `path`: a buffer. */
static const char *take_snapshot(const xhprof_heap_request *request, const char *file, char path[MAXPATHLEN],
								 struct xhprof_heap_snapshot **snapshot)
{
	const char *failure;
	*snapshot = NULL;
	if (!expand_filepath_with_mode(file, path, NULL, 0, CWD_EXPAND)) {
		return strerror(ENAMETOOLONG);
	}
	if (php_check_open_basedir_ex(path, 0)) {
		return "it is not within open_basedir";
	}
	*snapshot = xhprof_heap_snapshot_write(request, path, &failure);
	return failure;
}

/* Puts the summary of a snapshot into an array. The function is separate because it calls setjmp(). */
static zend_never_inline void report_snapshot(struct xhprof_heap_snapshot *snapshot, zval *result)
{
	zend_try
	{
		xhprof_heap_snapshot_array(snapshot, result);
	}
	zend_catch
	{ /* memory_limit */
		xhprof_heap_snapshot_release(snapshot);
		zend_bailout();
	}
	zend_end_try();
}

/* Writes a snapshot. Returns whether there is one; its summary is then in `result`. */
static bool write_snapshot(const xhprof_heap_request *request, const char *file, zval *result)
{
	struct xhprof_heap_snapshot *snapshot = NULL;
	char *path = xhprof_pages_map(MAXPATHLEN); /* our memory must not be in the heap */
	const char *failure = path ? take_snapshot(request, file, path, &snapshot) : strerror(ENOMEM);
	xhprof_pages_unmap(path, MAXPATHLEN);
	bool left = xhprof_heap_snapshot_left(snapshot);
	if (!failure) {
		report_snapshot(snapshot, result);
	} else if (!left) {
		zend_error(E_WARNING, "xhprof_heap_snapshot(): No snapshot to %s: %s", file, failure);
	}
	xhprof_heap_snapshot_release(snapshot);
	if (left) {
		zend_bailout();
	}
	return !failure;
}

PHP_FUNCTION(xhprof_heap_snapshot)
{
	char *file;
	size_t length;
	HashTable *options = NULL;
	xhprof_heap_request request;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_PATH(file, length)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT(options)
	ZEND_PARSE_PARAMETERS_END();
	if (!length) {
		zend_argument_value_error(1, "cannot be empty");
		RETURN_THROWS();
	}
	if (!xhprof_heap_request_read(&request, options)) {
		RETURN_THROWS();
	}
	if (!write_snapshot(&request, file, return_value) && !EG(exception)) {
		RETURN_EMPTY_ARRAY();
	}
}
