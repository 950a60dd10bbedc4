#include "run_folder.h"

#include "export/run_write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ID_LENGTH XHPROF_RUN_ID_LENGTH
#define NAME_ROOM 160   /* of any file here */
#define LABEL_MAX 65536 /* bytes; larger files are no labels */
#define TRIES 3         /* for a lock that is held for some microseconds, or for a whole count */
#define LEFTOVER_SECONDS 3600
#define FUTURE_SECONDS 3600 /* a file's time may be this far ahead, by the clock of a file server */
#define NO_GROUP ((gid_t)-1)
#define ENTRIES_MAX 65536 /* of a folder that is counted for each run */

#define STATE_MAGIC UINT64_C(0x3144464648505258)

/* The layout of the state file. */
typedef struct folder_state {
	uint64_t magic;
	uint64_t runs, bytes;                 /* current */
	uint64_t counted_runs, counted_bytes; /* at the last count */
	uint64_t checksum;
} folder_state;

typedef struct folder {
	int fd;
	uid_t owner;
	gid_t group; /* the users' common group, or NO_GROUP */
	int64_t now; /* ns since the epoch */
	const char *source;
	uint64_t max_runs, max_bytes;
	uint64_t max_entries; /* larger folders are not counted; 0: no bound */
} folder;

/* The endings of files. Either of the first two is a run; others save the second one, PECL's. */
static const char *const kinds[] = {".run", ".xhprof", ".label.json"};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))
#define LABEL (KINDS - 1)

/* A file of the folder; after merge_files(), a run. */
typedef struct folder_run {
	unsigned char id[ID_LENGTH / 2];
	int64_t time; /* ns since the epoch, of its youngest file except the label */
	uint64_t bytes;
	bool labelled;
} folder_run;

typedef struct folder_runs {
	folder_run *runs;
	size_t used, capacity;
} folder_runs;

static bool exceeds(uint64_t number, uint64_t max)
{
	return max && number > max;
}

static uint64_t state_checksum(const folder_state *state)
{
	return xhprof_hash_bytes(state, offsetof(folder_state, checksum), 0);
}

static int open_state_as(const folder *folder, const char *name)
{
	struct stat info;
	int fd = openat(folder->fd, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (fd < 0) {
		return -1;
	}
	if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() || info.st_nlink != 1) {
		close(fd);
		errno = EACCES;
		return -1;
	}
	return fd;
}

/* Opens the state file; if something else has its name, one of our own. -1 if that is taken too. */
static int open_state(const folder *folder)
{
	char name[NAME_ROOM];
	snprintf(name, sizeof(name), ".xhprof-folder.%s", folder->source);
	int fd = open_state_as(folder, name);
	if (fd < 0) {
		snprintf(name, sizeof(name), ".xhprof-folder.%s.%u", folder->source, (unsigned)geteuid());
		fd = open_state_as(folder, name);
	}
	return fd;
}

/* Locks the state file. Returns 0 or an errno; after EAGAIN the owner of the lock is about to write a few bytes, or is
 * counting: then it counts this run too. */
static int lock_state(int fd)
{
	for (int i = 0; i < TRIES; i++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
			return 0;
		}
		if (errno != EWOULDBLOCK && errno != EINTR) {
			return errno;
		}
		sched_yield();
	}
	return EAGAIN;
}

/* Reads the state. False if the file is damaged or changed. */
static bool read_state(int fd, folder_state *state)
{
	char bytes[sizeof(*state) + 1]; /* a longer file shows by the byte more */
	ssize_t length = pread(fd, bytes, sizeof(bytes), 0);
	memcpy(state, bytes, sizeof(*state));
	return length == sizeof(*state) && state->magic == STATE_MAGIC && state->checksum == state_checksum(state);
}

