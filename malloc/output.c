#include "output.h"

#include "base/redact.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The lowest number of our descriptors: programs and scripts count on the low numbers. */
#define HIGH_FD 750
#define COMMAND_SIZE 256

/* The command without its secrets, which the program may have erased by the time it is shown. */
static char first_command[COMMAND_SIZE];
static bool stderr_known;
static struct stat stderr_identity;
static char stderr_name[256];
static int stderr_kept = -1;

void xhprof_output_put(xhprof_output_text *text, const char *string)
{
	size_t length = strlen(string), room = text->size - text->used;
	length = length < room ? length : room;
	memcpy(text->bytes + text->used, string, length);
	text->used += length;
}

static void put_digits(xhprof_output_text *text, uint64_t number, int min)
{
	char digits[24];
	char *at = digits + sizeof(digits) - 1;
	*at = '\0';
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (--min > 0 || number);
	xhprof_output_put(text, at);
}

void xhprof_output_number(xhprof_output_text *text, uint64_t number)
{
	put_digits(text, number, 1);
}

void xhprof_output_seconds(xhprof_output_text *text, uint64_t nanoseconds)
{
	put_digits(text, nanoseconds / 1000000000, 1);
	xhprof_output_put(text, ".");
	put_digits(text, nanoseconds % 1000000000 / 1000, 6);
}

void xhprof_output_bytes(xhprof_output_text *text, uint64_t bytes)
{
	static const char *const units[] = {" KB)", " MB)", " GB)", " TB)"};
	xhprof_output_number(text, bytes);
	xhprof_output_put(text, bytes == 1 ? " byte" : " bytes");
	if (bytes < 1024) {
		return;
	}
	/* In tenths, rounded. */
	unsigned unit = 0;
	uint64_t divisor = 1024;
	while (unit < 3 && bytes / divisor >= 1024) {
		divisor *= 1024;
		unit++;
	}
	uint64_t tenths = bytes / divisor * 10 + (bytes % divisor * 10 + divisor / 2) / divisor;
	xhprof_output_put(text, " (");
	put_digits(text, tenths / 10, 1);
	xhprof_output_put(text, ".");
	put_digits(text, tenths % 10, 1);
	xhprof_output_put(text, units[unit]);
}

/* Reads the command without its secrets; "" if /proc is missing, or no longer readable, and while another thread reads
 * it. The stack may be the small one of a signal handler. */
static void read_command(char command[COMMAND_SIZE])
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	static char line[XHPROF_REDACT_LOOKS_AT(COMMAND_SIZE) + 1];
	const xhprof_secret_rules rules = {.fragments = XHPROF_REDACT_NAMES};
	command[0] = '\0';
	if (atomic_flag_test_and_set(&busy)) {
		return;
	}
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, line, sizeof(line) - 1);
	if (fd >= 0) {
		close(fd);
	}
	while (length > 0 && line[length - 1] == '\0') {
		length--;
	}
	if (length > 0) {
		line[length] = '\0';
		xhprof_redact_process(command, COMMAND_SIZE, line, (size_t)length, &rules);
	}
	atomic_flag_clear(&busy);
}

void xhprof_output_command(xhprof_output_text *text, size_t max)
{
	char command[COMMAND_SIZE];
	int saved_errno = errno;
	read_command(command);
	errno = saved_errno;
	if (!*command) {
		memcpy(command, first_command, sizeof(command));
	}
	bool cut = strlen(command) > max;
	command[cut ? max : COMMAND_SIZE - 1] = '\0';
	for (char *at = command; *at; at++) {
		unsigned char byte = (unsigned char)*at;
		*at = (char)(byte < ' ' || byte == 0x7f || (byte >= 0x80 && byte < 0xa0) ? '?' : byte);
	}
	xhprof_output_put(text, *command ? command : "(unknown)");
	xhprof_output_put(text, cut ? "..." : "");
}

bool xhprof_output_absolute(char path[XHPROF_OUTPUT_PATH], const char *name)
{
	xhprof_output_text text = {.bytes = path, .size = XHPROF_OUTPUT_PATH};
	if (name[0] != '/') {
		if (!getcwd(path, XHPROF_OUTPUT_PATH)) {
			return false;
		}
		/* The folder's own "%" is not one of the setting. */
		size_t length = strlen(path);
		for (size_t i = 0; i < length; i++) {
			if (path[i] == '%') {
				if (length + 2 > XHPROF_OUTPUT_PATH) {
					return false;
				}
				memmove(path + i + 1, path + i, length + 1 - i);
				length++;
				i++;
			}
		}
		text.used = length;
		xhprof_output_put(&text, "/");
	}
	xhprof_output_put(&text, name);
	if (text.used == text.size) {
		return false;
	}
	path[text.used] = '\0';
	return true;
}

