/* The facts of a request that its run records, taken when the profile begins: at its end the program may have used
 * up all memory or changed its variables, its folder and its settings. In mapped memory, which stays for the next
 * request. */
#ifndef XHPROF_REQUEST_INFO_H
#define XHPROF_REQUEST_INFO_H

#include "php_xhprof.h"

#include "base/pool.h"
#include "base/route.h"
#include "base/trace_context.h"
#include "export/run_write.h"
#include "folder/save_rule.h"

#include <sys/param.h>
#include <unistd.h>

/* Whose run it is: a forked child's part of a profile is a run of its own, which names its parent's. */
typedef struct xhprof_run_identity {
	char id[XHPROF_RUN_ID_LENGTH + 1], parent[XHPROF_RUN_ID_LENGTH + 1]; /* or "" */
	pid_t pid;                                                           /* of the process whose run has the id */
} xhprof_run_identity;

typedef struct xhprof_request_info {
	xhprof_run_info run; /* its texts are those below */
	/* What is known of the request, read once. */
	bool known, given; /* given: by the runtime of a worker */
	bool is_request;   /* the profile is of a worker's request, not of a job */
	char method[32], host[256], request_route[XHPROF_ROUTE_MAX + 1];
	bool by_pattern;               /* of xhprof.route_patterns: request_route */
	char url[8192], command[8192]; /* without secrets; the url is that of xhprof_request_info_url() */
	char whole_url[8192];          /* with its secrets, while `url` has no query; or "" */
	char route_host[256];          /* or "" */
	char trace_id[XHPROF_TRACE_ID_LENGTH + 1], span_id[XHPROF_SPAN_ID_LENGTH + 1];
	/* The last script whose revision was read, kept for the requests that come soon after it. */
	char script[1024], git[65];
	uint64_t revision_ns; /* CLOCK_MONOTONIC; 0: of none */
	/* What is known of the current profile. */
	uint64_t worker; /* the span of the worker's request or job that it is of; 0: of none */
	pid_t pid;       /* of the process in which it began */
	uint64_t started_ns;
	xhprof_run_identity run_of;
	char unseen_id[XHPROF_RUN_ID_LENGTH + 1];    /* the same id, for the next run, unless it was shown; or "" */
	char source[65], name[XHPROF_ROUTE_MAX + 1]; /* name: of a span */
	char route[XHPROF_ROUTE_MAX + 1];            /* at its end; see request_route.h */
	char named[MAXPATHLEN];                      /* the run folder, as configured */
	char own[MAXPATHLEN];                        /* the user's own folder; used only while the name is looked up */
	char directory[MAXPATHLEN];                  /* the same, absolute; "" if it must not be used */
	const char *refusal;                         /* the reason, or NULL */
	bool own_folder;                             /* the user's, which may have to be made */
	bool folder_stays;                           /* `directory` is that of this name in any request */
	char release[XHPROF_RELEASE_MAX + 1];        /* at its end: the program may set it */
	char saved_if[XHPROF_SAVE_RULE_MAX];         /* the condition that it met, or "" */
	bool aside;                                  /* a span has taken the place of the request's profile: */
	xhprof_run_info run_aside;
	char route_aside[XHPROF_ROUTE_MAX + 1], host_aside[256];
	uint64_t started_aside_ns;
	pid_t pid_aside;
	char *user_meta; /* pages */
	size_t user_meta_size;
} xhprof_request_info;

#define XHPROF_REQUEST_TEXTS 7 /* that a worker's request has of its own */
#define XHPROF_REQUEST_ROUTE 4 /* the place of its route, behind the name */

/* What a span has of its own, kept while another one's is in XHPROF_G(request_info): spans may be open at once. */
typedef struct xhprof_request_facts {
	char *text; /* the name of the span, then those of a request, each with its NUL, and the metadata; `size` bytes */
	size_t size, meta_length;
	xhprof_run_identity run_of;
	bool is_request, given; /* as below */
	uint64_t worker;        /* as below */
	pid_t pid;
	uint64_t started_ns;
	const char *start, *mode; /* as in xhprof_run_info */
	double sample_rate;
} xhprof_request_facts;

/* Records this request as XHPROF_G(request_info), when it begins. False without memory. */
bool xhprof_request_info_begin(void);

/* Records this request and a profile that begins now, as XHPROF_G(request_info). `name`: of a span, or NULL. `whole`:
 * it may become a run of its own, which has an id and a revision. False without memory. */
bool xhprof_request_info_begin_run(const char *name, size_t name_length, bool whole);

/* Returns the URL of the recorded request, without secrets. */
const char *xhprof_request_info_url(void);

/* Returns the id of the profile's run. No other run gets it from here on. */
const char *xhprof_request_info_show_id(void);

/* Makes the id that of a run of this process, if it is that of a process that has forked this one. Safe in a signal's handler. */
void xhprof_run_identity_own(xhprof_run_identity *run_of);

/* Sets the folder of the run, which is absolute, whatever the settings say. */
void xhprof_request_info_redirect(const char *directory, const char *source);

/* Stores JSON metadata with the profile; false without memory. */
bool xhprof_request_info_keep_meta(const char *json, size_t length);

/* Keep the request's own facts aside while a span has a profile, and take them back after it. Each does nothing
 * where that is done already. The span's run gets an id of its own. */
void xhprof_request_info_set_aside(void);
void xhprof_request_info_take_back(void);

/* Take the facts of the span out of XHPROF_G(request_info), and put them there again, for its end. False without
 * memory. */
bool xhprof_request_info_take_out(xhprof_request_facts *facts, xhprof_pool *pool);
void xhprof_request_info_put_back(const xhprof_request_facts *facts);

/* Returns what the span is counted under if nothing else names it: its name, or the route of the request's URL. */
const char *xhprof_request_facts_route(const xhprof_request_facts *facts);

/* Completes the facts at the profile's end; in a forked child as well, whose part of it is a run of its own. Safe in
 * a signal's handler. */
void xhprof_request_info_end_run(void);

/* Makes the folder, when there is a run to write. Returns NULL, or why it cannot be written. Safe in a signal's
 * handler. */
const char *xhprof_request_info_refusal(void);

/* Forgets the request, at its end. */
void xhprof_request_info_forget(void);

/* Frees the memory, at the end of a thread or of the process. */
void xhprof_request_info_gshutdown(zend_xhprof_globals *globals);

#endif
