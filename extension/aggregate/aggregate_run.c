#include "aggregate_run.h"

#include "exemplar_sections.h"
#include "route_allocations.h"
#include "route_waits.h"

#include "alloc/alloc_sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUN_NODES 200000
#define RUN_NAMES ((size_t)64 * 1024 * 1024)
#define TRIES 3
#define TRIES_AT_END 10000 /* some seconds, but not within a request */
#define DAY_MS UINT64_C(86400000)

/* Returns the number of the period of a time. Spools are emptied once a period, which is as long as a window and begins
 * in the middle of one: this leaves half a window for all processes to bring their data. */
static uint64_t period_of(uint64_t now_ms, uint32_t seconds)
{
	return (now_ms + (uint64_t)seconds * 500) / ((uint64_t)seconds * 1000);
}

static bool is_due(const xhprof_spool_head *head, const xhprof_aggregate_place *place, uint64_t now_ms)
{
	return !xhprof_spool_empty(head) && period_of(head->begun_ms, place->seconds) != period_of(now_ms, place->seconds);
}

/* What the metadata of a window's run have in addition to those of other runs. */
typedef struct run_stats {
	const xhprof_merged *merged;
	uint32_t seconds;
	uint64_t processes, damaged;
	xhprof_exemplar_sections exemplars;
} run_stats;

/* Writes alternately a bucket, by its distance from the one before, and its count. */
static void write_distribution(xhprof_json *json, const char *name, const xhprof_distribution *distribution)
{
	uint32_t before = 0;
	xhprof_json_open_member(json, name, '[');
	for (uint32_t i = 0; i < distribution->used; i++) {
		xhprof_json_item(json);
		xhprof_write_uint(json->writer, distribution->buckets[i].bucket - before);
		xhprof_json_item(json);
		xhprof_write_uint(json->writer, distribution->buckets[i].count);
		before = distribution->buckets[i].bucket;
	}
	xhprof_json_close(json, ']');
}

/* Writes the samples by what they waited for, if any did. */
static void write_waits(xhprof_json *json, xhprof_route_waits *waits, const xhprof_merged_route *route)
{
	uint64_t samples[XHPROF_WAIT_KINDS];
	xhprof_route_waits_of(waits, route, samples);
	xhprof_json_open_member(json, "waits", '{');
	for (unsigned kind = 0; kind < XHPROF_WAIT_KINDS; kind++) {
		if (samples[kind]) {
			xhprof_json_uint(json, xhprof_wait_name(kind), samples[kind]);
		}
	}
	xhprof_json_close(json, '}');
}

static void write_allocations(xhprof_json *json, const xhprof_merged *merged, const xhprof_merged_route *route)
{
	xhprof_route_allocations allocations;
	if (xhprof_route_allocations_of(merged, route, &allocations)) {
		xhprof_json_open_member(json, "allocations", '{');
		xhprof_json_uint(json, "requests", allocations.requests);
		xhprof_json_uint(json, "allocated_bytes", allocations.allocated_bytes);
		xhprof_json_uint(json, "peak_bytes", allocations.peak_bytes);
		if (allocations.unheld) {
			xhprof_json_uint(json, "without_peak", allocations.unheld);
		}
		if (merged->tracer.tree.kept) {
			const xhprof_node_kept *kept = &allocations.kept;
			xhprof_json_open_member(json, "kept", '{');
			xhprof_json_uint(json, "requests", allocations.followed);
			xhprof_json_uint(json, "bytes", kept->kept_bytes);
			xhprof_json_uint(json, "blocks", kept->kept_blocks / XHPROF_SAMPLING_UNIT);
			xhprof_json_uint(json, "released_bytes", kept->released_bytes);
			xhprof_json_uint(json, "released_blocks", kept->released_blocks / XHPROF_SAMPLING_UNIT);
			xhprof_json_close(json, '}');
		}
		xhprof_json_close(json, '}');
	}
}