bool xhprof_output_path(char path[XHPROF_OUTPUT_PATH], const char *pattern, bool forked)
{
	xhprof_output_text text = {.bytes = path, .size = XHPROF_OUTPUT_PATH};
	bool named = false;
	for (const char *at = pattern; *at; at++) {
		if (at[0] == '%' && at[1] == 'p') {
			xhprof_output_number(&text, (uint64_t)getpid());
			named = true;
			at++;
		} else {
			xhprof_output_put(&text, (char[]){*at, '\0'});
			at += at[0] == '%' && at[1] == '%';
		}
	}
	if (forked && !named) {
		xhprof_output_put(&text, ".");
		xhprof_output_number(&text, (uint64_t)getpid());
	}
	if (text.used == text.size) {
		return false;
	}
	path[text.used] = '\0';
	return true;
}

/* Blocks SIGPIPE: a pipe without a reader must not end the program. */
static void without_sigpipe(sigset_t *before, bool *was_pending)
{
	sigset_t sigpipe, pending;
	sigemptyset(&sigpipe);
	sigaddset(&sigpipe, SIGPIPE);
	*was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &sigpipe, before);
}

static void with_sigpipe(const sigset_t *before, bool was_pending, bool broken)
{
	if (broken && !was_pending) {
		sigset_t sigpipe;
		sigemptyset(&sigpipe);
		sigaddset(&sigpipe, SIGPIPE);
		while (sigtimedwait(&sigpipe, NULL, &(struct timespec){0, 0}) < 0 && errno == EINTR) {
		}
	}
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Writes all bytes. Returns 0 or an errno. */
static int write_all(int fd, const char *bytes, size_t size)
{
	int error = 0;
	sigset_t signals;
	bool was_pending;
	without_sigpipe(&signals, &was_pending);
	while (size > 0 && error == 0) {
		ssize_t written = write(fd, bytes, size);
		if (written > 0) {
			bytes += written;
			size -= (size_t)written;
		} else if (written == 0 || errno != EINTR) {
			error = written == 0 ? EIO : errno;
		}
	}
	with_sigpipe(&signals, was_pending, error == EPIPE);
	return error;
}

void xhprof_output_write(int fd, const char *bytes, size_t size)
{
	int saved_errno = errno;
	write_all(fd, bytes, size);
	errno = saved_errno;
}

/* Returns whether the descriptor is still that file; stores the number of its names. */
static bool is_kept(const xhprof_append_file *file, nlink_t *names)
{
	struct stat now;
	if (!file->kept || fstat(file->fd, &now) != 0 || now.st_dev != file->device || now.st_ino != file->number) {
		return false;
	}
	*names = now.st_nlink;
	return true;
}

void xhprof_append_file_forget(xhprof_append_file *file)
{
	int saved_errno = errno;
	nlink_t names;
	if (is_kept(file, &names) && fcntl(file->fd, F_GETFD) == FD_CLOEXEC) {
		close(file->fd);
	}
	file->kept = false;
	errno = saved_errno;
}

/* Returns whether a name is the system's, below /dev and /proc: /dev/stderr is a link, and may be a pipe or a
 * terminal. */
static bool is_of_system(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* Checks a file before it is emptied or extended: another user may have planted a link, or another name of a file of
 * ours. Returns 0 or an errno. */
static int check_file(int fd, const char *path, struct stat *now)
{
	if (fstat(fd, now) != 0) {
		return errno;
	}
	bool own = (S_ISREG(now->st_mode) || S_ISFIFO(now->st_mode)) && now->st_nlink <= 1 && now->st_uid == geteuid();
	return own || is_of_system(path) ? 0 : EPERM;
}

/* Opens a file. Returns its descriptor, or -1 with errno: also for a pipe that no process reads, which would be waited
 * for. The caller closes one that is not kept. */
static int open_file(xhprof_append_file *file, const char *path, bool from_anew)
{
	xhprof_append_file_forget(file);
	int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	int fd = open(path, flags | (is_of_system(path) ? 0 : O_NOFOLLOW), 0600);
	struct stat now;
	if (fd < 0) {
		return -1;
	}
	int error = check_file(fd, path, &now);
	if (!error && from_anew && S_ISREG(now.st_mode) && ftruncate(fd, 0) != 0) {
		error = errno;
	}
	if (error) {
		close(fd);
		errno = error;
		return -1;
	}
	fcntl(fd, F_SETFL, O_APPEND);
	if (S_ISREG(now.st_mode)) {
		int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
		if (high >= 0) {
			close(fd);
			fd = high;
			*file = (xhprof_append_file){true, high, now.st_dev, now.st_ino};
		}
	}
	return fd;
}

void xhprof_append_file_open(xhprof_append_file *file, const char *path)
{
	int saved_errno = errno;
	struct stat before;
	/* Opening a pipe waits for its reader. */
	if (stat(path, &before) == 0 ? S_ISREG(before.st_mode) : errno == ENOENT) {
		int fd = open_file(file, path, false);
		if (fd >= 0 && !file->kept) {
			close(fd);
		}
	}
	errno = saved_errno;
}

int xhprof_append_file_add(xhprof_append_file *file, const char *path, bool from_anew, const char *bytes, size_t size)
{
	int saved_errno = errno;
	nlink_t names;
	bool usable = !from_anew && is_kept(file, &names) && names > 0; /* not removed */
	int fd = usable ? file->fd : open_file(file, path, from_anew);
	int error = fd < 0 ? errno : write_all(fd, bytes, size);
	if (fd >= 0 && !file->kept) {
		close(fd);
	}
	errno = saved_errno;
	return error;
}

void xhprof_output_warn(const char *what, const char *name, int error)
{
	static char buffer[XHPROF_OUTPUT_PATH + 256]; /* at the start and the end of a process, by one thread */
	xhprof_output_text text = XHPROF_OUTPUT_TEXT(buffer);
	xhprof_output_put(&text, "libxhprof_malloc: ");
	xhprof_output_put(&text, what);
	xhprof_output_put(&text, name);
	if (error) {
		/* strerror() may allocate. */
		static const struct {
			int error;
			const char *text;
		} known[] = {{ENOENT, "no such file or folder"},
					 {EACCES, "permission denied"},
					 {EISDIR, "is a folder"},
					 {ENOTDIR, "not a folder"},
					 {ENOSPC, "no space left"},
					 {EROFS, "read-only file system"},
					 {EPERM, "not permitted"},
					 {ENAMETOOLONG, "name too long"},
					 {EMFILE, "too many open files"},
					 {ELOOP, "is a link"}};
		xhprof_output_put(&text, ": ");
		size_t i = 0;
		while (i < sizeof(known) / sizeof(known[0]) && known[i].error != error) {
			i++;
		}
		if (i < sizeof(known) / sizeof(known[0])) {
			xhprof_output_put(&text, known[i].text);
		} else {
			xhprof_output_put(&text, "error ");
			xhprof_output_number(&text, (uint64_t)error);
		}
	}
	xhprof_output_put(&text, "\n");
	xhprof_output_stderr(text.bytes, text.used);
}

void xhprof_output_start(void)
{
	int saved_errno = errno;
	read_command(first_command);
	stderr_known = fstat(STDERR_FILENO, &stderr_identity) == 0;
	ssize_t length = stderr_known ? readlink("/proc/self/fd/2", stderr_name, sizeof(stderr_name) - 1) : -1;
	stderr_name[length > 0 && (size_t)length < sizeof(stderr_name) - 1 ? length : 0] = '\0';
	/* A pipe has no name to be opened by. */
	if (stderr_known && stderr_name[0] != '/') {
		stderr_kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, HIGH_FD);
	}
	errno = saved_errno;
}

static bool is_stderr(int fd)
{
	struct stat now;
	return fd >= 0 && fstat(fd, &now) == 0 && now.st_dev == stderr_identity.st_dev &&
		   now.st_ino == stderr_identity.st_ino;
}

void xhprof_output_forked(void)
{
	int saved_errno = errno;
	if (is_stderr(stderr_kept) &&
		fcntl(stderr_kept, F_GETFD) == FD_CLOEXEC) { /* the program has not put another there */
		close(stderr_kept);
	}
	stderr_kept = -1;
	errno = saved_errno;
}

/* Returns whether a descriptor is a device. Anything else open by that number may be data: a socket or a file of a
 * program that had closed stderr. */
static bool is_device(int fd)
{
	struct stat now;
	return fstat(fd, &now) == 0 && S_ISCHR(now.st_mode);
}

void xhprof_output_stderr(const char *bytes, size_t size)
{
	if (!stderr_known) {
		return;
	}
	int saved_errno = errno;
	if (is_stderr(STDERR_FILENO) || is_device(STDERR_FILENO)) {
		write_all(STDERR_FILENO, bytes, size);
	} else if (is_stderr(stderr_kept)) {
		write_all(stderr_kept, bytes, size);
	} else if (stderr_name[0] == '/') {
		int fd = open(stderr_name, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
		if (is_stderr(fd)) {
			write_all(fd, bytes, size);
		}
		if (fd >= 0) {
			close(fd);
		}
	}
	errno = saved_errno;
}
