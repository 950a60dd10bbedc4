/* The module: its entry, version and globals (one sub-struct per module that has state). */
#ifndef PHP_XHPROF_H
#define PHP_XHPROF_H

#include "alloc/alloc_book.h"
#include "alloc/alloc_dump.h"
#include "compat/php_compat.h"
#include "compat/zend_heap.h"
#include "trace/overhead.h"
#include "trace/tracer.h"

#define PHP_XHPROF_VERSION "3.0.0"

extern zend_module_entry xhprof_module_entry;
#define phpext_xhprof_ptr &xhprof_module_entry

enum { XHPROF_HOOKS_OFF, XHPROF_HOOKS_AUTO, XHPROF_HOOKS_WALK };
enum { XHPROF_START_NO, XHPROF_START_YES, XHPROF_START_TRIGGER, XHPROF_START_SAMPLED };
enum { XHPROF_RUN_EXACT, XHPROF_RUN_SAMPLE, XHPROF_RUN_ALLOC, XHPROF_RUN_AGGREGATE };

ZEND_BEGIN_MODULE_GLOBALS(xhprof)
	xhprof_tracer tracer;
	struct {
		char *buffer; /* text of one label, or NULL */
	} label;
	struct {
		struct xhprof_sampler *running; /* or NULL */
		bool refused;                   /* the request is over for us: no thread may outlive it */
		zend_long depth;                /* of the paths in the last sampling's classic array */
	} sampler;
	struct {
		bool running;     /* nothing can be started or stopped meanwhile */
		bool interrupted; /* meanwhile: for after it */
		bool tried[4];    /* by flags: XHPROF_TRACE_CPU, XHPROF_TRACE_MEMORY */
		xhprof_overhead overhead[4];
	} calibration;
	struct {
		zend_long user_flags; /* XHPROF_FLAGS_* of the current or last profile */
		bool automatic;       /* settings have started what runs */
		bool keep_run_init;
		xhprof_heap_figures *heap;     /* in the Zend heap; NULL where it is not laid out as known */
		xhprof_heap_figures heap_copy; /* used instead */
		size_t peak_before;
		const xhprof_overhead *overhead; /* of the current or last profile */
	} profile;
	struct {
		struct xhprof_known_heap *known; /* what every block is asked of while it is recorded; NULL: in another way */
		bool recording;
		bool chained;                      /* the handlers before are called, not the heap itself */
		zend_mm_heap *heap;                /* the one with our handlers, or NULL */
		xhprof_heap_handlers previous;     /* all NULL where there were none */
		struct xhprof_stack_reader *stack; /* where sampled allocations look for their path; NULL: the tracer knows */
		void (*at_limit)(void);            /* memory_limit has been reached, or NULL */
		xhprof_alloc_book book;
		struct xhprof_native *native; /* native memory, or NULL */
	} alloc;
	struct {
		bool memprof; /* what runs is memprof's, not a profile of xhprof_enable() */
		bool native;
		bool frozen; /* it has ended: types are known, figures are kept */
		bool busy;   /* a dump is being taken or written: nothing can be started or stopped meanwhile */
		xhprof_alloc_sums at_end[XHPROF_ALLOCATORS];
		xhprof_alloc_types types;
		void *reserve; /* given up when memory_limit is reached */
	} tracking;
	struct {
		bool running; /* a request or span is being sampled */
		bool busy;    /* data are on their way: what comes meanwhile, in a signal's handler, is not counted */
		struct xhprof_aggregate *state; /* or NULL */
	} aggregate;
	struct {
		char *output_dir;
		char *clock;
		char *cpu_clock;
		zend_long hooks;             /* XHPROF_HOOKS_* */
		zend_long sampling_interval; /* us */
		zend_long sampling_depth;
		zend_long max_nodes;
		zend_long alloc_max_records;
		zend_long alloc_sample_bytes; /* 0: every block */
		char *trigger_value;
		char *memprof_output_dir;
		char *memprof_output_format;
		bool collect_additional_info;
		/* Profiles that settings start and save. */
		zend_long start_with_request; /* XHPROF_START_* */
		double sample_rate;
		zend_long mode;  /* XHPROF_RUN_* */
		zend_long flags; /* XHPROF_FLAGS_* */
		char *source;
		zend_long save_slower_than_ms;
		zend_long max_runs, max_bytes; /* 0: no bound */
		zend_long flush_seconds;
		char *redact;             /* fragments of names, "," between them */
		zend_long sampling_clock; /* XHPROF_SAMPLE_* */
		bool sampling_lines;
	} ini;
ZEND_END_MODULE_GLOBALS(xhprof)

ZEND_EXTERN_MODULE_GLOBALS(xhprof)
#define XHPROF_G(field) ZEND_MODULE_GLOBALS_ACCESSOR(xhprof, field)

#if defined(ZTS) && defined(COMPILE_DL_XHPROF)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

#endif
