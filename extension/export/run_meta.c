#include "run_meta.h"

#include <unistd.h>

/* "name": with what has to stand before it. All but the first member of an object. */
static void member(xhprof_writer *writer, const char *name)
{
	xhprof_write_string(writer, ",\"");
	xhprof_write_string(writer, name);
	xhprof_write_string(writer, "\":");
}

static void add_text(xhprof_writer *writer, const char *name, const char *text)
{
	member(writer, name);
	xhprof_write_json_string(writer, text, strlen(text));
}

static void add_text_if(xhprof_writer *writer, const char *name, const char *text)
{
	if (text && *text) {
		add_text(writer, name, text);
	}
}

static void add_int(xhprof_writer *writer, const char *name, int64_t number)
{
	member(writer, name);
	xhprof_write_int(writer, number);
}

static void add_uint(xhprof_writer *writer, const char *name, uint64_t number)
{
	member(writer, name);
	xhprof_write_uint(writer, number);
}

static void add_request(const xhprof_run_facts *facts, xhprof_writer *writer)
{
	char name[256];
	const char *host = facts->host && *facts->host ? facts->host : NULL;
	add_text_if(writer, "method", facts->method);
	add_text_if(writer, "url", facts->url);
	if (facts->status) {
		add_int(writer, "status", facts->status);
	}
	add_text_if(writer, "command", facts->command);
	if (!host && gethostname(name, sizeof(name)) == 0) {
		name[sizeof(name) - 1] = '\0';
		host = name;
	}
	add_text_if(writer, "host", host);
}

static void add_flags(const xhprof_run *run, xhprof_writer *writer)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} flags[] = {{XHPROF_TRACE_NO_BUILTINS, "\"NO_BUILTINS\""},
				 {XHPROF_TRACE_CPU, "\"CPU\""},
				 {XHPROF_TRACE_MEMORY, "\"MEMORY\""},
				 {XHPROF_TRACE_ALLOC, "\"ALLOC\""}};
	bool more = false;
	add_int(writer, "flags", run->engine->flags);
	member(writer, "flag_names");
	xhprof_write_string(writer, "[");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (run->tracer->flags & flags[i].flag) {
			xhprof_write_string(writer, more ? "," : "");
			xhprof_write_string(writer, flags[i].name);
			more = true;
		}
	}
	xhprof_write_string(writer, "]");
}

static void add_clock(const xhprof_tracer *tracer, xhprof_writer *writer)
{
	member(writer, "clock");
	xhprof_write_string(writer, "{\"wall\":\"");
	xhprof_write_string(writer, xhprof_clock_name(tracer->clock.source));
	xhprof_write_string(writer, "\"");
	if (tracer->flags & XHPROF_TRACE_CPU && !tracer->sample_interval_us) {
		const char *refusal = xhprof_cpu_clock_refusal(); /* asked before, when the clock was chosen */
		add_text(writer, "cpu", xhprof_cpu_clock_name(tracer->cpu.source));
		if (refusal && tracer->cpu.source != XHPROF_CPU_RSEQ) {
			member(writer, "cpu_refused");
			xhprof_write_string(writer, "{\"rseq\":");
			xhprof_write_json_string(writer, refusal, strlen(refusal));
			xhprof_write_string(writer, "}");
		}
	}
	xhprof_write_string(writer, "}");
}

static void add_cost(xhprof_writer *writer, const char *name, const xhprof_call_cost *cost)
{
	xhprof_write_string(writer, name);
	xhprof_write_string(writer, "{\"callee\":");
	xhprof_write_decimal(writer, cost->callee_wall, 1);
	xhprof_write_string(writer, ",\"caller\":");
	xhprof_write_decimal(writer, cost->caller_wall, 1);
	xhprof_write_string(writer, "}");
}

/* What the corrected figures leave out: ns of wall time per call. */
static void add_overhead(const xhprof_overhead *known, xhprof_writer *writer)
{
	if (known && known->known) {
		member(writer, "overhead");
		add_cost(writer, "{\"user\":", &known->user);
		add_cost(writer, ",\"internal\":", &known->internal);
		xhprof_write_string(writer, "}");
	}
}

typedef struct run_sums {
	uint64_t functions, calls;
	int64_t cpu, memory, peak;
} run_sums;

static int64_t column_sum(const xhprof_columns *columns, enum xhprof_column column)
{
	int64_t sum = 0;
	for (size_t i = 0; columns->of[column] && i < columns->count; i++) {
		sum += columns->of[column][i];
	}
	return sum;
}

