#include "aggregate_files.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define NAME_ROOM 256

static const char prefix[] = ".xhprof-aggregate.";
static const char suffix[] = ".spool";

bool xhprof_aggregate_place_is(const xhprof_aggregate_place *a, const xhprof_aggregate_place *b)
{
	return a->seconds == b->seconds && a->interval_us == b->interval_us && a->clock == b->clock &&
		   a->alloc_bytes == b->alloc_bytes && strcmp(a->source, b->source) == 0 &&
		   strcmp(a->release, b->release) == 0 && strcmp(a->directory, b->directory) == 0;
}

static void swap_bytes(char *text, char from, char to)
{
	while ((text = strchr(text, from))) {
		*text = to;
	}
}

/* Puts the name of a spool's file: ".xhprof-aggregate.SOURCE.UID.SECONDS-INTERVAL-CLOCK[-BYTES][@RELEASE]", BYTES of
 * sampled allocations. There is a file per user, since another user's cannot be written; and per way of sampling and
 * per release, as one run cannot mix them. A "," stands for each "." of the release: what follows the first one after
 * it is no part of it. */
static void base_name(char name[NAME_ROOM], const xhprof_aggregate_place *place)
{
	int length = snprintf(name, NAME_ROOM, "%s%s.%u.%u-%u-%s", prefix, place->source, (unsigned)geteuid(),
						  place->seconds, place->interval_us, xhprof_sample_clock_name(place->clock));
	if (place->alloc_bytes && length > 0 && length < NAME_ROOM) {
		length += snprintf(name + length, NAME_ROOM - (size_t)length, "-%" PRIu64, place->alloc_bytes);
	}
	if (*place->release && length > 0 && length < NAME_ROOM) {
		snprintf(name + length, NAME_ROOM - (size_t)length, "@%s", place->release);
		swap_bytes(name + length, '.', ',');
	}
}

static bool join_path(char path[XHPROF_AGGREGATE_PATH], const char *directory, const char *name, const char *more)
{
	int length = snprintf(path, XHPROF_AGGREGATE_PATH, "%s/%s%s", directory, name, more);
	return length > 0 && (size_t)length < XHPROF_AGGREGATE_PATH;
}

static bool spool_path(char path[XHPROF_AGGREGATE_PATH], const xhprof_aggregate_place *place)
{
	char name[NAME_ROOM];
	base_name(name, place);
	return join_path(path, place->directory, name, suffix);
}

bool xhprof_aggregate_journal_prefix(char path[XHPROF_AGGREGATE_PATH], const xhprof_aggregate_place *place)
{
	char name[NAME_ROOM];
	base_name(name, place);
	return join_path(path, place->directory, name, ".");
}

int xhprof_aggregate_open_journal(const xhprof_aggregate_place *place, xhprof_journal *journal)
{
	char *path = xhprof_pages_map(XHPROF_AGGREGATE_PATH);
	int error = !path                                          ? ENOMEM
				: xhprof_aggregate_journal_prefix(path, place) ? xhprof_journal_open(journal, path)
															   : ENAMETOOLONG;
	xhprof_pages_unmap(path, XHPROF_AGGREGATE_PATH);
	return error;
}

int xhprof_aggregate_remove_journal(const xhprof_aggregate_place *place, uint64_t number)
{
	struct paths {
		char prefix[XHPROF_AGGREGATE_PATH], path[XHPROF_JOURNAL_PATH];
	} *paths = xhprof_pages_map(sizeof(*paths));
	if (!paths) {
		return ENOMEM;
	}
	bool fits = xhprof_aggregate_journal_prefix(paths->prefix, place) &&
				xhprof_journal_path(paths->path, paths->prefix, number);
	int error = !fits ? ENAMETOOLONG : unlink(paths->path) == 0 || errno == ENOENT ? 0 : errno;
	xhprof_pages_unmap(paths, sizeof(*paths));
	return error;
}

void xhprof_aggregate_each_journal(const xhprof_aggregate_place *place,
								   void (*found)(const char *path, uint64_t number, void *context), void *context)
{
	char name[NAME_ROOM], *path = xhprof_pages_map(XHPROF_AGGREGATE_PATH); /* a fiber's stack may be small */
	DIR *folder = path ? opendir(place->directory) : NULL;
	const struct dirent *entry;
	base_name(name, place);
	size_t length = strlen(name);
	while (folder && (entry = readdir(folder))) {
		if (strncmp(entry->d_name, name, length) == 0 && entry->d_name[length] == '.') {
			uint64_t number = xhprof_journal_number(entry->d_name + length + 1);
			if (number && join_path(path, place->directory, entry->d_name, "")) {
				found(path, number, context);
			}
		}
	}
	if (folder) {
		closedir(folder);
	}
	xhprof_pages_unmap(path, XHPROF_AGGREGATE_PATH);
}

