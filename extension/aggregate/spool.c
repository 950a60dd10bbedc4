#include "spool.h"

#include "merged_fold.h"
#include "spool_read.h"

#include "export/rlimit_guard.h"
#include "folder/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <string.h>

#define MAGIC UINT64_C(0x32304c4f4f505358) /* "XSPOOL02" */
#define PROCESSES_COUNTED 65536
#define TRY_NS 200000

/* Locked offsets of the file; they need not exist in it. */
#define CHANGE_AT 0
#define WINDOWS_AT ((off_t)1 << 40)

static bool spool_is_open(const xhprof_spool *spool)
{
	return xhprof_own_file_is(spool->fd, spool->device, spool->inode);
}

static int open_file(const char *path, int *fd, struct stat *file, bool *made)
{
	int error = xhprof_own_file_open(path, 0, fd, file);
	if (error == ENOENT) {
		error = xhprof_own_file_open(path, O_CREAT | O_EXCL, fd, file);
		*made = !error;
		if (error == EEXIST) {
			error = xhprof_own_file_open(path, 0, fd, file); /* another process made it meanwhile */
		}
	}
	return error;
}

int xhprof_spool_open(xhprof_spool *spool, const char *path, bool *made)
{
	struct stat file;
	bool is_new = false, held = spool->holds;
	if (made) {
		*made = false;
	}
	if (spool_is_open(spool) && stat(path, &file) == 0 && file.st_dev == spool->device && file.st_ino == spool->inode) {
		return 0;
	}
	xhprof_spool_close(spool);
	int fd, error = open_file(path, &fd, &file, &is_new);
	if (error) {
		return error;
	}
	spool->fd = fd;
	spool->device = file.st_dev;
	spool->inode = file.st_ino;
	if (made) {
		*made = is_new;
	}
	if (held) {
		xhprof_spool_hold(spool, spool->window);
	}
	return 0;
}

void xhprof_spool_forget(xhprof_spool *spool)
{
	if (spool_is_open(spool)) {
		close(spool->fd);
	}
	spool->fd = -1;
	spool->holds = false;
}

void xhprof_spool_close(xhprof_spool *spool)
{
	xhprof_spool_let_go(spool); /* a forked child may keep the same file open for long */
	xhprof_spool_forget(spool);
}

static int try_lock(const xhprof_spool *spool)
{
	return xhprof_own_file_lock(spool->fd, F_WRLCK, CHANGE_AT, 1);
}

void xhprof_spool_unlock(const xhprof_spool *spool)
{
	xhprof_own_file_lock(spool->fd, F_UNLCK, CHANGE_AT, 1);
}

void xhprof_spool_hold(xhprof_spool *spool, uint64_t window)
{
	if (spool->holds && spool->window != window) {
		xhprof_spool_let_go(spool);
	}
	spool->window = window;
	spool->holds = spool_is_open(spool) && xhprof_own_file_lock(spool->fd, F_RDLCK, WINDOWS_AT + (off_t)window, 1) == 0;
}

void xhprof_spool_let_go(xhprof_spool *spool)
{
	if (spool->holds && spool_is_open(spool)) {
		xhprof_own_file_lock(spool->fd, F_UNLCK, WINDOWS_AT, 0);
	}
	spool->holds = false;
}

