#include "run_save.h"

#include "export_memory.h"
#include "export_tree.h"
#include "export_xhprof.h"
#include "file_limit.h"
#include "run_meta.h"
#include "writer.h"

#include "ext/spl/spl_exceptions.h"
#include "main/php_open_temporary_file.h"
#include "zend_exceptions.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uuid/uuid.h>

typedef struct run_file {
	const xhprof_tracer *tracer;
	xhprof_columns *columns;
	const xhprof_alloc_dump *memory; /* or NULL */
	xhprof_writer *writer;
	const char *path;      /* final name */
	const char *temporary; /* name while it is written */
	const smart_str *meta;
} run_file;

typedef bool (*run_file_contents)(const run_file *file, xhprof_writer *writer);

bool xhprof_run_valid_source(const char *source, size_t length)
{
	return length >= 1 && length <= 64 &&
		   strspn(source, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

const char *xhprof_run_directory(void)
{
	const char *directory = getenv("XHPROF_OUTPUT_DIR");
	if (!directory || !*directory) {
		directory = XHPROF_G(ini).output_dir;
	}
	return directory && *directory ? directory : php_get_temporary_directory();
}

static void make_id(char id[XHPROF_RUN_ID_LENGTH + 1])
{
	uuid_t uuid;
	char text[37], *to = id;
	uuid_generate(uuid);
	uuid_unparse_lower(uuid, text);
	for (const char *from = text; *from; from++) {
		if (*from != '-') {
			*to++ = *from;
		}
	}
	*to = '\0';
}

static bool write_edges(const run_file *file, xhprof_writer *writer)
{
	return xhprof_export_serialized(file->tracer, file->columns, XHPROF_G(profile).keep_run_init, writer);
}

static bool write_tree(const run_file *file, xhprof_writer *writer)
{
	xhprof_export_tree_json(file->tracer, file->columns, writer);
	return true;
}

static bool write_memory(const run_file *file, xhprof_writer *writer)
{
	return xhprof_export_memory_json(file->memory, writer);
}

static bool write_meta(const run_file *file, xhprof_writer *writer)
{
	xhprof_write_bytes(writer, ZSTR_VAL(file->meta->s), ZSTR_LEN(file->meta->s));
	xhprof_write_string(writer, "\n");
	return true;
}

/* errno of what failed, or 0. */
static int write_whole_file(const run_file *file, run_file_contents contents)
{
	xhprof_writer *writer = file->writer;
	int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0) {
		return errno;
	}
	xhprof_writer_init(writer, fd);
	int error = contents(file, writer) ? 0 : ENOMEM;
	if (!xhprof_writer_flush(writer) && !error) {
		error = writer->error;
	}
	if (close(fd) != 0 && !error) {
		error = errno;
	}
	if (!error && rename(file->temporary, file->path) != 0) {
		error = errno;
	}
	if (error) {
		unlink(file->temporary);
	}
	return error;
}

/* The same. */
static int write_file_within_limit(const run_file *file, run_file_contents contents)
{
	xhprof_file_limit limit;
	xhprof_file_limit_begin(&limit);
	int error = write_whole_file(file, contents);
	xhprof_file_limit_end(&limit);
	return error;
}

/* Not on the stack: a fiber's may be small. */
typedef struct run_scratch {
	xhprof_columns columns;
	xhprof_writer writer;
} run_scratch;

#define RUN_FILES 4

static bool save(const xhprof_tracer *tracer, run_scratch *scratch, const xhprof_alloc_dump *memory, const char *source,
				 zval *user_meta, char *id)
{
	static const struct {
		const char *suffix;
		run_file_contents contents;
	} files[RUN_FILES] = {
		{"meta.json", write_meta},
		{"tree.json", write_tree},
		{"memory.json", write_memory},
		{"xhprof", write_edges},
	};
	/* Relative to the program's current folder, which in ZTS is not the process's. */
	const char *named = xhprof_run_directory();
	char *directory = expand_filepath_with_mode(named, NULL, NULL, 0, CWD_EXPAND);
	smart_str meta = {0};
	zend_string *paths[RUN_FILES] = {NULL};
	int error = 0;

	if (!directory) {
		zend_throw_exception_ex(spl_ce_RuntimeException, ENAMETOOLONG, "xhprof_save(): Cannot write a run to %s: %s",
								named, strerror(ENAMETOOLONG));
		return false;
	}
	if (php_check_open_basedir_ex(directory, 0)) {
		zend_throw_exception_ex(spl_ce_RuntimeException, 0, "xhprof_save(): %s is not within open_basedir", named);
		efree(directory);
		return false;
	}
	make_id(id);
	uint64_t epoch = tracer->epoch;
	if (!xhprof_run_meta_json(tracer, &scratch->columns, id, source, user_meta, &meta)) {
		smart_str_free(&meta);
		efree(directory);
		if (!EG(exception)) {
			zend_value_error("xhprof_save(): Argument #2 ($meta) cannot be encoded as JSON");
		}
		return false;
	}
	smart_str_0(&meta);
	if (!tracer->stopped || tracer->epoch != epoch) { /* by a jsonSerialize() in $meta */
		smart_str_free(&meta);
		efree(directory);
		zend_throw_exception(spl_ce_RuntimeException, "xhprof_save(): Another profile was started meanwhile", 0);
		return false;
	}
	for (size_t i = 0; i < RUN_FILES && !error; i++) {
		if (files[i].contents == write_memory && !memory) {
			continue;
		}
		paths[i] = zend_strpprintf(0, "%s/%s.%s.%s", directory, id, source, files[i].suffix);
		zend_string *temporary = zend_strpprintf(0, "%s/.%s.%s.tmp", directory, id, files[i].suffix);
		run_file file = {tracer, &scratch->columns, memory, &scratch->writer, ZSTR_VAL(paths[i]), ZSTR_VAL(temporary),
						 &meta};
		error = write_file_within_limit(&file, files[i].contents);
		zend_string_release(temporary);
	}
	for (size_t i = 0; i < RUN_FILES; i++) {
		if (paths[i]) {
			if (error) {
				unlink(ZSTR_VAL(paths[i])); /* a run is all of its files */
			}
			zend_string_release(paths[i]);
		}
	}
	smart_str_free(&meta);
	if (error) {
		zend_throw_exception_ex(spl_ce_RuntimeException, error, "xhprof_save(): Cannot write a run to %s: %s", named,
								strerror(error));
	}
	efree(directory);
	return error == 0;
}

static void release(run_scratch *scratch, xhprof_alloc_dump *memory)
{
	if (scratch) {
		xhprof_columns_release(&scratch->columns);
		xhprof_pages_unmap(scratch, sizeof(*scratch));
	}
	if (memory) {
		xhprof_alloc_dump_release(memory);
	}
}

bool xhprof_run_save(const xhprof_tracer *tracer, xhprof_alloc_dump *memory, const char *source, zval *user_meta,
					 char id[XHPROF_RUN_ID_LENGTH + 1])
{
	run_scratch *scratch = xhprof_pages_map(sizeof(*scratch));
	volatile bool saved = false;
	if (!scratch) {
		release(scratch, memory);
		zend_throw_exception_ex(spl_ce_RuntimeException, ENOMEM, "xhprof_save(): %s", strerror(ENOMEM));
		return false;
	}
	xhprof_columns_map(&scratch->columns, tracer);
	xhprof_columns_correct(&scratch->columns, XHPROF_G(profile).overhead);
	zend_try
	{
		saved = save(tracer, scratch, memory, source, user_meta, id);
	}
	zend_catch
	{ /* memory_limit, or a fatal error in a jsonSerialize(): the pages are not the engine's to free */
		release(scratch, memory);
		zend_bailout();
	}
	zend_end_try();
	release(scratch, memory);
	return saved;
}
