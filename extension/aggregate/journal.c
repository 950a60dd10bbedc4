#include "journal.h"

#include "merged_fold.h"
#include "spool_read.h"

#include "export/rlimit_guard.h"
#include "folder/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x324c4e524a505358) /* "XSPJRNL2" */
#define FIRST_SIZE ((size_t)256 * 1024)
#define LARGEST_SIZE ((size_t)64 * 1024 * 1024)
#define LOCK_PAGE ((size_t)4096)
#define TRIES 3
#define SUFFIX ".journal"
#define DIGITS 16

/* The head of a journal, written as a whole when the records begin anew. Records that count have its mark before them:
 * so adding one is a single write, and one that was cut, or that is left of earlier ones, does not count. */
struct journal_head {
	uint64_t magic;
	uint64_t mark;
	uint64_t start; /* where the records begin */
	uint64_t size;  /* the bytes of the file, which are reserved */
	uint64_t more[4];
};

#define HEAD sizeof(struct journal_head)
#define MARK sizeof(uint64_t)

/* Writes all bytes. Returns 0 or an errno; no signal comes for bytes beyond `ulimit -f`. */
static int write_all(int fd, const struct iovec *parts, int count, size_t at)
{
	xhprof_rlimit_guard guard;
	size_t length = 0;
	ssize_t written;
	for (int i = 0; i < count; i++) {
		length += parts[i].iov_len;
	}
	xhprof_rlimit_guard_begin(&guard);
	do {
		written = pwritev(fd, parts, count, (off_t)at);
	} while (written < 0 && errno == EINTR);
	int error = written < 0 ? errno : 0;
	xhprof_rlimit_guard_end(&guard, error);
	return error ? error : (size_t)written == length ? 0 : ENOSPC;
}

/* Begins the records anew: from here on only records count that are put behind `start` after it. */
static int begin_records(xhprof_journal *journal, size_t start, size_t end, uint64_t mark)
{
	struct journal_head head = {.magic = MAGIC, .mark = mark, .start = start, .size = journal->size};
	int error = write_all(journal->fd, &(struct iovec){&head, sizeof(head)}, 1, 0);
	if (!error) {
		journal->mark = mark;
		journal->start = start;
		journal->end = end;
	}
	return error;
}

static uint64_t next_mark(const xhprof_journal *journal)
{
	return (journal->mark + UINT64_C(0x9E3779B97F4A7C15)) | 1; /* as good as random: its first one is the number */
}

/* Reserves the file's space, so that a full disk refuses this and not each record. Where space cannot be reserved a
 * record may be refused. */
static int reserve_space(xhprof_journal *journal, size_t size)
{
	xhprof_rlimit_guard guard;
	xhprof_rlimit_guard_begin(&guard);
	int error = posix_fallocate(journal->fd, 0, (off_t)size);
	if (error == EOPNOTSUPP || error == ENOSYS || error == EINVAL) {
		error = ftruncate(journal->fd, (off_t)size) == 0 ? 0 : errno;
	}
	xhprof_rlimit_guard_end(&guard, error);
	journal->size = error ? journal->size : size;
	return error;
}

/* Keeps the lock by a mapping, also when the program closes all descriptors that it finds. It is private and never
 * looked at, so that no process is hurt when the file is shortened. */
static void keep_lock(xhprof_journal *journal)
{
	void *page = mmap(NULL, LOCK_PAGE, PROT_NONE, MAP_PRIVATE, journal->fd, 0);
	if (page != MAP_FAILED) {
		madvise(page, LOCK_PAGE, MADV_DONTFORK);
		journal->lock = page;
	}
}

static bool make_room(xhprof_journal *journal)
{
	if (!journal->record) {
		journal->record = xhprof_pages_map(FIRST_SIZE);
		if (journal->record) {
			madvise(journal->record, FIRST_SIZE, MADV_DONTFORK);
		}
	}
	return journal->record != NULL;
}

bool xhprof_journal_path(char path[XHPROF_JOURNAL_PATH], const char *prefix, uint64_t number)
{
	int length = snprintf(path, XHPROF_JOURNAL_PATH, "%s%0*llx" SUFFIX, prefix, DIGITS, (unsigned long long)number);
	return length > 0 && length < XHPROF_JOURNAL_PATH;
}