static void write_route(xhprof_json *json, const xhprof_merged *merged, const xhprof_merged_route *route,
						xhprof_route_waits *waits)
{
	static const char *const names[XHPROF_MERGED_MEASURES] = {
		[XHPROF_MERGED_WALL] = "wall", [XHPROF_MERGED_CPU] = "cpu", [XHPROF_MERGED_PEAK] = "peak"};
	const xhprof_symbol *name = xhprof_symbols_get(&merged->tracer.symbols, XHPROF_SYMBOL_ID(route->symbol));
	xhprof_json_key(json, name->name, name->length);
	xhprof_json_open(json, '{');
	xhprof_json_uint(json, "requests", route->requests);
	xhprof_json_uint(json, "failed", route->failed);
	xhprof_json_uint(json, "aborted", route->aborted);
	xhprof_json_uint(json, "samples", route->samples);
	xhprof_json_uint(json, "wall_us", route->wall_us);
	xhprof_json_uint(json, "cpu_us", route->cpu_us);
	xhprof_json_uint(json, "max_us", route->max_us);
	if (route->early) {
		xhprof_json_uint(json, "early", route->early);
		xhprof_json_uint(json, "after_us", route->after_us);
	}
	if (route->cut) {
		xhprof_json_uint(json, "cut", route->cut);
	}
	if (route->mixed) {
		xhprof_json_uint(json, "mixed", route->mixed);
	}
	if (route->unsampled) {
		xhprof_json_open_member(json, "unsampled", '{');
		xhprof_json_uint(json, "requests", route->unsampled);
		xhprof_json_uint(json, "us", route->unsampled_us);
		xhprof_json_close(json, '}');
	}
	if (route->suspended) {
		xhprof_json_open_member(json, "suspended", '{');
		xhprof_json_uint(json, "requests", route->suspended);
		xhprof_json_uint(json, "us", route->suspended_us);
		xhprof_json_close(json, '}');
	}
	for (size_t i = 0; i < XHPROF_MERGED_MEASURES; i++) {
		write_distribution(json, names[i], &route->distributions[i]);
	}
	if (waits) {
		write_waits(json, waits, route);
	}
	if (route->kept_requests) {
		xhprof_json_open_member(json, "kept", '{');
		xhprof_json_uint(json, "requests", route->kept_requests);
		xhprof_json_int(json, "bytes", route->kept);
		xhprof_json_close(json, '}');
	}
	write_allocations(json, merged, route);
	xhprof_json_close(json, '}');
}

static void write_stats(xhprof_json *json, const void *more)
{
	const run_stats *stats = more;
	const xhprof_merged *merged = stats->merged;
	xhprof_json_open_member(json, "aggregate", '{');
	xhprof_json_uint(json, "seconds", stats->seconds);
	xhprof_json_uint(json, "from", merged->from);
	xhprof_json_uint(json, "to", merged->to);
	xhprof_json_uint(json, "requests", merged->requests);
	xhprof_json_uint(json, "processes", stats->processes);
	xhprof_json_uint(json, "damaged", stats->damaged);
	if (merged->alloc_bytes) {
		xhprof_json_open_member(json, "allocations", '{');
		xhprof_json_uint(json, "sample_bytes", merged->alloc_bytes);
		xhprof_json_uint(json, "dropped", merged->tracer.samples.blocks_dropped);
		if (merged->tracer.tree.kept) {
			xhprof_json_uint(json, "unfollowed", merged->unfollowed);
		}
		xhprof_json_close(json, '}');
	}
	xhprof_route_waits waits;
	bool known = xhprof_route_waits_begin(&waits, merged);
	xhprof_json_open_member(json, "routes", '{');
	for (uint32_t i = 0; i <= XHPROF_MERGED_ROUTES; i++) {
		const xhprof_merged_route *route = &merged->routes[i];
		if (route->node && (i < merged->route_count || i == XHPROF_MERGED_ROUTES)) {
			write_route(json, merged, route, known ? &waits : NULL);
		}
	}
	if (known) {
		xhprof_route_waits_release(&waits);
	}
	xhprof_json_close(json, '}');
	xhprof_json_close(json, '}');
}

static void add_exemplars(xhprof_run_file *file, void *more)
{
	run_stats *stats = more;
	const xhprof_merged *merged = stats->merged;
	if (merged->exemplars.count) {
		xhprof_exemplar_sections_add(&stats->exemplars, &merged->exemplars, &merged->tracer.symbols, file);
	}
}

/* Writes the run of a spool, which records the run's id before: a process that finds both knows that the records have
 * become that run. */
