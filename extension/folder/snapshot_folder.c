#include "snapshot_folder.h"

#include "base/arena.h"
#include "export/run_write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME_LONGEST 255
#define LEFTOVER_SECONDS 3600

/* The name of the leftover of a process that was killed while it wrote. */
static const char leftover[] = ".%u.heap.tmp";
static const char signature[] = "{\"xhprof_heap\":";

typedef struct snapshot {
	int64_t time; /* ns since the epoch */
	uint64_t bytes;
	char name[NAME_LONGEST + 1];
} snapshot;

typedef struct snapshots {
	snapshot *list;
	size_t used, capacity;
	uint64_t bytes;
} snapshots;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_id(const char *at, const char *end)
{
	if (end - at < XHPROF_RUN_ID_LENGTH) {
		return false;
	}
	for (end = at + XHPROF_RUN_ID_LENGTH; at < end; at++) {
		if (!is_digit(*at) && !(*at >= 'a' && *at <= 'f')) {
			return false;
		}
	}
	return true;
}

/* Matches one part of the pattern. `from` and `to`: for each place in the name whether the pattern can reach it, before
 * and after that part. */
static void advance_match(char part, bool literal, const char *name, size_t length, const bool *from, bool *to)
{
	for (size_t i = 0; i < length; i++) {
		if (literal) {
			to[i + 1] |= from[i] && name[i] == part;
		} else if (part == 'u') {
			if (from[i] && is_id(name + i, name + length)) {
				to[i + XHPROF_RUN_ID_LENGTH] = true;
			}
		} else {
			to[i + 1] |= (from[i] || to[i]) && (is_digit(name[i]) || (part == 'r' && is_letter(name[i])));
		}
	}
}

/* Returns whether a name has the form of a pattern, in a time that depends on the two lengths only, whatever the
 * pattern. */
static bool matches_pattern(const char *pattern, const char *name)
{
	bool places[2][NAME_LONGEST + 1] = {{true}};
	size_t length = strlen(name), now = 0;
	if (length > NAME_LONGEST) {
		return false;
	}
	for (; *pattern; pattern++, now = !now) {
		bool literal = *pattern != '%' || *++pattern == '%';
		memset(places[!now], 0, sizeof(places[!now]));
		advance_match(*pattern, literal, name, length, places[now], places[!now]);
	}
	return places[now][length];
}

static bool is_own_file(const struct stat *info)
{
	return S_ISREG(info->st_mode) && info->st_uid == geteuid();
}

static void remove_leftover(int folder, const char *name)
{
	struct stat info;
	if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && is_own_file(&info) &&
		time(NULL) - info.st_mtime > LEFTOVER_SECONDS) {
		unlinkat(folder, name, 0);
	}
}

/* Returns whether a file is a snapshot: another program's file may have such a name. */
static bool is_snapshot(int folder, const char *name, struct stat *info)
{
	char first[sizeof(signature) - 1];
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool is = fd >= 0 && fstat(fd, info) == 0 && is_own_file(info) &&
			  pread(fd, first, sizeof(first), 0) == (ssize_t)sizeof(first) &&
			  memcmp(first, signature, sizeof(first)) == 0;
	if (fd >= 0) {
		close(fd);
	}
	return is;
}

/* Adds a snapshot. False without memory. */
static bool add_snapshot(snapshots *found, const char *name, const struct stat *info)
{
	if (found->used == found->capacity &&
		!xhprof_pages_double((void **)&found->list, sizeof(*found->list), &found->capacity, 256)) {
		return false;
	}
	snapshot *added = &found->list[found->used++];
	added->time = (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec;
	added->bytes = (uint64_t)info->st_size;
	memcpy(added->name, name, strlen(name) + 1);
	found->bytes += added->bytes;
	return true;
}

static int scan_folder(DIR *directory, const char *pattern, snapshots *found)
{
	for (const struct dirent *entry; errno = 0, entry = readdir(directory);) {
		struct stat info;
		if (matches_pattern(leftover, entry->d_name)) {
			remove_leftover(dirfd(directory), entry->d_name);
		} else if (matches_pattern(pattern, entry->d_name) && is_snapshot(dirfd(directory), entry->d_name, &info) &&
				   !add_snapshot(found, entry->d_name, &info)) {
			return ENOMEM;
		}
	}
	return errno;
}

static int by_time(const void *a, const void *b)
{
	const snapshot *one = a, *other = b;
	return one->time < other->time ? -1 : one->time > other->time ? 1 : strcmp(one->name, other->name);
}

static bool exceeds(uint64_t number, uint64_t max)
{
	return max && number > max;
}

static int prune_snapshots(int folder, snapshots *found, const char *newest, uint64_t max_files, uint64_t max_bytes)
{
	uint64_t files = found->used;
	int error = 0;
	qsort(found->list, found->used, sizeof(*found->list), by_time);
	for (size_t i = 0; i < found->used && (exceeds(files, max_files) || exceeds(found->bytes, max_bytes)); i++) {
		if (strcmp(found->list[i].name, newest) == 0) {
			continue;
		}
		if (unlinkat(folder, found->list[i].name, 0) != 0 && errno != ENOENT) {
			error = errno;
			continue;
		}
		files--;
		found->bytes -= found->list[i].bytes;
	}
	return error;
}

/* Opens the folder of a path. Returns NULL, with errno, on failure. */
static DIR *open_folder(const char *path, size_t length)
{
	char folder[MAXPATHLEN];
	if (length >= sizeof(folder)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	memcpy(folder, path, length);
	folder[length] = '\0';
	return opendir(folder);
}

int xhprof_snapshot_folder_bound(const char *path, const char *pattern, uint64_t max_files, uint64_t max_bytes)
{
	const char *slash = strrchr(path, '/');
	snapshots found = {0};
	if ((!max_files && !max_bytes) || !slash) {
		return 0;
	}
	DIR *directory = open_folder(path, (size_t)(slash + 1 - path));
	if (!directory) {
		return errno;
	}
	int error = scan_folder(directory, pattern, &found);
	if (!error) {
		error = prune_snapshots(dirfd(directory), &found, slash + 1, max_files, max_bytes);
	}
	closedir(directory);
	xhprof_pages_unmap(found.list, found.capacity * sizeof(*found.list));
	return error;
}
