#include "save_decision.h"

#include "request_info.h"

#include "aggregate/window_clock.h"
#include "folder/save_rule.h"
#include "hook/operation_count.h"

/* Counts the operations of a profile by kind. False if they are not known. */
static bool count_operations(const xhprof_tracer *tracer, uint64_t numbers[XHPROF_OPERATION_KINDS])
{
	static const uint64_t none[XHPROF_OPERATION_KINDS];
	if (tracer->sample_interval_us) {
		return xhprof_operation_count_since(none, numbers);
	}
	memset(numbers, 0, XHPROF_OPERATION_KINDS * sizeof(*numbers));
	xhprof_operation_count_recorded(tracer, numbers);
	return tracer->operations.on;
}

/* Returns whether xhprof.save_if asks for the run. */
static bool meets_condition(const xhprof_tracer *tracer, uint64_t wall_us, size_t peak, bool failed,
							const uint64_t *operations)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	uint64_t numbers[XHPROF_OPERATION_KINDS];
	const xhprof_save_facts facts = {
		.wall_us = wall_us,
		.peak = peak,
		.failed = failed,
		.route = info->run.name && !(info->worker && info->run.route) ? info->run.name : info->run.route,
		.operations = operations                          ? operations
					  : count_operations(tracer, numbers) ? numbers
														  : NULL,
	};
	return xhprof_save_rule_met(XHPROF_G(ini).save_if, &facts, xhprof_window_clock_ms() / 60000, info->saved_if);
}

static bool is_slow(uint64_t wall_us)
{
	return wall_us >= (uint64_t)XHPROF_G(ini).save_slower_than_ms * 1000;
}

bool xhprof_save_asked(const xhprof_tracer *tracer, uint64_t wall_us, size_t peak, bool failed,
					   const uint64_t *operations)
{
	return is_slow(wall_us) && (!*XHPROF_G(ini).save_if || meets_condition(tracer, wall_us, peak, failed, operations));
}
