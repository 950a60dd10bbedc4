#include "journal.h"

#include "merged_fold.h"
#include "own_file.h"
#include "spool_read.h"
#include "spool_record.h"

#include "export/rlimit_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x314c4e524a505358) /* "XSPJRNL1" */
#define FIRST_SIZE ((size_t)256 * 1024)
#define LARGEST_SIZE ((size_t)64 * 1024 * 1024)
#define TRIES 3
#define SUFFIX ".journal"
#define DIGITS 16

/* Filesystems on which a write to reserved space may still fail, and a mapping then kills: copy on write, and remote
 * ones. */
static const uint32_t unsafe_filesystems[] = {
	0x9123683E /* btrfs */, 0x2FC12FC1 /* zfs */,  0xCA451A4E /* bcachefs */, 0x3434 /* nilfs */,
	0x6969 /* nfs */,       0x65735546 /* fuse */, 0xFF534D42 /* cifs */,     0xFE534D42 /* smb2 */,
	0x00C36400 /* ceph */,  0x01021997 /* 9p */,
};

struct journal_head {
	uint64_t magic;
	uint64_t committed; /* start << 32 | end of the records that count; written last, atomically */
	uint64_t more[6];   /* zero */
};

#define HEAD sizeof(struct journal_head)

static void commit_records(xhprof_journal *journal, size_t start, size_t end)
{
	journal->start = start;
	journal->end = end;
	__atomic_store_n(&journal->head->committed, (uint64_t)start << 32 | end, __ATOMIC_RELEASE);
}

static bool is_safe(int fd)
{
	struct statfs info;
	if (fstatfs(fd, &info) != 0) {
		return false;
	}
	for (size_t i = 0; i < sizeof(unsafe_filesystems) / sizeof(*unsafe_filesystems); i++) {
		if ((uint32_t)info.f_type == unsafe_filesystems[i]) {
			return false;
		}
	}
	return true;
}

static int reserve_space(int fd, size_t size)
{
	xhprof_rlimit_guard guard;
	xhprof_rlimit_guard_begin(&guard);
	int error = posix_fallocate(fd, 0, (off_t)size);
	xhprof_rlimit_guard_end(&guard, error);
	return error;
}

static int map_file(xhprof_journal *journal, size_t size)
{
	int error = reserve_space(journal->fd, size);
	if (error) {
		return error;
	}
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, journal->fd, 0);
	if (pages == MAP_FAILED) {
		return errno;
	}
	madvise(pages, size, MADV_DONTFORK);
	if (journal->head) {
		munmap(journal->head, journal->size);
	}
	journal->head = pages;
	journal->size = size;
	return 0;
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
	journal->number = number;
	journal->device = file.st_dev;
	journal->inode = file.st_ino;
	error = !is_safe(journal->fd) ? EOPNOTSUPP : xhprof_own_file_lock(journal->fd, F_WRLCK, 0, 1);
	if (!error && (fstat(journal->fd, &file) != 0 || !file.st_nlink)) {
		error = EAGAIN; /* another process has adopted it */
	}
	if (!error) {
		error = map_file(journal, FIRST_SIZE);
	}
	if (!error) {
		journal->head->magic = MAGIC;
		commit_records(journal, HEAD, HEAD);
	} else {
		xhprof_journal_remove(journal);
	}
	return error;
}

static bool is_linked(const xhprof_journal *journal)
{
	struct stat file;
	return lstat(journal->path, &file) == 0 && file.st_dev == journal->device && file.st_ino == journal->inode;
}

int xhprof_journal_open(xhprof_journal *journal, const char *prefix)
{
	int error = EAGAIN;
	if (journal->head && strncmp(journal->path, prefix, strlen(prefix)) == 0 &&
		xhprof_own_file_is(journal->fd, journal->device, journal->inode) && is_linked(journal)) {
		xhprof_journal_clear(journal);
		return 0;
	}
	xhprof_journal_remove(journal);
	for (unsigned i = 0; i < TRIES && error == EAGAIN; i++) {
		error = make_file(journal, prefix);
	}
	return error;
}

/* Writes the whole window as one record, beside the records that count until it is complete. */
static int write_anew(xhprof_journal *journal, const xhprof_merged *merged, uint64_t process)
{
	xhprof_spool_record record;
	if (!xhprof_spool_record_make(&record, merged, process)) {
		return ENOMEM;
	}
	int error = 0;
	size_t start = HEAD;
	if (record.size > journal->start - HEAD) {
		size_t size = journal->end + record.size;
		start = journal->end;
		if (size > journal->size) {
			size += record.size > FIRST_SIZE ? record.size : FIRST_SIZE;
			error = size > LARGEST_SIZE                                                ? EFBIG
					: xhprof_own_file_is(journal->fd, journal->device, journal->inode) ? map_file(journal, size)
																					   : EBADF;
		}
	}
	if (!error) {
		memcpy((char *)journal->head + start, record.bytes, record.size);
		commit_records(journal, start, start + record.size);
	}
	xhprof_spool_record_release(&record);
	return error;
}

int xhprof_journal_add(xhprof_journal *journal, const xhprof_spool_part *part, const xhprof_merged *merged,
					   uint64_t process)
{
	if (!journal->head) {
		return EBADF;
	}
	char *at = (char *)journal->head + journal->end;
	size_t size = xhprof_spool_part_put(at, journal->size - journal->end, part, merged, process);
	int error = 0;
	if (size) {
		commit_records(journal, journal->start, journal->end + size);
	} else {
		error = write_anew(journal, merged, process);
	}
	if (error) {
		xhprof_journal_remove(journal);
	}
	return error;
}

void xhprof_journal_clear(xhprof_journal *journal)
{
	if (journal->head) {
		commit_records(journal, HEAD, HEAD);
	}
}

void xhprof_journal_forget(xhprof_journal *journal)
{
	if (journal->fd > 0 && xhprof_own_file_is(journal->fd, journal->device, journal->inode)) {
		close(journal->fd);
	}
	journal->fd = -1;
	journal->number = 0;
	journal->head = NULL;
	journal->size = 0;
}

void xhprof_journal_leave(xhprof_journal *journal)
{
	if (journal->head) {
		munmap(journal->head, journal->size);
	}
	xhprof_journal_forget(journal);
}

void xhprof_journal_remove(xhprof_journal *journal)
{
	if (journal->fd > 0 && is_linked(journal)) {
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

/* All records of one process; after a damaged one the rest is unreadable. */
static void merge_records(xhprof_left_journal *left, const char *bytes, size_t length, xhprof_merged *merged)
{
	size_t at = 0, size = 0;
	while (at < length && (size = xhprof_spool_read_size(bytes + at, length - at))) {
		left->damaged += !xhprof_spool_read_merge(bytes + at, merged, &left->process);
		xhprof_merged_fold_if_many(merged);
		at += size;
	}
	left->damaged += at < length;
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
	size_t start = head.committed >> 32, end = head.committed & UINT32_MAX;
	if (head.magic != MAGIC || start < HEAD || end < start || end > file_size || start == end) {
		left->damaged += head.magic && start != end;
		return 0;
	}
	if (start % XHPROF_SPOOL_ALIGN || end % XHPROF_SPOOL_ALIGN || end > LARGEST_SIZE) {
		left->damaged++;
		return 0;
	}
	char *bytes = xhprof_pages_map(end - start);
	if (!bytes) {
		return ENOMEM;
	}
	error = read_all(left->fd, bytes, end - start, start);
	if (!error) {
		merge_records(left, bytes, end - start, merged);
	}
	xhprof_pages_unmap(bytes, end - start);
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