uint64_t xhprof_journal_number(const char *rest)
{
	bool is = strspn(rest, "0123456789abcdef") == DIGITS && strcmp(rest + DIGITS, SUFFIX) == 0;
	return is ? strtoull(rest, NULL, 16) : 0;
}

static int make_file(xhprof_journal *journal, const char *prefix)
{
	struct stat file;
	uint64_t number;
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number) || !number) {
		return EAGAIN;
	}
	if (!xhprof_journal_path(journal->path, prefix, number)) {
		return ENAMETOOLONG;
	}
	int error = xhprof_own_file_open(journal->path, O_CREAT | O_EXCL, &journal->fd, &file);
	if (error) {
		return error;
	}
	journal->number = journal->mark = number;
	journal->device = file.st_dev;
	journal->inode = file.st_ino;
	error = xhprof_own_file_lock(journal->fd, F_WRLCK, 0, 1);
	if (!error && (fstat(journal->fd, &file) != 0 || !file.st_nlink)) {
		error = EAGAIN; /* another process has adopted it */
	}
	if (!error) {
		error = make_room(journal) ? reserve_space(journal, FIRST_SIZE) : ENOMEM;
	}
	if (!error) {
		keep_lock(journal);
		error = begin_records(journal, HEAD, HEAD, next_mark(journal));
	}
	if (error) {
		xhprof_journal_remove(journal);
	}
	return error;
}

static int make_some_file(xhprof_journal *journal, const char *prefix)
{
	int error = EAGAIN;
	for (unsigned i = 0; i < TRIES && error == EAGAIN; i++) {
		error = make_file(journal, prefix);
	}
	return error;
}

static bool is_linked(const xhprof_journal *journal)
{
	struct stat file;
	return lstat(journal->path, &file) == 0 && file.st_dev == journal->device && file.st_ino == journal->inode;
}

static bool is_file(const xhprof_journal *journal, int fd, struct stat *file)
{
	return fd >= 0 && fstat(fd, file) == 0 && file->st_dev == journal->device && file->st_ino == journal->inode;
}

/* Returns whether the journal has its file. The descriptor may be the program's, which closes all that it finds: then
 * the file is opened again. */
static bool has_file(xhprof_journal *journal, struct stat *file)
{
	if (!is_file(journal, journal->fd, file)) {
		int fd = -1, error = xhprof_own_file_open(journal->path, 0, &fd, file);
		bool is = !error && is_file(journal, fd, file);
		if (!error && !is) {
			close(fd);
		}
		journal->fd = is ? fd : -1;
	}
	return journal->fd >= 0 && file->st_nlink;
}

int xhprof_journal_open(xhprof_journal *journal, const char *prefix)
{
	struct stat file;
	if (xhprof_journal_is_open(journal) && strncmp(journal->path, prefix, strlen(prefix)) == 0 &&
		is_file(journal, journal->fd, &file) && (size_t)file.st_size >= journal->size && is_linked(journal)) {
		xhprof_journal_clear(journal);
		if (xhprof_journal_is_open(journal)) {
			return 0;
		}
	}
	xhprof_journal_remove(journal);
	return make_some_file(journal, prefix);
}

/* Writes the whole window as one record, beside the records that count until it is complete. */
static int write_anew(xhprof_journal *journal, const xhprof_merged *merged, uint64_t process)
{
	xhprof_spool_record record;
	if (!xhprof_spool_record_make(&record, merged, process)) {
		return ENOMEM;
	}
	int error = 0;
	size_t start = HEAD, size = MARK + record.size;
	if (size > journal->start - HEAD) {
		start = journal->end;
		if (start + size > journal->size) {
			size_t larger = start + size + (size > FIRST_SIZE ? size : FIRST_SIZE);
			error = larger > LARGEST_SIZE ? EFBIG : reserve_space(journal, larger);
		}
	}
	uint64_t mark = next_mark(journal);
	if (!error) {
		error = write_all(journal->fd, (struct iovec[]){{&mark, MARK}, {record.bytes, record.size}}, 2, start);
	}
	if (!error) {
		error = begin_records(journal, start, start + size, mark);
	}
	xhprof_spool_record_release(&record);
	return error;
}

