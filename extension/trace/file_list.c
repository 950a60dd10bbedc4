#include "file_list.h"

#include "base/hash.h"

#include <string.h>

static bool is_file(const xhprof_file *file, const char *prefix, size_t start, const char *path, size_t length)
{
	return file->length == start + length && memcmp(file->path, prefix, start) == 0 &&
		   memcmp(file->path + start, path, length) == 0;
}

static xhprof_file *file_new(xhprof_arena *arena, const char *prefix, size_t start, const char *path, size_t length)
{
	xhprof_file *file = xhprof_arena_alloc(arena, sizeof(*file), 8);
	char *copy = file ? xhprof_arena_alloc(arena, start + length + 1, 1) : NULL;
	if (!copy) {
		return NULL;
	}
	memcpy(copy, prefix, start);
	memcpy(copy + start, path, length);
	copy[start + length] = '\0';
	*file = (xhprof_file){.path = copy, .length = (uint32_t)(start + length)};
	return file;
}

static void append_file(xhprof_file_list *files, xhprof_file *file)
{
	file->id = ++files->count;
	file->set = files->set;
	file->next = NULL;
	*(files->last ? &files->last->next : &files->first) = file;
	files->last = file;
}

static const xhprof_file *file_list_use(xhprof_file_list *files, const xhprof_file *file)
{
	if (file->set != files->set) {
		append_file(files, (xhprof_file *)file);
	}
	files->recent = file;
	return file;
}

const xhprof_file *xhprof_file_list_add(xhprof_file_list *files, xhprof_arena *arena, const char *prefix,
										const char *path, size_t length)
{
	size_t start = strlen(prefix);
	if (length > XHPROF_FILE_MAX) {
		return NULL;
	}
	if (files->recent && is_file(files->recent, prefix, start, path, length)) {
		return file_list_use(files, files->recent);
	}
	uint64_t hash = xhprof_hash_bytes(path, length, xhprof_hash_bytes(prefix, start, 0));
	xhprof_file *head = xhprof_table_find(&files->by_path, hash), *file = head;
	while (file && !is_file(file, prefix, start, path, length)) {
		file = file->chain;
	}
	if (file) {
		return file_list_use(files, file);
	}
	file = xhprof_table_reserve(&files->by_path) ? file_new(arena, prefix, start, path, length) : NULL;
	if (!file) {
		return NULL;
	}
	file->chain = head;
	xhprof_table_put(&files->by_path, hash, file);
	append_file(files, file);
	files->recent = file;
	return file;
}

void xhprof_file_list_restart(xhprof_file_list *files)
{
	files->first = files->last = NULL;
	files->recent = NULL;
	files->count = 0;
	files->set++;
}

void xhprof_file_list_clear(xhprof_file_list *files)
{
	xhprof_table_clear(&files->by_path);
	xhprof_file_list_restart(files);
}

void xhprof_file_list_recycle(xhprof_file_list *files, size_t *budget)
{
	xhprof_table_recycle(&files->by_path, budget);
	xhprof_file_list_clear(files);
}
