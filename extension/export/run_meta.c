#include "run_meta.h"

#include "base/process.h"

#include <unistd.h>

static void add_text_if(xhprof_json *json, const char *name, const char *text)
{
	if (text && *text) {
		xhprof_json_text(json, name, text);
	}
}

static void add_request(const xhprof_run_info *info, xhprof_json *json)
{
	char name[256];
	const char *host = info->host && *info->host ? info->host : NULL;
	add_text_if(json, "method", info->method);
	add_text_if(json, "url", info->url);
	if (info->status) {
		xhprof_json_int(json, "status", info->status);
	}
	add_text_if(json, "command", info->command);
	if (!host && gethostname(name, sizeof(name)) == 0) {
		name[sizeof(name) - 1] = '\0';
		host = name;
	}
	add_text_if(json, "host", host);
	add_text_if(json, "trace_id", info->trace_id);
	add_text_if(json, "span_id", info->span_id);
}

static void add_flags(const xhprof_run *run, xhprof_json *json)
{
	static const struct {
		uint32_t flag;
		const char *name;
	} flags[] = {{XHPROF_TRACE_NO_BUILTINS, "\"NO_BUILTINS\""},
				 {XHPROF_TRACE_CPU, "\"CPU\""},
				 {XHPROF_TRACE_MEMORY, "\"MEMORY\""},
				 {XHPROF_TRACE_ALLOC, "\"ALLOC\""},
				 {XHPROF_TRACE_TIMELINE, "\"TIMELINE\""}};
	xhprof_json_int(json, "flags", run->engine->flags);
	xhprof_json_open_member(json, "flag_names", '[');
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (run->tracer->flags & flags[i].flag) {
			xhprof_json_item(json);
			xhprof_write_string(json->writer, flags[i].name);
		}
	}
	xhprof_json_close(json, ']');
}

static void add_clock(const xhprof_tracer *tracer, xhprof_json *json)
{
	xhprof_json_open_member(json, "clock", '{');
	xhprof_json_text(json, "wall", xhprof_clock_name(tracer->clock.source));
	if (tracer->flags & XHPROF_TRACE_CPU && !tracer->sample_interval_us) {
		const char *refusal = xhprof_cpu_clock_refusal(); /* tested before, when the clock was chosen */
		xhprof_json_text(json, "cpu", xhprof_cpu_clock_name(tracer->cpu.source));
		if (refusal && tracer->cpu.source != XHPROF_CPU_RSEQ) {
			xhprof_json_open_member(json, "cpu_refused", '{');
			xhprof_json_text(json, "rseq", refusal);
			xhprof_json_close(json, '}');
		}
	}
	xhprof_json_close(json, '}');
}

static void add_cost(xhprof_json *json, const char *name, const xhprof_call_cost *cost)
{
	xhprof_json_open_member(json, name, '{');
	xhprof_json_decimal(json, "callee", cost->callee_wall, XHPROF_COST_DECIMALS);
	xhprof_json_decimal(json, "caller", cost->caller_wall, XHPROF_COST_DECIMALS);
	xhprof_json_decimal(json, "callee_cpu", cost->callee_cpu, XHPROF_COST_DECIMALS);
	xhprof_json_decimal(json, "caller_cpu", cost->caller_cpu, XHPROF_COST_DECIMALS);
	xhprof_json_close(json, '}');
}

/* Adds the overhead in ns per call, from which readers of the file compute the corrected figures. */
static void add_overhead(const xhprof_overhead *known, xhprof_json *json)
{
	if (known && known->known) {
		xhprof_json_open_member(json, "overhead", '{');
		add_cost(json, "user", &known->user);
		add_cost(json, "internal", &known->internal);
		xhprof_json_close(json, '}');
	}
}

static int64_t column_sum(const xhprof_columns *columns, enum xhprof_column column)
{
	const int64_t *values = columns->values[column];
	const size_t count = values ? columns->count : 0;
	int64_t sum = 0;
	_Pragma("GCC unroll 8") for (size_t i = 0; i < count; i++)
	{
		sum += values[i];
	}
	return sum;
}

static void mark_functions(const xhprof_columns *columns, char *seen)
{
	const xhprof_symbol_ref *symbols = columns->symbols;
	const size_t count = columns->count;
	_Pragma("GCC unroll 8") for (size_t i = 0; i < count; i++)
	{
		seen[XHPROF_SYMBOL_ID(symbols[i])] = 1;
	}
}

bool xhprof_run_sums_of(xhprof_run_sums *sums, const xhprof_tracer *tracer, xhprof_columns *columns)
{
	size_t size = (size_t)tracer->symbols.count + 1;
	char *seen = xhprof_scratch_take(tracer->scratch, size);
	if (!seen) {
		return false;
	}
	*sums = (xhprof_run_sums){0};
	xhprof_columns_rewind(columns);
	while (xhprof_columns_next(columns)) {
		mark_functions(columns, seen);
		sums->calls += (uint64_t)column_sum(columns, XHPROF_COLUMN_CALLS);
		sums->cpu += column_sum(columns, XHPROF_COLUMN_CPU);
		sums->user += column_sum(columns, XHPROF_COLUMN_USER);
		sums->system += column_sum(columns, XHPROF_COLUMN_SYSTEM);
		sums->memory += column_sum(columns, XHPROF_COLUMN_MEMORY);
		sums->peak += column_sum(columns, XHPROF_COLUMN_PEAK);
	}
	for (size_t i = 0; i < size; i++) {
		sums->functions += (uint64_t)seen[i];
	}
	xhprof_scratch_give(tracer->scratch, seen, size);
	return true;
}