static int write_run(const xhprof_aggregate_place *place, const xhprof_spool *spool, xhprof_spool_head *head,
					 run_stats *stats, const xhprof_aggregate_saver *saver)
{
	char id[XHPROF_RUN_ID_LENGTH + 1];
	xhprof_run_written written;
	const xhprof_run_info info = {
		.start = "aggregate", .mode = "aggregate", .release = place->release, .write_more = write_stats, .more = stats};
	const xhprof_run run = {.tracer = &stats->merged->tracer,
							.directory = place->directory,
							.source = place->source,
							.id = id,
							.engine = saver->engine,
							.info = &info,
							.add_more = add_exemplars,
							.more = stats};
	xhprof_run_make_id_bytes(head->run);
	xhprof_run_id_text(head->run, id);
	int error = xhprof_spool_write_head(spool, head);
	if (!error) {
		error = xhprof_run_write(&run, &written);
	}
	memset(head->run, 0, sizeof(head->run));
	if (error) {
		return error;
	}
	if (saver->saved) {
		saver->saved(saver, place, &written);
	}
	close(written.folder);
	return 0;
}

/* Saves the spool's records as a run, with the spool's lock held. A run that cannot be saved is tried again in the next
 * period. */
static int save_run(const xhprof_aggregate_place *place, const xhprof_spool *spool, xhprof_spool_head *head,
					const xhprof_aggregate_saver *saver)
{
	xhprof_merged *merged = xhprof_pages_map(sizeof(*merged));
	run_stats stats = {.merged = merged, .seconds = place->seconds};
	int error = ENOMEM;
	bool any = true;
	if (merged &&
		xhprof_merged_begin(merged, place->interval_us, place->clock, place->alloc_bytes, RUN_NODES, RUN_NAMES)) {
		error = xhprof_spool_merge(spool, head, merged, &stats.processes, &stats.damaged);
		any = !xhprof_merged_empty(merged);
		if (!error && any) {
			xhprof_merged_finish(merged);
			error = write_run(place, spool, head, &stats, saver);
			stats.damaged = 0; /* they are reported now */
		}
	}
	if (merged) {
		xhprof_merged_release(merged);
		xhprof_pages_unmap(merged, sizeof(*merged));
	}
	head->saved = any ? period_of(saver->now_ms, place->seconds) : head->saved;
	if (error) {
		head->begun_ms = saver->now_ms;
		xhprof_spool_write_head(spool, head);
		return error;
	}
	return xhprof_spool_clear(spool, head, stats.damaged);
}

/* Appends the data of a window to the spool. `journal`: the number of the journal with the same data, or 0. */
static int append_record(const xhprof_aggregate_place *place, const xhprof_spool *spool, xhprof_spool_head *head,
						 const xhprof_merged *merged, uint64_t process, uint64_t journal, uint64_t now_ms)
{
	xhprof_spool_record record;
	if (!xhprof_spool_record_make(&record, merged, process)) {
		return ENOMEM;
	}
	record.window = merged->from / place->seconds + 1;
	record.journal = journal;
	int error = xhprof_spool_append(spool, head, &record, now_ms);
	xhprof_spool_record_release(&record);
	return error;
}

/* Completes what the last owner of the lock has left, as it may have been killed between two steps: its finished steps
 * count, once. */
static void settle_head(const xhprof_aggregate_place *place, const xhprof_spool *spool, xhprof_spool_head *head)
{
	static const unsigned char no_run[sizeof(head->run)];
	char id[XHPROF_RUN_ID_LENGTH + 1];
	if (head->taken && xhprof_aggregate_remove_journal(place, head->taken) == 0) {
		head->taken = 0;
	}
	if (memcmp(head->run, no_run, sizeof(no_run)) != 0) {
		xhprof_run_id_text(head->run, id);
		memset(head->run, 0, sizeof(head->run));
		if (xhprof_run_is_written(place->directory, place->source, id)) {
			xhprof_spool_clear(spool, head, 0);
		}
	}
}

static int read_head(const xhprof_aggregate_place *place, const xhprof_spool *spool, xhprof_spool_head *head)
{
	int error = xhprof_spool_read_head(spool, head);
	if (!error) {
		settle_head(place, spool, head);
	}
	return error;
}

