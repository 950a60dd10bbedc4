#include "alloc_output.h"

#include "alloc_array.h"
#include "alloc_callgrind.h"
#include "alloc_chrome.h"
#include "alloc_folded.h"
#include "alloc_json.h"
#include "alloc_pprof.h"
#include "file_limit.h"

#include "zend_exceptions.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static const struct {
	const char *name;
	xhprof_alloc_write write;
} formats[] = {
	{"array-json", xhprof_alloc_write_json}, {"callgrind", xhprof_alloc_write_callgrind},
	{"pprof", xhprof_alloc_write_pprof},     {"folded", xhprof_alloc_write_folded},
	{"chrome", xhprof_alloc_write_chrome},
};

void xhprof_alloc_request_init(xhprof_alloc_request *request, xhprof_alloc_write write)
{
	memset(request, 0, sizeof(*request));
	request->write = write;
	request->dump.by_types = request->format.types = request->format.detailed = true;
	for (int i = 0; i < XHPROF_ALLOCATORS; i++) {
		request->dump.allocators[i] = true;
	}
}

static bool read_format(xhprof_alloc_request *request, const zend_string *format)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (zend_string_equals_cstr(format, formats[i].name, strlen(formats[i].name))) {
			xhprof_alloc_request_init(request, formats[i].write);
			return true;
		}
	}
	zend_argument_value_error(2, "must be \"array-json\", \"callgrind\", \"pprof\", \"folded\" or \"chrome\"");
	return false;
}

static bool wrong_type(const char *name, const char *type, const zval *value)
{
	zend_type_error("xhprof_alloc_dump(): Option \"%s\" must be of type %s, %s given", name, type,
					zend_zval_type_name(value));
	return false;
}

static bool read_number(const char *name, const zval *value, zend_long most, uint64_t *number)
{
	if (Z_TYPE_P(value) != IS_LONG) {
		return wrong_type(name, "int", value);
	}
	if (Z_LVAL_P(value) < 0 || Z_LVAL_P(value) > most) {
		zend_value_error("xhprof_alloc_dump(): Option \"%s\" must be between 0 and " ZEND_LONG_FMT, name, most);
		return false;
	}
	*number = (uint64_t)Z_LVAL_P(value);
	return true;
}

static bool read_mark(const char *name, const zval *value, uint32_t *mark)
{
	uint64_t number = 0;
	bool read = read_number(name, value, UINT32_MAX, &number);
	*mark = (uint32_t)number;
	return read;
}

static bool read_bool(const char *name, const zval *value, bool *flag)
{
	if (Z_TYPE_P(value) != IS_TRUE && Z_TYPE_P(value) != IS_FALSE) {
		return wrong_type(name, "bool", value);
	}
	*flag = Z_TYPE_P(value) == IS_TRUE;
	return true;
}

/* One of two or three words, NULL after the last; its place in `*choice`. */
static bool read_choice(const char *name, const zval *value, const char *const *words, int *choice)
{
	if (Z_TYPE_P(value) != IS_STRING) {
		return wrong_type(name, "string", value);
	}
	for (*choice = 0; words[*choice]; ++*choice) {
		if (zend_string_equals_cstr(Z_STR_P(value), words[*choice], strlen(words[*choice]))) {
			return true;
		}
	}
	if (words[2]) {
		zend_value_error("xhprof_alloc_dump(): Option \"%s\" must be \"%s\", \"%s\" or \"%s\"", name, words[0],
						 words[1], words[2]);
	} else {
		zend_value_error("xhprof_alloc_dump(): Option \"%s\" must be \"%s\" or \"%s\"", name, words[0], words[1]);
	}
	return false;
}

static bool read_option(xhprof_alloc_request *request, const char *name, const zval *value)
{
	static const char *const allocators[] = {"zend_mm", "malloc", "all", NULL};
	static const char *const levels[] = {"light", "detailed", NULL}, *const metrics[] = {"bytes", "blocks", NULL};
	int choice = 0;
	bool read = true;
	if (strcmp(name, "threshold") == 0) {
		read = read_number(name, value, ZEND_LONG_MAX, &request->dump.threshold);
	} else if (strcmp(name, "after") == 0) {
		read = read_mark(name, value, &request->dump.after);
	} else if (strcmp(name, "before") == 0) {
		read = read_mark(name, value, &request->dump.before);
	} else if (strcmp(name, "types") == 0) {
		read = read_bool(name, value, &request->format.types);
		request->dump.by_types = request->format.types;
	} else if (strcmp(name, "allocator") == 0) {
		read = read_choice(name, value, allocators, &choice);
		request->dump.allocators[XHPROF_ALLOCATOR_ZEND] = choice != 1;
		request->dump.allocators[XHPROF_ALLOCATOR_MALLOC] = choice != 0;
	} else if (strcmp(name, "level") == 0) {
		read = read_choice(name, value, levels, &choice);
		request->format.detailed = choice == 1;
	} else if (strcmp(name, "metric") == 0) {
		read = read_choice(name, value, metrics, &choice);
		request->format.blocks = choice == 1;
	} else {
		zend_error(E_WARNING, "xhprof_alloc_dump(): Unknown option \"%s\" is ignored", name);
	}
	return read && !EG(exception);
}