static void add_totals(const xhprof_tracer *tracer, const xhprof_run_sums *sums, xhprof_json *json)
{
	xhprof_json_uint(json, "calls", sums->calls);
	xhprof_json_uint(json, "functions", sums->functions);
	xhprof_json_open_member(json, "totals", '{');
	xhprof_json_uint(json, "wt", tracer->duration_ns / 1000);
	if (tracer->flags & XHPROF_TRACE_CPU) {
		xhprof_json_int(json, "cpu", sums->cpu / 1000);
	}
	if (tracer->tree.system) {
		xhprof_json_int(json, "ut", sums->user / 1000);
		xhprof_json_int(json, "st", sums->system / 1000);
	}
	if (tracer->flags & XHPROF_TRACE_MEMORY) {
		xhprof_json_int(json, "mu", sums->memory);
		xhprof_json_int(json, "pmu", sums->peak);
	}
	xhprof_json_close(json, '}');
}

/* Adds how the run was started. */
static void add_start(const xhprof_run *run, xhprof_json *json)
{
	const xhprof_run_info *info = run->info;
	const char *mode = info->mode;
	if (!mode) {
		mode = run->tracer->sample_interval_us ? "sample" : run->tracer->flags & XHPROF_TRACE_ALLOC ? "alloc" : "exact";
	}
	add_text_if(json, "start", info->start);
	xhprof_json_text(json, "mode", mode);
	add_text_if(json, "name", info->name);
	add_text_if(json, "route", info->route);
	add_text_if(json, "ended_by", info->ended_by);
	if (info->judged) {
		xhprof_json_flag(json, "failed", info->failed);
	}
	if (info->other_fibers) {
		xhprof_json_uint(json, "other_fibers", info->other_fibers);
	}
	if (info->suspended_us) {
		xhprof_json_uint(json, "suspended_us", info->suspended_us);
	}
	add_text_if(json, "parent", info->parent);
	add_text_if(json, "saved_if", info->saved_if);
	if (info->sample_rate > 0) {
		xhprof_json_decimal(json, "sample_rate", info->sample_rate, 6);
	}
}

/* Adds the members of a profile of sampled allocations, whose calls are samples. */
static void add_allocation_sampling(const xhprof_run *run, const xhprof_run_sums *sums, xhprof_json *json)
{
	xhprof_json_uint(json, "samples", sums->calls);
	xhprof_json_open_member(json, "sampling", '{');
	xhprof_json_uint(json, "interval_bytes", run->tracer->sample_bytes);
	xhprof_json_uint(json, "taken", sums->calls);
	if (run->memory) {
		xhprof_json_uint(json, "dropped", run->memory->dropped_blocks);
	}
	xhprof_json_close(json, '}');
}

static void add_sampling(const xhprof_run *run, const xhprof_run_sums *sums, xhprof_json *json)
{
	const xhprof_tracer *tracer = run->tracer;
	const xhprof_sample_log *log = &tracer->samples;
	if (tracer->sample_bytes) {
		add_allocation_sampling(run, sums, json);
	}
	if (!tracer->sample_interval_us) {
		return;
	}
	xhprof_json_uint(json, "samples", log->samples);
	xhprof_json_uint(json, "sample_interval_us", tracer->sample_interval_us);
	xhprof_json_open_member(json, "sampling", '{');
	xhprof_json_text(json, "clock", xhprof_sample_clock_name(log->clock));
	xhprof_json_uint(json, "taken", log->taken);
	xhprof_json_uint(json, "overruns", xhprof_sample_overruns(log));
	xhprof_json_uint(json, "delayed", log->delayed);
	xhprof_json_uint(json, "dropped", log->dropped);
	xhprof_json_close(json, '}');
}

void xhprof_run_meta_head(xhprof_json *json, const void *from)
{
	const xhprof_run_meta *meta = from;
	const xhprof_run *run = meta->run;
	const xhprof_tracer *tracer = run->tracer;
	const xhprof_run_info *info = run->info;
	xhprof_json_uint(json, "v", 1);
	xhprof_json_text(json, "id", run->id);
	xhprof_json_text(json, "source", run->source);
	xhprof_json_decimal(json, "ts", tracer->started, 6);
	xhprof_json_uint(json, "duration_us", tracer->duration_ns / 1000);
	xhprof_json_uint(json, "elapsed_us", tracer->elapsed_ns / 1000);
	if (tracer->thread_cpu_ns) {
		xhprof_json_uint(json, "cpu_us", tracer->thread_cpu_ns / 1000);
	}
	if (tracer->run_delay_ns >= 0) {
		xhprof_json_uint(json, "run_delay_us", (uint64_t)tracer->run_delay_ns / 1000);
	}
	xhprof_json_text(json, "sapi", run->engine->sapi);
	add_request(info, json);
	xhprof_json_text(json, "php", run->engine->php);
	xhprof_json_flag(json, "zts", run->engine->zts);
	xhprof_json_text(json, "version", run->engine->version);
	xhprof_json_int(json, "pid", xhprof_process_id());
	add_text_if(json, "git", info->git);
	add_text_if(json, "release", info->release);
	xhprof_json_uint(json, "peak_memory", run->engine->peak_memory);
	xhprof_json_uint(json, "nodes", tracer->tree.nodes);
	xhprof_json_uint(json, "nodes_dropped", tracer->tree.dropped + tracer->lost_entries);
	add_flags(run, json);
	add_clock(tracer, json);
	add_overhead(run->engine->overhead, json);
	add_totals(tracer, &meta->sums, json);
	add_start(run, json);
	add_sampling(run, &meta->sums, json);
	if (info->write_more) {
		info->write_more(json, info->more);
	}
	if (info->user_meta) {
		xhprof_json_name(json, "meta");
		xhprof_write_bytes(json->writer, info->user_meta, info->user_meta_length);
	}
}
