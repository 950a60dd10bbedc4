#include "heap_on_limit.h"

#include "request_info.h"

#include "base/arena.h"
#include "export/heap_snapshot.h"
#include "export/run_write.h"
#include "folder/log_once.h"
#include "folder/snapshot_folder.h"

#include <sys/param.h>
#include <time.h>
#include <unistd.h>

/* The bytes that are reserved for the moment when the system runs out of memory too, and released then. */
#define RESERVE ((size_t)4 * 1024 * 1024)

bool xhprof_heap_on_limit_valid(const char *pattern)
{
	if (*pattern && *pattern != '/') {
		return false;
	}
	for (const char *at = strchr(pattern, '%'); at; at = strchr(at + 2, '%')) {
		if (!at[1] || !strchr("ptu%", at[1])) {
			return false;
		}
	}
	return strlen(pattern) < MAXPATHLEN;
}

/* Makes the path of a snapshot taken now. False if it is too long. */
static bool expand_pattern(const char *pattern, char path[MAXPATHLEN])
{
	char text[XHPROF_RUN_ID_LENGTH + 1];
	size_t length = 0;
	for (; *pattern; pattern++) {
		if (*pattern != '%') {
			text[0] = *pattern;
			text[1] = '\0';
		} else if (*++pattern == 'p') {
			snprintf(text, sizeof(text), "%ld", (long)getpid());
		} else if (*pattern == 't') {
			snprintf(text, sizeof(text), "%lld", (long long)time(NULL));
		} else if (*pattern == 'u') {
			xhprof_run_make_id(text);
		} else {
			memcpy(text, "%", 2);
		}
		size_t added = strlen(text);
		if (added >= MAXPATHLEN - length) {
			return false;
		}
		memcpy(path + length, text, added);
		length += added;
	}
	path[length] = '\0';
	return true;
}

static void release_reserve(void **reserve)
{
	xhprof_pages_unmap(*reserve, RESERVE);
	*reserve = NULL;
}

/* Describes the request as it began, because the program may have changed its variables. */
static void describe_request(xhprof_heap_request *request)
{
	const xhprof_request_info *info = XHPROF_G(request_info);
	if (!info || !info->known) {
		return;
	}
	request->host = info->host;
	request->method = info->method;
	request->url = xhprof_request_info_url();
	request->route = *XHPROF_G(route).set ? XHPROF_G(route).set : info->request_route;
}

/* Removes surplus snapshots of the same pattern in its folder. */
static void bound_folder(const char *path)
{
	int error = xhprof_snapshot_folder_bound(path, strrchr(XHPROF_G(ini).heap_on_limit, '/') + 1,
											 (uint64_t)XHPROF_G(ini).max_runs, (uint64_t)XHPROF_G(ini).max_bytes);
	if (error) {
		xhprof_log_condition("old heap snapshots beside %s cannot be deleted: %s", path, strerror(error));
	}
}

static void write_snapshot(const char *path)
{
	xhprof_heap_request request;
	const char *failure = NULL;
	xhprof_heap_request_init(&request);
	request.handlers = false; /* handlers of extensions are not called without memory */
	request.in_heap = true;
	describe_request(&request);
	struct xhprof_heap_snapshot *taken = xhprof_heap_snapshot_write(&request, path, &failure);
	if (failure) {
		xhprof_log_failure("no heap snapshot at memory_limit: %s: %s", path, failure);
	} else {
		xhprof_log_notice("the heap snapshot at memory_limit is %s", path);
		bound_folder(path);
	}
	xhprof_heap_snapshot_release(taken);
}

/* Writes the snapshot at memory_limit. This runs within the heap, which leaves by a bailout afterwards. */
static void on_error(int type, zend_string *file, uint32_t line, zend_string *message)
{
	if (!XHPROF_G(heap_on_limit).armed || type != E_ERROR || !xhprof_compat_heap_at_limit(message)) {
		return;
	}
	XHPROF_G(heap_on_limit).armed = false; /* shutdown functions may reach it again */
	release_reserve(&XHPROF_G(heap_on_limit).reserve);
	char *path = xhprof_pages_map(MAXPATHLEN);
	if (!path || !expand_pattern(XHPROF_G(ini).heap_on_limit, path)) {
		xhprof_log_failure("no heap snapshot at memory_limit: %s", path ? "the file's name is too long" : "no memory");
	} else {
		write_snapshot(path);
	}
	xhprof_pages_unmap(path, MAXPATHLEN);
}

void xhprof_heap_on_limit_minit(void)
{
	zend_observer_error_register(on_error);
}

/* Returns whether a pattern may be used: the owner of a folder may set it (.user.ini), and must not write outside of
 * open_basedir. */
static bool is_allowed(const char *pattern)
{
	char *path = PG(open_basedir) && *PG(open_basedir) ? xhprof_pages_map(MAXPATHLEN) : NULL;
	if (!path) {
		return !PG(open_basedir) || !*PG(open_basedir);
	}
	bool within = expand_pattern(pattern, path) && php_check_open_basedir_ex(path, 0) == 0;
	xhprof_pages_unmap(path, MAXPATHLEN);
	return within;
}

/* Takes what the snapshot says of the request. False without memory. */
static bool take_info(void)
{
	volatile bool taken = false;
	zend_try
	{
		taken = xhprof_request_info_begin();
	}
	zend_end_try();
	return taken;
}

void xhprof_heap_on_limit_rinit(void)
{
	const char *pattern = XHPROF_G(ini).heap_on_limit;
	XHPROF_G(heap_on_limit).armed = false;
	if (!pattern || !*pattern) {
		return;
	}
	if (!is_allowed(pattern)) {
		xhprof_log_failure("xhprof.heap_on_limit: %s is not within open_basedir", pattern);
		return;
	}
	if (!XHPROF_G(heap_on_limit).reserve) {
		XHPROF_G(heap_on_limit).reserve = xhprof_pages_map(RESERVE);
		if (XHPROF_G(heap_on_limit).reserve) {
			memset(XHPROF_G(heap_on_limit).reserve, 1, RESERVE); /* touched, so that it is really there */
		}
	}
	if (!take_info()) {
		xhprof_log_failure("heap snapshots at memory_limit: not enough memory to keep the request's URL");
	}
	XHPROF_G(heap_on_limit).armed = true;
}

void xhprof_heap_on_limit_rshutdown(void)
{
	XHPROF_G(heap_on_limit).armed = false;
}

void xhprof_heap_on_limit_gshutdown(zend_xhprof_globals *globals)
{
	release_reserve(&globals->heap_on_limit.reserve);
}