bool xhprof_alloc_request_read(xhprof_alloc_request *request, const zend_string *format, HashTable *options)
{
	zend_string *name;
	zval *value;
	if (!read_format(request, format)) {
		return false;
	}
	if (!options) {
		return true;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(options, name, value) {
		ZVAL_DEREF(value);
		if (!read_option(request, name ? ZSTR_VAL(name) : "(numeric)", value)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (request->dump.before && request->dump.before <= request->dump.after) {
		zend_value_error("xhprof_alloc_dump(): Option \"before\" must be a later mark than \"after\"");
		return false;
	}
	return true;
}

/* What has to be given back, whichever way the writing ends. */
typedef struct output {
	xhprof_alloc_dump *dump;
	xhprof_alloc_paths paths;
	xhprof_writer *writer; /* not on the stack: a fiber's may be small */
} output;

static void output_begin(output *out, xhprof_alloc_dump *dump)
{
	memset(out, 0, sizeof(*out));
	out->dump = dump;
	XHPROF_G(tracking).busy = true;
}

static void output_end(output *out)
{
	xhprof_alloc_paths_release(&out->paths);
	xhprof_pages_unmap(out->writer, sizeof(*out->writer));
	xhprof_alloc_dump_release(out->dump);
	XHPROF_G(tracking).busy = false;
}

static bool put_to_stream(void *stream, const char *bytes, size_t length)
{
	return php_stream_write(stream, bytes, length) == (ssize_t)length && !EG(exception);
}

/* To the stream, or where there is none to `fd`; errno of what failed, or 0. Apart, so that none of its variables lives
 * across a caller's setjmp(). */
static zend_never_inline int write_out(output *out, const xhprof_alloc_request *request, php_stream *stream, int fd)
{
	out->writer = xhprof_pages_map(sizeof(*out->writer));
	if (!out->writer) {
		return ENOMEM;
	}
	if (stream) {
		xhprof_writer_init_put(out->writer, put_to_stream, stream);
	} else {
		xhprof_writer_init(out->writer, fd);
	}
	if (!request->write(out->dump, &request->format, &out->paths, out->writer)) {
		return ENOMEM;
	}
	return xhprof_writer_flush(out->writer) ? 0 : out->writer->error;
}

bool xhprof_alloc_output_stream(const char *function, php_stream *stream, const xhprof_alloc_request *request,
								xhprof_alloc_dump *dump)
{
	output out;
	volatile int error = 0;
	output_begin(&out, dump);
	zend_try
	{
		error = write_out(&out, request, stream, -1);
	}
	zend_catch
	{ /* a stream of the program's own may end it */
		output_end(&out);
		zend_bailout();
	}
	zend_end_try();
	output_end(&out);
	if (error && !EG(exception)) {
		zend_error(E_WARNING,
				   error == ENOMEM ? "%s(): No memory to write the dump with"
								   : "%s(): The stream could not be written to",
				   function);
	}
	return !error;
}

void xhprof_alloc_output_array(zval *result, xhprof_alloc_dump *dump)
{
	output out;
	output_begin(&out, dump);
	zend_try
	{
		xhprof_alloc_array(dump, &out.paths, result);
	}
	zend_catch
	{ /* memory_limit */
		output_end(&out);
		zend_bailout();
	}
	zend_end_try();
	output_end(&out);
}

#define NAME_TRIES 100

/* A new file; its name in `path`. -1 and errno. */
static int open_new_file(const char *directory, const char *format, double time, char *path, size_t room)
{
	int fd = -1;
	uint64_t stamp = (uint64_t)(time * 1e6);
	for (int i = 0; i < NAME_TRIES && fd < 0; i++) {
		if (snprintf(path, room, "%s/memprof.%s.%llu", directory, format, (unsigned long long)stamp + i) >= (int)room) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (fd < 0 && errno != EEXIST) {
			return -1;
		}
	}
	return fd;
}

void xhprof_alloc_output_file(const char *directory, const char *format, const xhprof_alloc_request *request,
							  xhprof_alloc_dump *dump)
{
	output out;
	xhprof_file_limit limit;
	char path[MAXPATHLEN], message[MAXPATHLEN + 128];
	int error = 0, fd;
	output_begin(&out, dump);
	xhprof_file_limit_begin(&limit);
	fd = open_new_file(directory, format, dump->time, path, sizeof(path));
	if (fd < 0) {
		error = errno;
	} else {
		error = write_out(&out, request, NULL, fd);
		if (close(fd) != 0 && !error) {
			error = errno;
		}
		if (error) {
			unlink(path);
		}
	}
	xhprof_file_limit_end(&limit);
	output_end(&out);
	if (error) {
		snprintf(message, sizeof(message), "xhprof: no memory profile at memory_limit: %.*s: %s", MAXPATHLEN, directory,
				 strerror(error));
	} else {
		snprintf(message, sizeof(message), "xhprof: the memory profile at memory_limit is %s", path);
	}
	php_log_err(message);
}
