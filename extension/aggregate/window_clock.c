#include "window_clock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LARGEST_STEP_BACK_MS 86400000 /* a larger step is a clock that was set, and is followed */
#define TEST_LOOK_MS 20

/* Reads the time in the file; 0 if the file is invalid: it is written anew each time. */
static uint64_t read_file(const char *path)
{
	char text[24];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0) {
		close(fd);
	}
	text[length > 0 ? length : 0] = '\0';
	return strtoull(text, NULL, 10);
}

/* Returns the file by which the environment moves the clock, or "". Only builds for tests look for one. */
static const char *test_file(void)
{
#if XHPROF_DEV
	static const char *file; /* or "" */
	const char *path = __atomic_load_n(&file, __ATOMIC_RELAXED);
	if (!path) {
		path = getenv("XHPROF_TEST_CLOCK");
		path = path ? path : "";
		__atomic_store_n(&file, path, __ATOMIC_RELAXED);
	}
	return path;
#else
	return "";
#endif
}

static uint64_t now_ms(void)
{
	const char *path = test_file();
	struct timespec now;
	if (*path) {
		return read_file(path);
	}
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t xhprof_window_clock_ms(void)
{
	static uint64_t latest; /* threads share it atomically */
	uint64_t now = now_ms(), before = __atomic_load_n(&latest, __ATOMIC_RELAXED);
	if (now < before && before - now < LARGEST_STEP_BACK_MS) {
		return before;
	}
	if (now) {
		__atomic_store_n(&latest, now, __ATOMIC_RELAXED);
	}
	return now ? now : before;
}

uint64_t xhprof_window_clock_wait(uint64_t ms)
{
	return *test_file() && ms > TEST_LOOK_MS ? TEST_LOOK_MS : ms;
}
