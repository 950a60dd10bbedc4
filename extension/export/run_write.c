#include "run_write.h"

#include "export_edges.h"
#include "export_memory.h"
#include "export_samples.h"
#include "operations_json.h"
#include "rlimit_guard.h"
#include "run_meta.h"
#include "timeline_json.h"
#include "tree_json.h"
#include "atomic_file.h"

#include "base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>
#include <uuid/uuid.h>

#define PATH_ROOM 4096
#define NAME_ROOM 160 /* the longest source and suffix */

/* The right to search the folder is enough, as for a path. */
#ifdef O_PATH
#define FOLDER_ONLY O_PATH
#else
#define FOLDER_ONLY O_RDONLY
#endif

/* Not on the stack: a fiber's may be small. */
typedef struct run_scratch {
	const xhprof_run *run;
	xhprof_columns columns;
	xhprof_writer writer;
	int folder; /* descriptor */
	char name[NAME_ROOM], temporary[NAME_ROOM];
} run_scratch;

/* False without memory. The writer records errors of output. */
typedef bool (*run_contents)(run_scratch *scratch);

bool xhprof_run_valid_source(const char *source, size_t length)
{
	return length >= 1 && length <= 64 &&
		   strspn(source, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

bool xhprof_run_valid_release(const char *release, size_t length)
{
	return length <= XHPROF_RELEASE_MAX &&
		   strspn(release, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+~-") == length &&
		   !xhprof_secret_shows(release, release + length);
}

void xhprof_run_id_text(const unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2], char id[XHPROF_RUN_ID_LENGTH + 1])
{
	static const char digits[] = "0123456789abcdef";
	for (size_t i = 0; i < XHPROF_RUN_ID_LENGTH / 2; i++) {
		id[2 * i] = digits[bytes[i] >> 4];
		id[2 * i + 1] = digits[bytes[i] & 15];
	}
	id[XHPROF_RUN_ID_LENGTH] = '\0';
}

void xhprof_run_make_id(char id[XHPROF_RUN_ID_LENGTH + 1])
{
	uuid_t uuid;
	uuid_generate(uuid);
	xhprof_run_id_text(uuid, id);
}

void xhprof_run_make_id_bytes(unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2])
{
	if (getrandom(bytes, XHPROF_RUN_ID_LENGTH / 2, 0) != XHPROF_RUN_ID_LENGTH / 2) {
		uint64_t now = xhprof_clock_monotonic_ns();
		memcpy(bytes, &now, sizeof(now));
		memset(bytes + sizeof(now), getpid() & 0xFF, XHPROF_RUN_ID_LENGTH / 2 - sizeof(now));
	}
	bytes[6] = (unsigned char)((bytes[6] & 0x0F) | 0x40);
	bytes[8] = (unsigned char)((bytes[8] & 0x3F) | 0x80);
}

static bool write_meta(run_scratch *scratch)
{
	return xhprof_run_meta_json(scratch->run, &scratch->columns, &scratch->writer);
}

static bool write_tree(run_scratch *scratch)
{
	xhprof_tree_json(scratch->run->tracer, &scratch->columns, &scratch->writer);
	return true;
}

static bool write_memory(run_scratch *scratch)
{
	const uint32_t *places = xhprof_columns_places(&scratch->columns);
	return places && xhprof_export_memory_json(scratch->run->memory, places, &scratch->writer);
}

static bool write_samples(run_scratch *scratch)
{
	const uint32_t *places = xhprof_columns_places(&scratch->columns);
	return places && xhprof_samples_json(scratch->run->tracer, places, &scratch->writer);
}

static bool write_operations(run_scratch *scratch)
{
	const uint32_t *places = xhprof_columns_places(&scratch->columns);
	return places && xhprof_operations_json(scratch->run->tracer, places, &scratch->writer);
}

static bool write_timeline(run_scratch *scratch)
{
	const uint32_t *places = xhprof_columns_places(&scratch->columns);
	return places && xhprof_timeline_json(scratch->run->tracer, places, &scratch->writer);
}

static bool write_edges(run_scratch *scratch)
{
	const xhprof_run *run = scratch->run;
	return xhprof_export_serialized(run->tracer, &scratch->columns, &scratch->writer);
}

static bool write_exemplars(run_scratch *scratch)
{
	scratch->run->exemplars(&scratch->writer, scratch->run->more);
	return true;
}

static bool has_memory(const xhprof_run *run)
{
	return run->memory != NULL;
}

static bool has_samples(const xhprof_run *run)
{
	return xhprof_samples_kept(run->tracer);
}

static bool has_operations(const xhprof_run *run)
{
	return xhprof_operations_kept(run->tracer);
}

static bool has_timeline(const xhprof_run *run)
{
	return xhprof_timeline_recorded(&run->tracer->timeline);
}

static bool has_exemplars(const xhprof_run *run)
{
	return run->exemplars != NULL;
}

static const struct {
	const char *suffix;
	run_contents contents;
	bool (*wanted)(const xhprof_run *run); /* NULL: always */
} files[] = {
	{".meta.json", write_meta, NULL},
	{".tree.json", write_tree, NULL},
	{".memory.json", write_memory, has_memory},
	{".samples.json", write_samples, has_samples},
	{".operations.json", write_operations, has_operations},
	{".timeline.json", write_timeline, has_timeline},
	{".exemplars.json", write_exemplars, has_exemplars},
	{".xhprof", write_edges, NULL},
};
#define FILES (sizeof(files) / sizeof(files[0]))
#define LAST (FILES - 1) /* completes a run */

static bool file_wanted(const xhprof_run *run, size_t file)
{
	return !files[file].wanted || files[file].wanted(run);
}

/* Joins texts up to a NULL; false when they do not fit. */
static bool join_texts(char *path, size_t room, const char *const *texts)
{
	char *at = path, *end = path + room - 1;
	for (; *texts; texts++) {
		size_t length = strlen(*texts);
		if (length > (size_t)(end - at)) {
			return false;
		}
		memcpy(at, *texts, length);
		at += length;
	}
	*at = '\0';
	return true;
}

/* The names of a file: its own, and the temporary one. */
static bool name_file(run_scratch *scratch, size_t file)
{
	const xhprof_run *run = scratch->run;
	const char *name[] = {run->id, ".", run->source, files[file].suffix, NULL};
	const char *temporary[] = {".", run->id, files[file].suffix, ".tmp", NULL};
	return join_texts(scratch->name, NAME_ROOM, name) && join_texts(scratch->temporary, NAME_ROOM, temporary);
}

/* errno of the failure, or 0. */
static int write_file(run_scratch *scratch, run_contents contents, uint64_t *bytes)
{
	xhprof_writer *writer = &scratch->writer;
	xhprof_atomic_file file;
	int error =
		xhprof_atomic_file_open_in(&file, scratch->folder, scratch->name, scratch->temporary, XHPROF_RUN_PRIVATE);
	if (error) {
		return error;
	}
	xhprof_writer_init(writer, file.fd);
	error = contents(scratch) ? 0 : ENOMEM;
	if (!xhprof_writer_flush(writer) && !error) {
		error = writer->error;
	}
	*bytes += writer->written;
	return xhprof_atomic_file_close(&file, error);
}

static int write_files(run_scratch *scratch, uint64_t *bytes)
{
	int error = 0;
	size_t tried = 0;
	for (; tried < FILES && !error; tried++) {
		if (file_wanted(scratch->run, tried)) {
			error = name_file(scratch, tried) ? write_file(scratch, files[tried].contents, bytes) : ENAMETOOLONG;
		}
	}
	for (size_t i = 0; error && i < tried; i++) { /* a run is all of its files */
		if (name_file(scratch, i)) {
			unlinkat(scratch->folder, scratch->name, 0);
		}
	}
	return error;
}

/* Into the folder that scratch has open. */
static int write_run(run_scratch *scratch, uint64_t *bytes)
{
	const xhprof_run *run = scratch->run;
	xhprof_rlimit_guard guard;
	xhprof_columns_map(&scratch->columns, run->tracer);
	xhprof_columns_correct(&scratch->columns, run->engine->overhead);
	xhprof_rlimit_guard_begin(&guard);
	int error = write_files(scratch, bytes);
	xhprof_rlimit_guard_end(&guard, error);
	xhprof_columns_release(&scratch->columns);
	return error;
}

int xhprof_run_write(const xhprof_run *run, xhprof_run_written *written)
{
	xhprof_scratch *pages = run->tracer->scratch;
	run_scratch *scratch = xhprof_scratch_take_dirty(pages, sizeof(*scratch));
	xhprof_run_written result = {.folder = -1};
	int error = ENOMEM;
	if (scratch) {
		/* Once for all files: each is then found without the names above it, and no two are in different folders. */
		int folder = open(run->directory, FOLDER_ONLY | O_DIRECTORY | O_CLOEXEC);
		scratch->run = run;
		scratch->folder = folder;
		error = folder < 0 ? errno : write_run(scratch, &result.bytes);
		if (!error && written) {
			result.folder = folder;
		} else if (folder >= 0) {
			close(folder);
		}
	}
	xhprof_scratch_give(pages, scratch, sizeof(*scratch));
	if (written) {
		*written = result;
	}
	return error;
}

bool xhprof_run_is_written(const char *directory, const char *source, const char *id)
{
	char *path = xhprof_pages_map(PATH_ROOM);
	const char *texts[] = {directory, "/", id, ".", source, files[LAST].suffix, NULL};
	bool is = path && join_texts(path, PATH_ROOM, texts) && access(path, F_OK) == 0;
	xhprof_pages_unmap(path, PATH_ROOM);
	return is;
}
