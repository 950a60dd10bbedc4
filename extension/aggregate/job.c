#include "job.h"

#include "hook/operation_count.h"

#include <string.h>

xhprof_job *xhprof_jobs_add(xhprof_jobs *jobs)
{
	xhprof_job *job = xhprof_pool_take(&jobs->pool, sizeof(*job));
	if (!job) {
		return NULL;
	}
	jobs->of_none.pool = jobs->ignored.pool = job->tally.pool = &jobs->pool;
	job->next = jobs->first;
	if (job->next) {
		job->next->before = job;
	}
	jobs->first = job;
	jobs->count++;
	return job;
}

void xhprof_jobs_remove(xhprof_jobs *jobs, xhprof_job *job)
{
	*(job->before ? &job->before->next : &jobs->first) = job->next;
	if (job->next) {
		job->next->before = job->before;
	}
	jobs->count--;
	jobs->now = jobs->now == job ? NULL : jobs->now;
	xhprof_sample_tally_clear(&job->tally);
	xhprof_pool_give(&jobs->pool, job, sizeof(*job));
}

/* Moves what a job had counted at its begin by what others have counted since it was left: `sign` is -1 then, and 1
 * when it goes on. */
static void move_operations(xhprof_job *job, uint64_t sign)
{
	static const uint64_t none[XHPROF_OPERATION_KINDS];
	uint64_t numbers[XHPROF_OPERATION_KINDS];
	if (job->counts && xhprof_operation_count_since(none, numbers)) {
		for (size_t i = 0; i < XHPROF_OPERATION_KINDS; i++) {
			job->operations[i] += sign * numbers[i];
		}
	}
}

void xhprof_jobs_switch(xhprof_jobs *jobs, xhprof_job *job, bool between, uint64_t now_ns, uint64_t cpu)
{
	if (jobs->now) {
		jobs->now->left_ns = now_ns;
		jobs->now->cpu_left = cpu;
		move_operations(jobs->now, UINT64_MAX);
	} else if (jobs->between) {
		jobs->none_cpu_ns += cpu - jobs->none_since;
	}
	if (job) {
		if (job->left_ns) {
			job->suspended_ns += now_ns - job->left_ns;
			job->suspended = true;
			job->cpu_before += cpu - job->cpu_left;
			move_operations(job, 1);
		}
		job->left_ns = 0;
	}
	jobs->now = job;
	jobs->between = !job && between;
	jobs->none_since = cpu;
}

void xhprof_jobs_end_turn(xhprof_jobs *jobs, xhprof_job *job, uint64_t cpu)
{
	if (job == jobs->now) {
		jobs->now = NULL;
		jobs->between = true;
		jobs->none_since = cpu;
	} else if (job->left_ns) {
		move_operations(job, 1);
	}
}

void xhprof_jobs_take_samples(xhprof_job *job, xhprof_tracer *profile)
{
	const xhprof_calltree *tree = &profile->tree;
	for (const xhprof_node *node = tree->root; node; node = xhprof_calltree_next(node)) {
		const xhprof_node_blocks *blocks = tree->blocks ? &tree->blocks[node->id] : NULL;
		if (node->calls) {
			xhprof_sample_tally_add(&job->tally, node->id, node->calls);
		}
		if (blocks && blocks->allocated_bytes) {
			xhprof_sample_tally_allocate(&job->tally, node->id, blocks->allocated_bytes, blocks->allocated_blocks);
		}
	}
	job->tally.taken += profile->samples.taken;
	job->tally.delayed += profile->samples.delayed;
	job->tally.dropped += profile->samples.dropped;
	job->tally.blocks_dropped += profile->samples.blocks_dropped;
	xhprof_tracer_forget_samples(profile);
}

/* Makes the profile of one job empty. False without memory. */
static bool begin_one(xhprof_jobs *jobs, const xhprof_aggregate_place *place)
{
	jobs->one = jobs->one ? jobs->one : xhprof_pages_map(sizeof(*jobs->one));
	if (!jobs->one || !xhprof_merged_begin(jobs->one, place->interval_us, place->clock, place->alloc_bytes,
										   XHPROF_COUNTING_NODES, XHPROF_COUNTING_NAMES)) {
		return false;
	}
	jobs->one->routes[0].node = jobs->one->tracer.tree.root; /* the whole tree is its route's */
	return true;
}