/* What adopting the journals of dead processes needs. */
typedef struct adoption {
	const xhprof_aggregate_place *place;
	const xhprof_spool *spool;
	xhprof_spool_head *head;
	uint64_t now_ms, before; /* before: only windows before this one */
	bool any;
} adoption;

static void adopt_into(adoption *adopting, const char *path, uint64_t number, xhprof_merged *merged)
{
	xhprof_left_journal left;
	const xhprof_aggregate_place *place = adopting->place;
	if (xhprof_left_journal_read(&left, path, merged) != 0) {
		return; /* its process lives, most likely */
	}
	int error = 0;
	if (merged->from / place->seconds >= adopting->before) {
		xhprof_left_journal_done(&left, path, EAGAIN);
		return;
	}
	adopting->head->damaged += left.damaged;
	if (!xhprof_merged_empty(merged)) {
		xhprof_merged_span(merged, merged->from, (merged->from / place->seconds + 1) * place->seconds);
		error = append_record(place, adopting->spool, adopting->head, merged, left.process, number, adopting->now_ms);
		adopting->any = adopting->any || !error;
	}
	if (xhprof_left_journal_done(&left, path, error) && adopting->head->taken == number) {
		adopting->head->taken = 0;
	}
}

static void adopt_journal(const char *path, uint64_t number, void *context)
{
	adoption *adopting = context;
	const xhprof_aggregate_place *place = adopting->place;
	if (adopting->head->taken) {
		return; /* it cannot be removed; if another one's number took its place it would count twice */
	}
	xhprof_merged *merged = xhprof_pages_map(sizeof(*merged));
	if (merged &&
		xhprof_merged_begin(merged, place->interval_us, place->clock, place->alloc_bytes, RUN_NODES, RUN_NAMES)) {
		adopt_into(adopting, path, number, merged);
	}
	if (merged) {
		xhprof_merged_release(merged);
		xhprof_pages_unmap(merged, sizeof(*merged));
	}
}

/* Adopts the journals of dead processes, with the spool's lock held. Returns whether there were any. */
static bool adopt_journals(const xhprof_aggregate_place *place, const xhprof_spool *spool, xhprof_spool_head *head,
						   uint64_t before, const xhprof_aggregate_saver *saver)
{
	adoption adopting = {place, spool, head, saver->now_ms, before, false};
	if (saver->in_handler) {
		return false;
	}
	head->looked = period_of(saver->now_ms, place->seconds);
	xhprof_aggregate_each_journal(place, adopt_journal, &adopting);
	return adopting.any;
}

/* Saves a spool of dead processes. An empty one is removed after a day without use. */
static void save_left_spool(const xhprof_aggregate_place *place, const char *path, void *context)
{
	const xhprof_aggregate_saver *saver = context;
	xhprof_spool spool = XHPROF_SPOOL_CLOSED;
	xhprof_spool_head head;
	struct stat file;
	if (xhprof_spool_open(&spool, path, NULL) != 0) {
		return;
	}
	if (xhprof_spool_lock(&spool, 0) == 0) {
		bool left = read_head(place, &spool, &head) == 0 && !xhprof_spool_awaited(&spool, UINT32_MAX);
		bool adopted = left && adopt_journals(place, &spool, &head, UINT64_MAX, saver) &&
					   head.window * place->seconds <= saver->now_ms / 1000;
		if (left && (adopted || is_due(&head, place, saver->now_ms))) {
			save_run(place, &spool, &head, saver);
		} else if (left && xhprof_spool_empty(&head) && fstat(spool.fd, &file) == 0 &&
				   (uint64_t)file.st_mtime * 1000 + DAY_MS < saver->now_ms) {
			unlink(path);
		}
		xhprof_spool_unlock(&spool);
	}
	xhprof_spool_close(&spool);
}

int xhprof_aggregate_open(const xhprof_aggregate_place *place, xhprof_spool *spool, const xhprof_aggregate_saver *saver)
{
	bool made;
	int error = xhprof_aggregate_open_spool(place, spool, &made);
	if (!error && made && !saver->in_handler) {
		xhprof_aggregate_each_other(place, save_left_spool, (void *)saver);
	}
	return error;
}