static bool sum_up(const xhprof_run *run, xhprof_columns *columns, run_sums *sums)
{
	size_t size = (size_t)run->tracer->symbols.count + 1;
	char *seen = xhprof_pages_map(size);
	if (!seen) {
		return false;
	}
	*sums = (run_sums){0};
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		for (size_t i = 0; i < columns->count; i++) {
			xhprof_symbol_ref symbol = columns->symbols[i];
			sums->calls += (uint64_t)columns->of[XHPROF_COLUMN_CALLS][i];
			sums->functions += !seen[XHPROF_SYMBOL_ID(symbol)];
			seen[XHPROF_SYMBOL_ID(symbol)] = 1;
		}
		sums->cpu += column_sum(columns, XHPROF_COLUMN_CPU);
		sums->memory += column_sum(columns, XHPROF_COLUMN_MEMORY);
		sums->peak += column_sum(columns, XHPROF_COLUMN_PEAK);
	}
	xhprof_pages_unmap(seen, size);
	return true;
}

static void add_totals(const xhprof_tracer *tracer, const run_sums *sums, xhprof_writer *writer)
{
	add_uint(writer, "calls", sums->calls);
	add_uint(writer, "functions", sums->functions);
	member(writer, "totals");
	xhprof_write_string(writer, "{\"wt\":");
	xhprof_write_uint(writer, tracer->duration_ns / 1000);
	if (tracer->flags & XHPROF_TRACE_CPU) {
		add_int(writer, "cpu", sums->cpu / 1000);
	}
	if (tracer->flags & XHPROF_TRACE_MEMORY) {
		add_int(writer, "mu", sums->memory);
		add_int(writer, "pmu", sums->peak);
	}
	xhprof_write_string(writer, "}");
}

/* How the run came about. */
static void add_start(const xhprof_run *run, xhprof_writer *writer)
{
	const xhprof_run_facts *facts = run->facts;
	const char *mode = facts->mode;
	if (!mode) {
		mode = run->tracer->sample_interval_us ? "sample" : run->tracer->flags & XHPROF_TRACE_ALLOC ? "alloc" : "exact";
	}
	add_text_if(writer, "start", facts->start);
	add_text(writer, "mode", mode);
	add_text_if(writer, "name", facts->name);
	add_text_if(writer, "route", facts->route);
	add_text_if(writer, "ended_by", facts->ended_by);
	add_text_if(writer, "parent", facts->parent);
	if (facts->sample_rate > 0) {
		member(writer, "sample_rate");
		xhprof_write_decimal(writer, facts->sample_rate, 6);
	}
}

static void add_sampling(const xhprof_tracer *tracer, xhprof_writer *writer)
{
	const xhprof_sample_log *log = &tracer->samples;
	if (!tracer->sample_interval_us) {
		return;
	}
	add_uint(writer, "samples", log->samples);
	add_uint(writer, "sample_interval_us", tracer->sample_interval_us);
	member(writer, "sampling");
	xhprof_write_string(writer, "{\"clock\":\"");
	xhprof_write_string(writer, xhprof_sample_clock_name(log->clock));
	xhprof_write_string(writer, "\"");
	add_uint(writer, "taken", log->taken);
	add_uint(writer, "overruns", xhprof_sample_overruns(log));
	add_uint(writer, "delayed", log->delayed);
	add_uint(writer, "dropped", log->dropped);
	xhprof_write_string(writer, "}");
}

bool xhprof_run_meta_json(const xhprof_run *run, xhprof_columns *columns, xhprof_writer *writer)
{
	const xhprof_tracer *tracer = run->tracer;
	const xhprof_run_facts *facts = run->facts;
	run_sums sums;
	if (!sum_up(run, columns, &sums)) {
		return false;
	}
	xhprof_write_string(writer, "{\"v\":1");
	add_text(writer, "id", run->id);
	add_text(writer, "source", run->source);
	member(writer, "ts");
	xhprof_write_decimal(writer, tracer->started, 6);
	add_uint(writer, "duration_us", tracer->duration_ns / 1000);
	add_text(writer, "sapi", run->engine->sapi);
	add_request(facts, writer);
	add_text(writer, "php", run->engine->php);
	member(writer, "zts");
	xhprof_write_string(writer, run->engine->zts ? "true" : "false");
	add_text(writer, "version", run->engine->version);
	add_int(writer, "pid", getpid());
	add_text_if(writer, "git", facts->git);
	add_uint(writer, "peak_memory", run->engine->peak_memory);
	add_uint(writer, "nodes", tracer->tree.nodes);
	add_uint(writer, "nodes_dropped", tracer->tree.dropped + tracer->lost_entries);
	add_flags(run, writer);
	add_clock(tracer, writer);
	add_overhead(run->engine->overhead, writer);
	add_totals(tracer, &sums, writer);
	add_start(run, writer);
	add_sampling(tracer, writer);
	if (facts->write_more) {
		facts->write_more(writer, facts->more);
	}
	if (facts->user_meta) {
		member(writer, "meta");
		xhprof_write_bytes(writer, facts->user_meta, facts->user_meta_length);
	}
	xhprof_write_string(writer, "}\n");
	return true;
}
