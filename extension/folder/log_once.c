#include "log_once.h"

#include "SAPI.h"

#include <fcntl.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_ROOM 8192
#define STAMP_ROOM 64

#define MAX_MESSAGES 8 /* different failures reported until the next success */

/* Hashes of the messages that the threads of this process have logged. */
static uint64_t logged[XHPROF_LOG_NOTICE][MAX_MESSAGES];

/* Returns whether a message is new, and there is room to record it. */
static bool is_new(uint64_t known[MAX_MESSAGES], uint64_t hash)
{
	for (size_t i = 0; i < MAX_MESSAGES; i++) {
		uint64_t none = 0;
		if (__atomic_compare_exchange_n(&known[i], &none, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			return true;
		}
		if (none == hash) {
			return false;
		}
	}
	return false;
}

/* Logs a message to a file. PHP's own function allocates each line from the Zend heap, and at memory_limit that would
 * end the request's shutdown. It is also the only source of a time zone: the time is UTC, in PHP's format. False if the
 * message must be logged in another way. */
static bool log_to_file(const char *path, const char *message, size_t length, char line[STAMP_ROOM + MESSAGE_ROOM])
{
	time_t now = time(NULL);
	struct tm utc;
	static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
									   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	/* Does not wait for the reader of a pipe. */
	int fd = VCWD_OPEN_MODE(path, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
	if (fd < 0) {
		return false;
	}
	gmtime_r(&now, &utc);
	int stamp = snprintf(line, STAMP_ROOM, "[%02d-%s-%d %02d:%02d:%02d UTC] ", utc.tm_mday, months[utc.tm_mon % 12],
						 utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
	memcpy(line + stamp, message, length);
	line[(size_t)stamp + length] = '\n';
	bool complete = write(fd, line, (size_t)stamp + length + 1) > 0;
	close(fd);
	return complete;
}

static void log_line(const char *message, size_t length, char *line)
{
	const char *configured = xhprof_compat_error_log(), *path = configured ? configured : "";
	if (!strcmp(path, "syslog")) {
		syslog(LOG_NOTICE, "%s", message);
	} else if ((!*path || !log_to_file(path, message, length, line)) && sapi_module.log_message) {
		sapi_module.log_message(message, LOG_NOTICE);
	}
}

void xhprof_log(xhprof_log_kind kind, const char *format, ...)
{
	static const char prefix[] = "xhprof: ";
	const size_t size = MESSAGE_ROOM + MESSAGE_ROOM + STAMP_ROOM;
	char *message = xhprof_pages_map(size); /* a fiber's stack may be small */
	if (!message) {
		return;
	}
	memcpy(message, prefix, sizeof(prefix));
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message + sizeof(prefix) - 1, MESSAGE_ROOM - sizeof(prefix), format, arguments);
	va_end(arguments);
	size_t length = 0;
	for (; message[length]; length++) { /* one line, whatever the folder's name */
		if ((unsigned char)message[length] < ' ' || message[length] == 0x7F) {
			message[length] = '?';
		}
	}
	if (kind == XHPROF_LOG_NOTICE || is_new(logged[kind], xhprof_hash_bytes(message, length, 0) | 1)) {
		zend_try
		{
			log_line(message, length, message + MESSAGE_ROOM);
		}
		zend_end_try(); /* of a server that uses the Zend heap: nothing more can be done */
	}
	xhprof_pages_unmap(message, size);
}

void xhprof_log_success(void)
{
	for (size_t i = 0; i < MAX_MESSAGES; i++) {
		if (__atomic_load_n(&logged[XHPROF_LOG_FAILURE][i], __ATOMIC_RELAXED)) {
			__atomic_store_n(&logged[XHPROF_LOG_FAILURE][i], 0, __ATOMIC_RELAXED);
		}
	}
}