bool xhprof_spool_awaited(const xhprof_spool *spool, uint64_t window)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WINDOWS_AT, .l_len = (off_t)window + 1};
	return fcntl(spool->fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

int xhprof_spool_lock(const xhprof_spool *spool, unsigned tries)
{
	const struct timespec pause = {0, TRY_NS};
	int error = try_lock(spool);
	while (error == EAGAIN && tries--) {
		nanosleep(&pause, NULL);
		error = try_lock(spool);
	}
	return error;
}

/* Reads up to `length` bytes. Returns their number; SIZE_MAX with errno. */
static size_t read_at(int fd, void *to, size_t length, uint64_t offset)
{
	size_t done = 0;
	while (done < length) {
		ssize_t got = pread(fd, (char *)to + done, length - done, (off_t)(offset + done));
		if (got < 0 && errno != EINTR) {
			return SIZE_MAX;
		}
		if (got == 0) {
			break;
		}
		done += got > 0 ? (size_t)got : 0;
	}
	return done;
}

static int write_at(int fd, const void *from, size_t length, uint64_t offset)
{
	xhprof_rlimit_guard guard;
	size_t done = 0;
	int error = 0;
	xhprof_rlimit_guard_begin(&guard);
	while (done < length && !error) {
		ssize_t put = pwrite(fd, (const char *)from + done, length - done, (off_t)(offset + done));
		error = put < 0 ? errno == EINTR ? 0 : errno : put == 0 ? ENOSPC : 0;
		done += put > 0 ? (size_t)put : 0;
	}
	xhprof_rlimit_guard_end(&guard, error);
	return error;
}

static uint64_t head_checksum(const xhprof_spool_head *head)
{
	return xhprof_hash_bytes(head, offsetof(xhprof_spool_head, checksum), MAGIC);
}

int xhprof_spool_read_head(const xhprof_spool *spool, xhprof_spool_head *head)
{
	struct stat file;
	size_t got = read_at(spool->fd, head, sizeof(*head), 0);
	if (got == SIZE_MAX || fstat(spool->fd, &file) != 0) {
		return errno;
	}
	bool good = got == sizeof(*head) && head->magic == MAGIC && head->checksum == head_checksum(head) &&
				head->end >= sizeof(*head) && head->end <= (uint64_t)file.st_size && head->end <= XHPROF_SPOOL_MAX &&
				head->end % XHPROF_SPOOL_ALIGN == 0;
	if (!good) {
		uint64_t size = (uint64_t)file.st_size < XHPROF_SPOOL_MAX ? (uint64_t)file.st_size : XHPROF_SPOOL_MAX;
		size -= size % XHPROF_SPOOL_ALIGN;
		/* Any records may be whole. */
		*head = (xhprof_spool_head){
			.magic = MAGIC, .end = size < sizeof(*head) ? sizeof(*head) : size, .damaged = file.st_size != 0};
	}
	return 0;
}

int xhprof_spool_write_head(const xhprof_spool *spool, xhprof_spool_head *head)
{
	head->checksum = head_checksum(head);
	return write_at(spool->fd, head, sizeof(*head), 0);
}

int xhprof_spool_append(const xhprof_spool *spool, xhprof_spool_head *head, const xhprof_spool_record *record,
						uint64_t now_ms)
{
	if (record->size > XHPROF_SPOOL_MAX - head->end) {
		return EFBIG;
	}
	xhprof_spool_head next = *head;
	next.begun_ms = xhprof_spool_empty(head) ? now_ms : head->begun_ms;
	next.end = head->end + record->size;
	next.window = head->window > record->window ? head->window : record->window;
	next.taken = head->taken ? head->taken : record->journal;
	off_t kept = (off_t)head->end;
	int error = 0;
	if (xhprof_spool_empty(head)) {
		struct stat file;
		bool is_new = fstat(spool->fd, &file) == 0 && file.st_size == 0;
		/* Without a head of its own the file's records would count too early. */
		error = xhprof_spool_write_head(spool, head);
		kept = error && is_new ? 0 : kept; /* a longer file without a head would count as damaged */
	}
	if (!error) {
		error = write_at(spool->fd, record->bytes, record->size, head->end);
	}
	if (!error) {
		error = xhprof_spool_write_head(spool, &next);
	}
	if (error) {
		if (ftruncate(spool->fd, kept) != 0) {
			return error; /* anything past the end does not count anyway */
		}
		return error;
	}
	*head = next;
	return 0;
}

int xhprof_spool_clear(const xhprof_spool *spool, xhprof_spool_head *head, uint64_t damaged)
{
	head->end = sizeof(*head);
	head->window = 0;
	head->damaged = damaged;
	int error = xhprof_spool_write_head(spool, head);
	if (ftruncate(spool->fd, sizeof(*head)) != 0 && !error) {
		error = errno;
	}
	return error;
}

/* Merges the records within bytes that are aligned as records are. After a damaged one it searches for the next. */
static void merge_records(const char *bytes, size_t length, xhprof_merged *merged, uint64_t *processes,
						  uint64_t *damaged)
{
	xhprof_table seen = {0};
	bool lost = false;
	for (size_t at = 0; at < length;) {
		size_t size = xhprof_spool_read_size(bytes + at, length - at);
		uint64_t process = 0;
		if (!size) {
			*damaged += !lost;
			lost = true;
			at += XHPROF_SPOOL_ALIGN;
			continue;
		}
		lost = false;
		if (xhprof_spool_read_merge(bytes + at, merged, &process)) {
			xhprof_merged_fold_if_many(merged);
			process += !process;
			if (!xhprof_table_find(&seen, process) && seen.used < PROCESSES_COUNTED) {
				xhprof_table_put(&seen, process, &seen);
				++*processes;
			}
		} else {
			++*damaged;
		}
		at += size;
	}
	xhprof_merged_fold(merged);
	xhprof_table_release(&seen);
}

int xhprof_spool_merge(const xhprof_spool *spool, const xhprof_spool_head *head, xhprof_merged *merged,
					   uint64_t *processes, uint64_t *damaged)
{
	size_t length = (size_t)(head->end - sizeof(*head));
	*processes = 0;
	*damaged = head->damaged;
	if (!length) {
		return 0;
	}
	void *bytes = xhprof_pages_map(length);
	if (!bytes) {
		return ENOMEM;
	}
	size_t got = read_at(spool->fd, bytes, length, sizeof(*head));
	int error = got == SIZE_MAX ? errno : 0;
	if (!error) {
		merge_records(bytes, length, merged, processes, damaged);
	}
	xhprof_pages_unmap(bytes, length);
	return error;
}
