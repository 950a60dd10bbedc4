#include "alloc_output.h"

#include "alloc_array.h"
#include "alloc_json.h"
#include "rlimit_guard.h"
#include "option.h"

#include "zend_exceptions.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

void xhprof_alloc_request_init(xhprof_alloc_request *request, xhprof_alloc_write write)
{
	memset(request, 0, sizeof(*request));
	request->write = write;
	request->dump.by_types = true;
	for (int i = 0; i < XHPROF_ALLOCATORS; i++) {
		request->dump.allocators[i] = true;
	}
}

static bool check_format(const zend_string *format)
{
	static const char *const made_of_it[] = {"callgrind", "pprof", "folded", "chrome"};
	for (size_t i = 0; i < sizeof(made_of_it) / sizeof(made_of_it[0]); i++) {
		if (zend_string_equals_cstr(format, made_of_it[i], strlen(made_of_it[i]))) {
			zend_argument_value_error(2, "cannot be \"%s\": take \"json\", and run xhprof export FILE --format=%s",
									  made_of_it[i], made_of_it[i]);
			return false;
		}
	}
	if (!zend_string_equals_literal(format, "json")) {
		zend_argument_value_error(2, "must be \"json\"");
		return false;
	}
	return true;
}

static bool read_mark(const xhprof_option *option, uint32_t *mark)
{
	uint64_t number = 0;
	bool read = xhprof_option_number(option, 0, UINT32_MAX, &number);
	*mark = (uint32_t)number;
	return read;
}

static bool read_option(void *to, const xhprof_option *option)
{
	static const char *const allocators[] = {"zend_mm", "malloc", "all", NULL};
	xhprof_alloc_request *request = to;
	const char *name = option->name;
	int choice = 0;
	bool read = true;
	if (strcmp(name, "threshold") == 0) {
		read = xhprof_option_number(option, 0, ZEND_LONG_MAX, &request->dump.threshold);
	} else if (strcmp(name, "after") == 0) {
		read = read_mark(option, &request->dump.after);
	} else if (strcmp(name, "before") == 0) {
		read = read_mark(option, &request->dump.before);
	} else if (strcmp(name, "types") == 0) {
		read = xhprof_option_bool(option, &request->dump.by_types);
	} else if (strcmp(name, "allocator") == 0) {
		read = xhprof_option_choice(option, allocators, &choice);
		request->dump.allocators[XHPROF_ALLOCATOR_ZEND] = choice != 1;
		request->dump.allocators[XHPROF_ALLOCATOR_MALLOC] = choice != 0;
	} else {
		xhprof_option_unknown(option);
	}
	return read;
}

bool xhprof_alloc_request_read(xhprof_alloc_request *request, const zend_string *format, HashTable *options)
{
	if (format && !check_format(format)) {
		return false;
	}
	xhprof_alloc_request_init(request, xhprof_alloc_write_json);
	request->dump.by_marks = true;
	if (!xhprof_option_each("xhprof_alloc_dump", options, read_option, request)) {
		return false;
	}
	if (request->dump.before && request->dump.before <= request->dump.after) {
		zend_value_error("xhprof_alloc_dump(): Option \"before\" must be a later mark than \"after\"");
		return false;
	}
	return true;
}

/* The resources to release, however the writing ends. */
typedef struct output {
	xhprof_alloc_dump *dump;
	xhprof_alloc_paths paths;
	xhprof_writer *writer; /* not on the stack: a fiber's may be small */
} output;

static void output_begin(output *out, xhprof_alloc_dump *dump)
{
	memset(out, 0, sizeof(*out));
	out->dump = dump;
}

static void output_end(output *out)
{
	xhprof_alloc_paths_release(&out->paths);
	xhprof_pages_unmap(out->writer, sizeof(*out->writer));
	xhprof_alloc_dump_release(out->dump);
}

static bool put_to_stream(void *stream, const char *bytes, size_t length)
{
	return php_stream_write(stream, bytes, length) == (ssize_t)length && !EG(exception);
}

/* Writes to the stream, or without one to `fd`; errno of the failure, or 0. Separate, so that none of its variables
 * lives across a caller's setjmp(). */
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
	if (!request->write(out->dump, &out->paths, out->writer)) {
		return ENOMEM;
	}
	return xhprof_writer_flush(out->writer) ? 0 : out->writer->error;
}

int xhprof_alloc_output_stream(php_stream *stream, const xhprof_alloc_request *request, xhprof_alloc_dump *dump)
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
	return error;
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

const char *xhprof_alloc_output_problem(const char *directory)
{
	struct stat about;
	if (php_check_open_basedir_ex(directory, 0)) {
		return "it is not within open_basedir";
	}
	if (stat(directory, &about) != 0) {
		return strerror(errno);
	}
	if (!S_ISDIR(about.st_mode)) {
		return strerror(ENOTDIR);
	}
	return faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0 ? NULL : strerror(errno);
}

/* Creates a file that only its owner can read, and puts its name at `path`. -1 and errno on failure. */
static int open_new_file(const char *directory, const char *format, double time, char *path, size_t room)
{
	int fd = -1;
	uint64_t stamp = (uint64_t)(time * 1e6);
	for (int i = 0; i < NAME_TRIES && fd < 0; i++) {
		if (snprintf(path, room, "%s/memprof.%s.%llu", directory, format, (unsigned long long)stamp + i) >= (int)room) {
			errno = ENAMETOOLONG;
			return -1;
		}
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0 && errno != EEXIST) {
			return -1;
		}
		unsigned step = 0;
		stamp += getrandom(&step, sizeof(step), GRND_NONBLOCK) > 0 ? step % 1000000 : 0; /* unpredictable names */
	}
	return fd;
}

void xhprof_alloc_output_file(const char *directory, const char *format, const xhprof_alloc_request *request,
							  xhprof_alloc_dump *dump)
{
	output out;
	xhprof_rlimit_guard guard;
	char path[MAXPATHLEN], message[MAXPATHLEN + 128];
	int error = 0, fd = -1;
	output_begin(&out, dump);
	xhprof_rlimit_guard_begin(&guard);
	const char *problem = xhprof_alloc_output_problem(directory);
	if (!problem) {
		fd = open_new_file(directory, format, dump->time, path, sizeof(path));
		error = fd < 0 ? errno : 0;
	}
	if (fd >= 0) {
		error = write_out(&out, request, NULL, fd);
		if (close(fd) != 0 && !error) {
			error = errno;
		}
		if (error) {
			unlink(path);
		}
	}
	xhprof_rlimit_guard_end(&guard, error);
	output_end(&out);
	if (problem || error) {
		snprintf(message, sizeof(message), "xhprof: no memory profile at memory_limit: %.*s: %s", MAXPATHLEN, directory,
				 problem ? problem : strerror(error));
	} else {
		snprintf(message, sizeof(message), "xhprof: the memory profile at memory_limit is %s", path);
	}
	php_log_err(message);
}