/* Makes another file in place of one that was removed or replaced, or that the program cannot see in another root
 * folder. */
static int make_another(xhprof_journal *journal, bool has)
{
	struct another {
		xhprof_journal journal;
		char prefix[XHPROF_JOURNAL_PATH];
	} *another = xhprof_pages_map(sizeof(*another)); /* a fiber's stack may be small */
	if (!another) {
		return ENOMEM;
	}
	memcpy(another->prefix, journal->path, strlen(journal->path) - strlen(SUFFIX) - DIGITS);
	int error = make_some_file(&another->journal, another->prefix);
	if (!error) {
		if (has) { /* by another name: its data count once */
			begin_records(journal, HEAD, HEAD, next_mark(journal));
		}
		xhprof_journal_leave(journal);
		*journal = another->journal;
	}
	xhprof_pages_unmap(another, sizeof(*another));
	return error;
}

static int add_part(xhprof_journal *journal, const xhprof_spool_part *part, const xhprof_merged *merged,
					uint64_t process)
{
	size_t room = journal->size - journal->end, size = 0;
	room = room < FIRST_SIZE ? room : FIRST_SIZE;
	if (room > MARK) {
		size = xhprof_spool_part_put(journal->record + MARK, room - MARK, part, merged, process);
	}
	if (!size) {
		return write_anew(journal, merged, process);
	}
	memcpy(journal->record, &journal->mark, MARK);
	int error = write_all(journal->fd, &(struct iovec){journal->record, MARK + size}, 1, journal->end);
	journal->end += error ? 0 : MARK + size;
	return error;
}

static int add_record(xhprof_journal *journal, const xhprof_spool_record *record, const xhprof_merged *merged,
					  uint64_t process)
{
	size_t size = MARK + record->size;
	if (size > journal->size - journal->end) {
		return write_anew(journal, merged, process);
	}
	const struct iovec parts[] = {{&journal->mark, MARK}, {record->bytes, record->size}};
	int error = write_all(journal->fd, parts, 2, journal->end);
	journal->end += error ? 0 : size;
	return error;
}

/* Adds a part or a record, the other one is NULL. */
static int add(xhprof_journal *journal, const xhprof_spool_part *part, const xhprof_spool_record *record,
			   const xhprof_merged *merged, uint64_t process)
{
	struct stat file;
	if (!xhprof_journal_is_open(journal)) {
		return EBADF;
	}
	int error = 0;
	bool has = has_file(journal, &file), anew = false;
	if (!has || !is_linked(journal)) {
		error = make_another(journal, has);
		anew = !error;
		error = has ? 0 : error;
	} else if ((size_t)file.st_size < journal->size) { /* another program has shortened the file */
		journal->start = journal->end = HEAD;
		error = reserve_space(journal, journal->size);
		anew = true;
	}
	if (!error && anew) {
		error = write_anew(journal, merged, process);
	} else if (!error) {
		error = part ? add_part(journal, part, merged, process) : add_record(journal, record, merged, process);
	}
	if (error) {
		xhprof_journal_remove(journal);
	}
	return error;
}

int xhprof_journal_add(xhprof_journal *journal, const xhprof_spool_part *part, const xhprof_merged *merged,
					   uint64_t process)
{
	return add(journal, part, NULL, merged, process);
}

int xhprof_journal_add_record(xhprof_journal *journal, const xhprof_spool_record *record, const xhprof_merged *merged,
							  uint64_t process)
{
	return add(journal, NULL, record, merged, process);
}

void xhprof_journal_clear(xhprof_journal *journal)
{
	struct stat file;
	if (xhprof_journal_is_open(journal) &&
		(!has_file(journal, &file) || begin_records(journal, HEAD, HEAD, next_mark(journal)) != 0)) {
		xhprof_journal_remove(journal);
	}
}