/* Writes the state. `fits`: the file has its size already. */
static int write_state(int fd, folder_state *state, bool fits)
{
	state->magic = STATE_MAGIC;
	state->checksum = state_checksum(state);
	ssize_t written = pwrite(fd, state, sizeof(*state), 0);
	if (written < 0) {
		return errno;
	}
	return written == sizeof(*state) && (fits || ftruncate(fd, sizeof(*state)) == 0) ? 0 : EIO;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_id(const char *name, unsigned char id[ID_LENGTH / 2])
{
	for (size_t i = 0; i < ID_LENGTH; i += 2) {
		int high = hex_digit(name[i]), low = high < 0 ? -1 : hex_digit(name[i + 1]);
		if (low < 0) {
			return false;
		}
		id[i / 2] = (unsigned char)(high << 4 | low);
	}
	return true;
}

/* Returns the kind of a file if it is of a run of this source, and the run's id; else KINDS. */
static size_t read_name(const folder *folder, const char *name, unsigned char id[ID_LENGTH / 2])
{
	size_t length = strlen(folder->source), kind = 0;
	if (!read_id(name, id) || name[ID_LENGTH] != '.' || strncmp(name + ID_LENGTH + 1, folder->source, length) != 0) {
		return KINDS;
	}
	while (kind < KINDS && strcmp(name + ID_LENGTH + 1 + length, kinds[kind]) != 0) {
		kind++;
	}
	return kind;
}

static void file_name(const folder *folder, const folder_run *run, size_t kind, char name[NAME_ROOM])
{
	char id[ID_LENGTH + 1];
	xhprof_run_id_text(run->id, id);
	snprintf(name, NAME_ROOM, "%s.%s%s", id, folder->source, kinds[kind]);
}

/* Removes the leftover, ".ID.run.tmp", of a process that was killed while it wrote, long ago. */
static void remove_leftover(const folder *folder, const char *name)
{
	unsigned char id[ID_LENGTH / 2];
	struct stat info;
	size_t length = strlen(name);
	if (name[0] == '.' && length > ID_LENGTH + 5 && read_id(name + 1, id) && name[ID_LENGTH + 1] == '.' &&
		!strcmp(name + length - 4, ".tmp") && fstatat(folder->fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
		S_ISREG(info.st_mode) && info.st_uid == geteuid() && time(NULL) - info.st_mtime > LEFTOVER_SECONDS) {
		unlinkat(folder->fd, name, 0);
	}
}

/* Returns whether a file is counted, and may be deleted. Another user's is not: it would make this user's the oldest. A
 * folder that passes its group on to its files (2770) is of that group. */
static bool is_own_file(const folder *folder, const struct stat *info)
{
	return info->st_uid == geteuid() || (folder->group != NO_GROUP && info->st_gid == folder->group);
}

/* Returns whether a label counts. It belongs to the pages, which may run as another user. */
static bool may_label(const folder *folder, const struct stat *info)
{
	return is_own_file(folder, info) || info->st_uid == folder->owner || info->st_uid == 0;
}

static bool is_counted(const folder *folder, size_t kind, const struct stat *info)
{
	return kind == LABEL ? may_label(folder, info) : is_own_file(folder, info);
}

/* Returns the time of a file. A time in the future counts as the oldest, so that it is not the newest run. */
static int64_t file_time(const folder *folder, const struct stat *info)
{
	int64_t time = (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec;
	return time > folder->now + (int64_t)FUTURE_SECONDS * 1000000000 ? 0 : time;
}

/* Adds a file of the folder, if it is of a run that counts. False without memory. */
static bool add_file(const folder *folder, folder_runs *found, const char *name)
{
	folder_run file;
	struct stat info;
	size_t kind = read_name(folder, name, file.id);
	if (kind == KINDS) {
		remove_leftover(folder, name);
		return true;
	}
	if (fstatat(folder->fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !is_counted(folder, kind, &info)) {
		return true; /* gone already, or not ours */
	}
	if (found->used == found->capacity &&
		!xhprof_pages_double((void **)&found->runs, sizeof(*found->runs), &found->capacity, 4096)) {
		return false;
	}
	file.labelled = kind == LABEL;
	file.bytes = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
	file.time = kind == LABEL ? INT64_MIN : file_time(folder, &info);
	found->runs[found->used++] = file;
	return true;
}

static int by_id(const void *a, const void *b)
{
	return memcmp(((const folder_run *)a)->id, ((const folder_run *)b)->id, ID_LENGTH / 2);
}

static int by_time(const void *a, const void *b)
{
	int64_t one = ((const folder_run *)a)->time, other = ((const folder_run *)b)->time;
	return one < other ? -1 : one > other ? 1 : by_id(a, b);
}

/* Merges the files of each run into one entry; oldest first. Labels without a run are left out. */
static void merge_files(folder_runs *found)
{
	size_t runs = 0;
	qsort(found->runs, found->used, sizeof(*found->runs), by_id);
	for (size_t i = 0; i < found->used; i++) {
		const folder_run *file = &found->runs[i];
		folder_run *run = runs ? &found->runs[runs - 1] : NULL;
		if (run && by_id(run, file) == 0) {
			run->bytes += file->bytes;
			run->labelled |= file->labelled;
			run->time = run->time > file->time ? run->time : file->time;
			continue;
		}
		if (run && run->time == INT64_MIN) {
			runs--;
		}
		found->runs[runs++] = *file;
	}
	if (runs && found->runs[runs - 1].time == INT64_MIN) {
		runs--;
	}
	found->used = runs;
	qsort(found->runs, found->used, sizeof(*found->runs), by_time);
}

static int scan_folder(const folder *folder, folder_runs *found)
{
	int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), error = 0;
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	if (!directory) {
		error = errno;
		if (fd >= 0) {
			close(fd);
		}
		return error;
	}
	uint64_t entries = 0;
	for (const struct dirent *entry; !error && (errno = 0, entry = readdir(directory));) {
		error = exceeds(++entries, folder->max_entries) ? EFBIG : add_file(folder, found, entry->d_name) ? 0 : ENOMEM;
	}
	error = error ? error : errno;
	closedir(directory);
	if (!error) {
		merge_files(found);
	}
	return error;
}

/* Returns whether a run is pinned. An unreadable or invalid label may be that of a pinned run. In JSON this cannot be
 * part of a text. */
static bool is_pinned(const folder *folder, const folder_run *run)
{
	static const char not_pinned[] = "\"pinned\":false", pinned[] = "\"pinned\":true";
	char name[NAME_ROOM];
	struct stat info;
	bool may_go = false;
	if (!run->labelled) {
		return false;
	}
	file_name(folder, run, LABEL, name);
	int fd = openat(folder->fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0) {
		return errno != ENOENT;
	}
	char *text = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= LABEL_MAX
					 ? xhprof_pages_map(LABEL_MAX)
					 : NULL;
	if (text) {
		ssize_t length = read(fd, text, LABEL_MAX);
		for (ssize_t i = 0; i < length; i++) {
			size_t left = (size_t)(length - i);
			if (left >= sizeof(pinned) - 1 && !memcmp(text + i, pinned, sizeof(pinned) - 1)) {
				may_go = false;
				break;
			}
			may_go |= left >= sizeof(not_pinned) - 1 && !memcmp(text + i, not_pinned, sizeof(not_pinned) - 1);
		}
		xhprof_pages_unmap(text, LABEL_MAX);
	}
	close(fd);
	return !may_go;
}

/* Removes the files of a run. False if one is still there, for example if another user's files are not ours to
 * delete. */
static bool remove_run(const folder *folder, const folder_run *run)
{
	char name[NAME_ROOM];
	struct stat info;
	for (size_t kind = 0; kind < KINDS; kind++) {
		file_name(folder, run, kind, name);
		if (fstatat(folder->fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && !is_counted(folder, kind, &info)) {
			continue;
		}
		if (unlinkat(folder->fd, name, 0) != 0 && errno != ENOENT) {
			return false;
		}
	}
	return true;
}

/* Counts the runs, and deletes the surplus. */
static int recount_runs(const folder *folder, folder_state *state)
{
	folder_runs found = {0};
	int error = scan_folder(folder, &found);
	if (!error) {
		state->runs = found.used;
		state->bytes = 0;
		for (size_t i = 0; i < found.used; i++) {
			state->bytes += found.runs[i].bytes;
		}
		bool prune = exceeds(state->runs, folder->max_runs) || exceeds(state->bytes, folder->max_bytes);
		uint64_t runs = folder->max_runs - folder->max_runs / 10, bytes = folder->max_bytes - folder->max_bytes / 10;
		for (size_t i = 0; prune && i + 1 < found.used; i++) {
			if (!exceeds(state->runs, runs) && !exceeds(state->bytes, bytes)) {
				break;
			}
			if (!is_pinned(folder, &found.runs[i]) && remove_run(folder, &found.runs[i])) {
				state->runs--;
				state->bytes -= found.runs[i].bytes;
			}
		}
		state->counted_runs = state->runs;
		state->counted_bytes = state->bytes;
	}
	xhprof_pages_unmap(found.runs, found.capacity * sizeof(*found.runs));
	return error;
}

/* Returns whether the number exceeds the bound so far that a new count is due: with many pinned runs a count may leave
 * it over the bound, and then not each new run causes a count. */
static bool is_over(uint64_t number, uint64_t counted, uint64_t max)
{
	return exceeds(number, max) && (number < counted || number - counted > max / 100);
}

static int admit_run(const folder *folder, int fd, uint64_t bytes)
{
	folder_state state;
	int error = 0;
	bool good = read_state(fd, &state);
	if (good) {
		state.runs++;
		state.bytes += bytes;
		if (is_over(state.runs, state.counted_runs, folder->max_runs) ||
			is_over(state.bytes, state.counted_bytes, folder->max_bytes)) {
			error = recount_runs(folder, &state);
		}
	} else {
		error = recount_runs(folder, &state);
	}
	return error ? error : write_state(fd, &state, good);
}

/* Counts the runs without a state file. What is counted is this user's alone; several processes may do this at once, as
 * each deletes the same runs. */
static int admit_without_state(folder *folder)
{
	folder_state state;
	folder->max_entries = ENTRIES_MAX;
	return recount_runs(folder, &state);
}

int xhprof_run_folder_admit(int directory, const char *source, uint64_t max_runs, uint64_t max_bytes,
							uint64_t bytes_written)
{
	folder folder = {.fd = directory, .source = source, .max_runs = max_runs, .max_bytes = max_bytes};
	if ((!max_runs && !max_bytes) || !xhprof_run_valid_source(source, strlen(source))) {
		return 0;
	}
	struct stat info;
	if (fstat(folder.fd, &info) != 0) {
		return errno;
	}
	folder.owner = info.st_uid;
	folder.group = (info.st_mode & S_ISGID) && !(info.st_mode & S_IWOTH) ? info.st_gid : NO_GROUP;
	folder.now = (int64_t)time(NULL) * 1000000000;
	int fd = open_state(&folder);
	if (fd < 0) {
		return admit_without_state(&folder);
	}
	int error = lock_state(fd);
	if (!error) {
		error = admit_run(&folder, fd, bytes_written);
	}
	close(fd);
	return error;
}