/* Returns the copy of a node, with its path, in the profile of one job; the root without memory. */
static xhprof_node *copy_path(xhprof_merged *one, const xhprof_tracer *from, const xhprof_node *node)
{
	size_t depth = 0;
	for (const xhprof_node *each = node; xhprof_node_parent(each); each = xhprof_node_parent(each)) {
		depth++;
	}
	const xhprof_node **path = xhprof_scratch_take_dirty(&XHPROF_G(scratch), (depth + 1) * sizeof(*path));
	xhprof_node *copy = one->tracer.tree.root;
	for (size_t i = depth; path && i-- > 0; node = xhprof_node_parent(node)) {
		path[i] = node;
	}
	for (size_t i = 0; path && i < depth; i++) {
		const xhprof_symbol *symbol = xhprof_symbols_get(&from->symbols, XHPROF_SYMBOL_ID(path[i]->symbol));
		xhprof_symbol_ref ref = xhprof_node_is_truncated(path[i])
									? XHPROF_SYMBOL_TRUNCATED_REF
									: xhprof_merged_symbol(one, symbol->name, symbol->length, symbol->flags);
		xhprof_node *child = xhprof_merged_child(one, copy, ref);
		if (ref != XHPROF_SYMBOL_TRUNCATED_REF) {
			xhprof_merged_place(one, ref, &symbol->place);
		}
		if (child != copy) { /* as in a full tree */
			xhprof_merged_call_line(child, *xhprof_node_call_line(path[i]));
		}
		copy = child;
	}
	xhprof_scratch_give(&XHPROF_G(scratch), path, (depth + 1) * sizeof(*path));
	return copy;
}

const xhprof_tracer *xhprof_jobs_profile(xhprof_jobs *jobs, const xhprof_sample_tally *tally,
										 const xhprof_aggregate_place *place, bool empty)
{
	const xhprof_tracer *from = &XHPROF_G(tracer);
	if ((!empty && !xhprof_sample_tally_any(tally)) || !begin_one(jobs, place)) {
		return NULL;
	}
	xhprof_merged *one = jobs->one;
	xhprof_sample_log *log = &one->tracer.samples;
	for (uint32_t i = 0; i < tally->used; i++) {
		const xhprof_tally_entry *entry = &tally->entries[i];
		xhprof_node *node = copy_path(one, from, xhprof_calltree_node(&from->tree, entry->node));
		node->calls += entry->calls;
		if (one->tracer.tree.blocks && entry->allocated_bytes) {
			xhprof_merged_allocate(one, node,
								   &(xhprof_node_blocks){.allocated_bytes = entry->allocated_bytes,
														 .allocated_blocks = entry->allocated_blocks},
								   0);
		}
	}
	log->samples = tally->samples;
	log->taken = tally->taken;
	log->delayed = tally->delayed;
	log->dropped = tally->dropped;
	log->blocks_dropped = tally->blocks_dropped;
	return &one->tracer;
}

void xhprof_jobs_finish_profile(const xhprof_jobs *jobs, double started, uint64_t duration_ns, uint64_t elapsed_ns)
{
	jobs->one->tracer.started = started;
	xhprof_tracer_stop_sampling(&jobs->one->tracer, duration_ns);
	jobs->one->tracer.elapsed_ns = elapsed_ns;
}

void xhprof_jobs_forked(xhprof_jobs *jobs, uint64_t now_ns, uint64_t cpu)
{
	for (xhprof_job *job = jobs->first; job; job = job->next) {
		xhprof_sample_tally_clear(&job->tally);
		job->of_parent = true;
		job->started_ns = now_ns;
		job->cpu_before = job->cpu_left = cpu;
		job->suspended_ns = job->missed_ns = 0;
		job->left_ns = job->left_ns ? now_ns : 0;
	}
	xhprof_sample_tally_clear(&jobs->of_none);
	xhprof_sample_tally_clear(&jobs->ignored);
	jobs->none_cpu_ns = 0;
	jobs->none_since = cpu;
	jobs->halted_ns = jobs->halted_ns ? now_ns : 0;
}

void xhprof_jobs_forget(xhprof_jobs *jobs)
{
	while (jobs->first) {
		xhprof_jobs_remove(jobs, jobs->first);
	}
	if (jobs->of_none.pool) {
		xhprof_sample_tally_clear(&jobs->of_none);
		xhprof_sample_tally_clear(&jobs->ignored);
	}
	jobs->between = jobs->sampling = false;
	jobs->halted_ns = jobs->none_cpu_ns = 0;
}

void xhprof_jobs_release(xhprof_jobs *jobs)
{
	xhprof_jobs_forget(jobs);
	xhprof_pool_release(&jobs->pool);
	if (jobs->one) {
		xhprof_merged_release(jobs->one);
		xhprof_pages_unmap(jobs->one, sizeof(*jobs->one));
		jobs->one = NULL;
	}
}
