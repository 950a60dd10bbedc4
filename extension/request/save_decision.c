#include "save_decision.h"

#include "request_info.h"
#include "save_rule.h"
#include "window_clock.h"

#include "hook/operation_count.h"

/* Operations of a profile by kind. */
static void count_operations(const xhprof_tracer *tracer, uint64_t numbers[XHPROF_OPERATION_KINDS])
{
	memset(numbers, 0, XHPROF_OPERATION_KINDS * sizeof(*numbers));
	for (const xhprof_operation *operation = tracer->operations.first; operation; operation = operation->next) {
		numbers[operation->text->kind] += operation->calls;
	}
}

/* Whether xhprof.save_if asks for the run. */
static bool meets_condition(const xhprof_tracer *tracer, uint64_t wall_us, bool failed)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	uint64_t operations[XHPROF_OPERATION_KINDS];
	bool known = tracer->operations.on && !tracer->sample_interval_us;
	const xhprof_save_facts facts = {
		.wall_us = wall_us,
		.peak = xhprof_heap_peak(),
		.failed = failed,
		.route = info->run.name ? info->run.name : info->run.route,
		.operations = known                        ? operations
					  : tracer->sample_interval_us ? xhprof_operation_counts()
												   : NULL,
	};
	if (known) {
		count_operations(tracer, operations);
	}
	return xhprof_save_rule_met(XHPROF_G(ini).save_if, &facts, xhprof_window_clock_ms() / 60000, info->saved_if);
}

static bool is_slow(uint64_t wall_us)
{
	return wall_us >= (uint64_t)XHPROF_G(ini).save_slower_than_ms * 1000;
}

bool xhprof_save_asked(const xhprof_tracer *tracer, uint64_t wall_us, bool failed)
{
	return is_slow(wall_us) && (!*XHPROF_G(ini).save_if || meets_condition(tracer, wall_us, failed));
}