/* Reads the place from a file's name, the reverse of base_name(). Other spellings of a number are no names of ours. */
static bool place_of_name(const char *name, xhprof_aggregate_place *place)
{
	char clock[8] = "", again[NAME_ROOM];
	unsigned user, seconds, interval;
	int parsed = 0;
	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0 ||
		sscanf(name + sizeof(prefix) - 1, "%64[A-Za-z0-9_-].%9u.%5u-%9u-%4[a-z]%n", place->source, &user, &seconds,
			   &interval, clock, &parsed) != 5 ||
		!seconds || !interval) {
		return false;
	}
	place->seconds = seconds;
	place->interval_us = interval;
	place->clock = strcmp(clock, "cpu") == 0 ? XHPROF_SAMPLE_CPU : XHPROF_SAMPLE_WALL;
	place->alloc_bytes = 0;
	*place->release = '\0';
	const char *at = name + sizeof(prefix) - 1 + parsed;
	sscanf(at, "-%15" SCNu64, &place->alloc_bytes);
	if ((at = strchr(at, '@'))) {
		sscanf(at, "@%64[A-Za-z0-9,_+~-]", place->release);
		swap_bytes(place->release, ',', '.');
	}
	base_name(again, place);
	size_t length = strlen(again);
	return strncmp(name, again, length) == 0 && strcmp(name + length, suffix) == 0;
}

void xhprof_aggregate_each_other(const xhprof_aggregate_place *place,
								 void (*found)(const xhprof_aggregate_place *other, const char *path, void *context),
								 void *context)
{
	struct other {
		xhprof_aggregate_place place;
		char path[XHPROF_AGGREGATE_PATH], own[XHPROF_AGGREGATE_PATH];
	} *other = xhprof_pages_map(sizeof(*other));
	DIR *folder = other && spool_path(other->own, place) ? opendir(place->directory) : NULL;
	const struct dirent *entry;
	if (other) {
		other->place = *place;
	}
	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.' && place_of_name(entry->d_name, &other->place) &&
			spool_path(other->path, &other->place) && strcmp(other->path, other->own) != 0) {
			found(&other->place, other->path, context);
		}
	}
	if (folder) {
		closedir(folder);
	}
	xhprof_pages_unmap(other, sizeof(*other));
}

/* Opens the file that is first by name among those with a random part: all processes choose the same. */
static int open_second(const xhprof_aggregate_place *place, const char *name, xhprof_spool *spool, char *path)
{
	char first[NAME_ROOM] = "";
	size_t length = strlen(name);
	for (;;) {
		char next[NAME_ROOM] = "";
		DIR *folder = opendir(place->directory);
		const struct dirent *entry;
		if (!folder) {
			return errno;
		}
		while ((entry = readdir(folder))) {
			if (strncmp(entry->d_name, name, length) == 0 && entry->d_name[length] == '.' &&
				strlen(entry->d_name) < NAME_ROOM && strcmp(entry->d_name, first) > 0 &&
				(!*next || strcmp(entry->d_name, next) < 0)) {
				strcpy(next, entry->d_name);
			}
		}
		closedir(folder);
		if (!*next) {
			return ENOENT;
		}
		if (join_path(path, place->directory, next, "") && xhprof_spool_open(spool, path, NULL) == 0) {
			return 0;
		}
		strcpy(first, next);
	}
}

static int open_or_make_second(const xhprof_aggregate_place *place, xhprof_spool *spool, char *path, bool *made)
{
	char name[NAME_ROOM], random[24];
	uint64_t number;
	base_name(name, place);
	strcat(name, suffix);
	int error = open_second(place, name, spool, path);
	if (error != ENOENT) {
		return error;
	}
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number)) {
		return EAGAIN;
	}
	snprintf(random, sizeof(random), ".%016llx", (unsigned long long)number);
	error = join_path(path, place->directory, name, random) ? xhprof_spool_open(spool, path, made) : ENAMETOOLONG;
	return error ? error : open_second(place, name, spool, path); /* another process may have made one, too */
}

int xhprof_aggregate_open_spool(const xhprof_aggregate_place *place, xhprof_spool *spool, bool *made)
{
	char *path = xhprof_pages_map(XHPROF_AGGREGATE_PATH);
	*made = false;
	if (!path) {
		return ENOMEM;
	}
	int error = spool_path(path, place) ? xhprof_spool_open(spool, path, made) : ENAMETOOLONG;
	if (error == EPERM || error == EACCES || error == ELOOP || error == EISDIR || error == ENXIO) {
		int second = open_or_make_second(place, spool, path, made);
		error = second ? error : 0;
	}
	xhprof_pages_unmap(path, XHPROF_AGGREGATE_PATH);
	return error;
}
