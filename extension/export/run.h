/* A run: a stopped profile, and its metadata. */
#ifndef XHPROF_EXPORT_RUN_H
#define XHPROF_EXPORT_RUN_H

#include "run_file.h"

#include "alloc/alloc_dump.h"
#include "trace/overhead.h"
#include "trace/tracer.h"

#define XHPROF_RUN_ID_LENGTH 32
#define XHPROF_RELEASE_MAX 64
#define XHPROF_USER_META_MAX (1 << 20) /* bytes of JSON */
#define XHPROF_USER_META_DEPTH 128
#define XHPROF_USER_META_LISTS 65536 /* most lists and objects */

/* The part of a run's metadata that describes the engine; run_info.h fills it in. */
typedef struct xhprof_run_engine {
	const char *sapi, *php, *version; /* of PHP, and of this extension */
	bool zts;
	uint64_t peak_memory;            /* bytes */
	int64_t flags;                   /* XHPROF_FLAGS_* as requested */
	const xhprof_overhead *overhead; /* or NULL */
} xhprof_run_engine;

/* The part of a run's metadata that describes the run. Members that are NULL or 0 are left out. Texts may have any
 * bytes. */
typedef struct xhprof_run_info {
	const char *start; /* manual, yes, trigger, sampled, span, aggregate */
	const char *mode;  /* exact, sample, alloc, aggregate; NULL: the profile's own */
	const char *name;  /* of a span */
	const char *route, *method, *url, *host, *command, *ended_by, *parent, *git; /* host NULL: the machine's */
	const char *release;                                                         /* of the program */
	const char *trace_id, *span_id; /* see base/trace_context.h; "" is like NULL */
	const char *saved_if;           /* the condition of xhprof.save_if that the run met */
	bool judged, failed;            /* judged: it is known whether the run has failed */
	uint64_t other_fibers;          /* how often a fiber that is not of the span ran within it */
	uint64_t suspended_us;          /* in which its fiber was suspended: others ran, or the loop waited; of what has
									   elapsed, not of the duration */
	int status;
	double sample_rate;
	const char *user_meta; /* JSON text of an object or list */
	size_t user_meta_length;
	void (*write_more)(xhprof_json *json, const void *more); /* writes further members */
	const void *more;
} xhprof_run_info;

typedef struct xhprof_run {
	const xhprof_tracer *tracer;
	const xhprof_alloc_dump *memory; /* or NULL; owned by the caller */
	const char *directory;           /* absolute */
	const char *source;              /* see xhprof_run_valid_source() */
	const char *id;
	const xhprof_run_engine *engine;
	const xhprof_run_info *info;
	void (*add_more)(xhprof_run_file *file, void *more); /* adds further documents; or NULL */
	void *more;
} xhprof_run;

#endif
