#include "run_write.h"

#include "atomic_file.h"
#include "context_sections.h"
#include "memory_sections.h"
#include "operation_sections.h"
#include "rlimit_guard.h"
#include "run_meta.h"
#include "sample_sections.h"
#include "timeline_sections.h"
#include "tree_sections.h"

#include "base/secret.h"
#include "base/siphash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define PATH_ROOM 4096
#define NAME_ROOM 160 /* the longest source and suffix */

#define SUFFIX ".run"

/* The state of writing a run. It is not on the stack: a fiber's may be small. */
typedef struct run_scratch {
	const xhprof_run *run;
	xhprof_columns columns;
	xhprof_writer writer;
	xhprof_run_file file;
	xhprof_run_meta meta;
	xhprof_tree_sections tree;
	xhprof_memory_sections memory;
	xhprof_sample_sections samples;
	xhprof_operation_sections operations;
	xhprof_timeline_sections timeline;
	xhprof_context_sections contexts;
	int folder; /* descriptor */
	char name[NAME_ROOM], temporary[NAME_ROOM];
} run_scratch;

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

/* Makes them of what no other id is made of, where the kernel has no random bytes yet, or a sandbox refuses them. */
static void make_up_bytes(unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2])
{
	static _Atomic uint64_t number;
	xhprof_siphash_key key = {{0}};
	struct timespec now = {0};
	const void *of_process = (const void *)getauxval(AT_RANDOM); /* 16 random bytes, since its exec() */
	if (of_process) {
		memcpy(&key, of_process, sizeof(key));
	}
	clock_gettime(CLOCK_REALTIME, &now);
	const uint64_t facts[] = {(uint64_t)now.tv_sec, (uint64_t)now.tv_nsec, (uint64_t)getpid(),
							  atomic_fetch_add(&number, 1)};
	for (uint64_t i = 0; i < XHPROF_RUN_ID_LENGTH / 2 / sizeof(i); i++) {
		xhprof_siphash hash;
		xhprof_siphash_begin(&hash, &key);
		xhprof_siphash_add(&hash, facts, sizeof(facts));
		uint64_t word = xhprof_siphash_end(&hash, &i, sizeof(i));
		memcpy(bytes + i * sizeof(word), &word, sizeof(word));
	}
}

void xhprof_run_make_id_bytes(unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2])
{
	if (getrandom(bytes, XHPROF_RUN_ID_LENGTH / 2, GRND_NONBLOCK) != XHPROF_RUN_ID_LENGTH / 2) {
		make_up_bytes(bytes);
	}
	bytes[6] = (unsigned char)((bytes[6] & 0x0F) | 0x40);
	bytes[8] = (unsigned char)((bytes[8] & 0x3F) | 0x80);
}

void xhprof_run_make_id(char id[XHPROF_RUN_ID_LENGTH + 1])
{
	unsigned char bytes[XHPROF_RUN_ID_LENGTH / 2];
	xhprof_run_make_id_bytes(bytes);
	xhprof_run_id_text(bytes, id);
}

/* Returns whether documents besides the tree are about its nodes. */
static bool has_paths(const xhprof_run *run)
{
	return run->memory || xhprof_samples_kept(run->tracer) || xhprof_operations_kept(run->tracer) ||
		   xhprof_timeline_recorded(&run->tracer->timeline);
}

static bool add_paths(run_scratch *scratch)
{
	const xhprof_run *run = scratch->run;
	const xhprof_tracer *tracer = run->tracer;
	bool timeline = xhprof_timeline_recorded(&tracer->timeline), operations = xhprof_operations_kept(tracer);
	const uint32_t *places = xhprof_columns_places(&scratch->columns);
	if (!places) {
		return false;
	}
	if (run->memory) {
		xhprof_memory_sections_add(&scratch->memory, run->memory, places, &scratch->file);
	}
	if (xhprof_samples_kept(tracer)) {
		xhprof_sample_sections_add(&scratch->samples, tracer, places, &scratch->file);
	}
	return (!operations || xhprof_operation_sections_add(&scratch->operations, tracer, places, &scratch->file)) &&
		   (!timeline || xhprof_timeline_sections_add(&scratch->timeline, tracer, places, &scratch->file));
}

/* Adds all documents of the run. False without memory. The sums are first: they walk the tree, once. */
static bool add_documents(run_scratch *scratch)
{
	const xhprof_run *run = scratch->run;
	xhprof_run_file *file = &scratch->file;
	xhprof_run_file_init(file);
	scratch->meta.run = run;
	if (!xhprof_run_sums_of(&scratch->meta.sums, run->tracer, &scratch->columns)) {
		return false;
	}
	xhprof_run_file_document(file, "meta", xhprof_run_meta_head, &scratch->meta);
	xhprof_tree_sections_add(&scratch->tree, run->tracer, &scratch->columns, file);
	if (has_paths(run) && !add_paths(scratch)) {
		return false;
	}
	if (xhprof_contexts_kept(run->tracer)) {
		xhprof_context_sections_add(&scratch->contexts, run->tracer, file);
	}
	if (run->add_more) {
		run->add_more(file, run->more);
	}
	return true;
}

static void release_documents(run_scratch *scratch)
{
	xhprof_memory_sections_release(&scratch->memory);
	xhprof_operation_sections_release(&scratch->operations);
	xhprof_timeline_sections_release(&scratch->timeline);
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

/* Makes the file's own name and the temporary one. */
static bool name_file(run_scratch *scratch)
{
	const xhprof_run *run = scratch->run;
	const char *name[] = {run->id, ".", run->source, SUFFIX, NULL};
	const char *temporary[] = {".", run->id, SUFFIX, ".tmp", NULL};
	return join_texts(scratch->name, NAME_ROOM, name) && join_texts(scratch->temporary, NAME_ROOM, temporary);
}

/* Writes the file. Returns 0 or an errno. */
static int write_file(run_scratch *scratch, uint64_t *bytes)
{
	xhprof_writer *writer = &scratch->writer;
	xhprof_atomic_file file;
	int error =
		xhprof_atomic_file_open_in(&file, scratch->folder, scratch->name, scratch->temporary, XHPROF_RUN_PRIVATE);
	if (error) {
		return error;
	}
	xhprof_writer_init(writer, file.fd);
	xhprof_run_file_write(&scratch->file, writer);
	error = xhprof_writer_flush(writer) ? 0 : writer->error;
	*bytes = writer->written;
	return xhprof_atomic_file_close(&file, error);
}

/* Writes the run into the folder that `scratch` has open. Returns 0 or an errno. */
static int write_run(run_scratch *scratch, uint64_t *bytes)
{
	xhprof_rlimit_guard guard;
	xhprof_columns_map(&scratch->columns, scratch->run->tracer, has_paths(scratch->run));
	int error = !name_file(scratch) ? ENAMETOOLONG : add_documents(scratch) ? 0 : ENOMEM;
	if (!error) {
		xhprof_rlimit_guard_begin(&guard);
		error = write_file(scratch, bytes);
		xhprof_rlimit_guard_end(&guard, error);
	}
	release_documents(scratch);
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
		/* Once for both names: each is then found without the names above it. The right to search it is enough. */
		int folder = open(run->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
		scratch->run = run;
		scratch->folder = folder;
		scratch->operations.rows = NULL;
		scratch->timeline.order = NULL;
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
	const char *texts[] = {directory, "/", id, ".", source, SUFFIX, NULL};
	bool is = path && join_texts(path, PATH_ROOM, texts) && access(path, F_OK) == 0;
	xhprof_pages_unmap(path, PATH_ROOM);
	return is;
}