void xhprof_journal_forget(xhprof_journal *journal)
{
	struct stat file;
	if (journal->fd > 0 && is_file(journal, journal->fd, &file)) {
		close(journal->fd);
	}
	journal->fd = -1;
	journal->number = 0;
	journal->record = NULL;
	journal->lock = NULL;
	journal->size = 0;
}

void xhprof_journal_leave(xhprof_journal *journal)
{
	if (journal->record) {
		xhprof_pages_unmap(journal->record, FIRST_SIZE);
	}
	if (journal->lock) {
		munmap(journal->lock, LOCK_PAGE);
	}
	xhprof_journal_forget(journal);
}

void xhprof_journal_remove(xhprof_journal *journal)
{
	if (journal->number && is_linked(journal)) {
		unlink(journal->path);
	}
	xhprof_journal_leave(journal);
}

static int read_all(int fd, char *bytes, size_t length, size_t from)
{
	size_t done = 0;
	while (done < length) {
		ssize_t got = pread(fd, bytes + done, length - done, (off_t)(from + done));
		if (got == 0 || (got < 0 && errno != EINTR)) {
			return got < 0 ? errno : EIO;
		}
		done += got > 0 ? (size_t)got : 0;
	}
	return 0;
}

/* Returns where the next record that counts may be. */
static size_t next_record(const char *bytes, size_t from, size_t length, uint64_t mark)
{
	for (size_t at = from; at + MARK < length; at += XHPROF_SPOOL_ALIGN) {
		if (memcmp(bytes + at, &mark, MARK) == 0) {
			return at;
		}
	}
	return length;
}

/* Merges all records of one process. What is damaged is left out, and the next one counts again. */
static void merge_records(xhprof_left_journal *left, const char *bytes, size_t length, uint64_t mark,
						  xhprof_merged *merged)
{
	size_t end = 0, at;
	while ((at = next_record(bytes, end, length, mark)) < length) {
		const char *record = bytes + at + MARK;
		size_t size = xhprof_spool_read_size(record, length - at - MARK);
		bool good = size && xhprof_spool_read_merge(record, merged, &left->process);
		left->damaged += !good || at != end;
		end = at + MARK + size;
		xhprof_merged_fold_if_many(merged);
	}
}

static int read_records(xhprof_left_journal *left, size_t file_size, xhprof_merged *merged)
{
	struct journal_head head;
	if (file_size < HEAD) {
		return 0; /* its process died before it wrote anything */
	}
	int error = read_all(left->fd, (char *)&head, HEAD, 0);
	if (error) {
		return error;
	}
	if (head.magic != MAGIC || head.start < HEAD || head.start % XHPROF_SPOOL_ALIGN || head.start > file_size) {
		left->damaged += head.magic != 0;
		return 0;
	}
	left->damaged += file_size < head.size; /* another program has shortened the file */
	size_t length = file_size < LARGEST_SIZE ? file_size - head.start : LARGEST_SIZE - head.start;
	if (head.start > LARGEST_SIZE || !length) {
		return 0;
	}
	char *bytes = xhprof_pages_map(length);
	if (!bytes) {
		return ENOMEM;
	}
	error = read_all(left->fd, bytes, length, head.start);
	if (!error) {
		merge_records(left, bytes, length, head.mark, merged);
	}
	xhprof_pages_unmap(bytes, length);
	return error;
}

int xhprof_left_journal_read(xhprof_left_journal *left, const char *path, xhprof_merged *merged)
{
	struct stat file;
	*left = (xhprof_left_journal){.fd = -1};
	int error = xhprof_own_file_open(path, 0, &left->fd, &file);
	if (error) {
		return error;
	}
	error = xhprof_own_file_lock(left->fd, F_WRLCK, 0, 1);
	if (!error && (fstat(left->fd, &file) != 0 || file.st_nlink != 1)) {
		error = EAGAIN; /* another process was faster */
	}
	if (!error) {
		error = read_records(left, (size_t)file.st_size, merged);
	}
	if (error) {
		close(left->fd);
		left->fd = -1;
	}
	return error;
}

bool xhprof_left_journal_done(xhprof_left_journal *left, const char *path, int error)
{
	bool removed = !error && unlink(path) == 0;
	close(left->fd);
	left->fd = -1;
	return removed;
}