static int append_merged(const xhprof_aggregate_place *place, xhprof_spool *spool, xhprof_spool_head *head,
						 const xhprof_merged *merged, uint64_t journal, const xhprof_aggregate_saver *saver,
						 int *save_error)
{
	int error = append_record(place, spool, head, merged, saver->process, journal, saver->now_ms);
	if (error == EFBIG && !xhprof_spool_empty(head)) {
		*save_error = save_run(place, spool, head, saver);
		if (*save_error) { /* no room for more: all of it is lost, and the next run reports that */
			xhprof_spool_clear(spool, head, head->damaged + 1);
		}
		error = append_record(place, spool, head, merged, saver->process, journal, saver->now_ms);
	}
	if (error == EFBIG) { /* it alone exceeds the limit */
		head->damaged++;
		error = xhprof_spool_write_head(spool, head);
	}
	return error;
}

static bool is_complete(const xhprof_spool *spool, const xhprof_spool_head *head, const xhprof_aggregate_place *place,
						uint64_t window, xhprof_flush why, uint64_t now_ms)
{
	bool first = head->saved != period_of(now_ms, place->seconds);
	bool is_over = why == XHPROF_FLUSH_WINDOW || why == XHPROF_FLUSH_QUIET;
	first = first || why == XHPROF_FLUSH_LAST || why == XHPROF_FLUSH_QUIET;
	if (why == XHPROF_FLUSH_EARLY || xhprof_spool_empty(head) || !first) {
		return false;
	}
	return !xhprof_spool_awaited(spool, is_over ? window : UINT32_MAX);
}

/* Empties a journal, as its data are in the spool. */
static void clear_journal(xhprof_journal *journal, const xhprof_spool *spool, xhprof_spool_head *head)
{
	xhprof_journal_clear(journal);
	if (journal->number && head->taken == journal->number) {
		head->taken = 0;
		xhprof_spool_write_head(spool, head);
	}
}

/* Returns whether the spool's records become a run before data of `window` are added: their period is over, or no
 * process brings more of their window. */
static bool saves_before_adding(const xhprof_spool *spool, const xhprof_spool_head *head, uint64_t window, bool due,
								bool adopted)
{
	bool other = head->window != window + 1;
	return !xhprof_spool_empty(head) && other &&
		   (due ||
			(adopted && head->window && head->window <= window && !xhprof_spool_awaited(spool, head->window - 1)));
}

int xhprof_aggregate_flush(const xhprof_aggregate_place *place, xhprof_spool *spool, const xhprof_merged *merged,
						   xhprof_journal *journal, uint64_t window, xhprof_flush why,
						   const xhprof_aggregate_saver *saver, int *save_error)
{
	xhprof_spool_head head;
	*save_error = 0;
	int error = xhprof_aggregate_open(place, spool, saver);
	if (!error) {
		bool ends = why == XHPROF_FLUSH_END || why == XHPROF_FLUSH_LAST;
		error = xhprof_spool_lock(spool, ends ? TRIES_AT_END : TRIES);
	}
	if (error) {
		return error;
	}
	error = read_head(place, spool, &head);
	bool due = !error && is_due(&head, place, saver->now_ms);
	if (!error) {
		bool looked = head.looked == period_of(saver->now_ms, place->seconds);
		bool adopted = !looked && adopt_journals(place, spool, &head, window, saver);
		if (saves_before_adding(spool, &head, window, due, adopted)) {
			uint64_t saved = head.saved;
			*save_error = save_run(place, spool, &head, saver);
			head.saved = why == XHPROF_FLUSH_END ? head.saved : saved; /* ours may follow at once */
			due = false;
		}
	}
	if (!error && !xhprof_merged_empty(merged)) {
		error = append_merged(place, spool, &head, merged, journal ? journal->number : 0, saver, save_error);
	}
	if (!error) {
		if (journal) {
			clear_journal(journal, spool, &head);
		}
		if (why != XHPROF_FLUSH_EARLY) {
			xhprof_spool_let_go(spool);
		}
		if (!*save_error && (due || is_complete(spool, &head, place, window, why, saver->now_ms))) {
			adopt_journals(place, spool, &head, head.window ? head.window : UINT64_MAX, saver);
			*save_error = save_run(place, spool, &head, saver);
		}
	}
	xhprof_spool_unlock(spool);
	return error;
}
