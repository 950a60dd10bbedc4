#include "profile_start.h"

#include "request_info.h"

#include "aggregate/aggregate.h"
#include "compat/jit.h"
#include "folder/save_rule.h"
#include "hook/profile_options.h"
#include "hook/session.h"
#include "hook/termination.h"

const char *xhprof_profile_start_exact(zend_long flags, HashTable *options)
{
	xhprof_session_request request = {
		.kind = XHPROF_TRACING,
		.owner = XHPROF_BY_SETTINGS,
		.native = flags & XHPROF_FLAGS_ALLOC && xhprof_profile_option(options, "native"),
		.flags = flags,
		.options = options,
	};
	return xhprof_refusal_text(xhprof_session_start(&request));
}

const char *xhprof_profile_start_sampling(const xhprof_sampler_options *options, bool counts)
{
	xhprof_session_request request = {
		.kind = XHPROF_SAMPLING, .owner = XHPROF_BY_SETTINGS, .sampling = options, .counts = counts};
	return xhprof_refusal_text(xhprof_session_start(&request));
}

/* Starts the sampling of allocations, without times: their paths are on the stack. Returns NULL, or why it was not
 * started. */
static const char *start_allocations(void)
{
	xhprof_session_request request = {.kind = XHPROF_TRACKING, .owner = XHPROF_BY_SETTINGS, .keep = true};
	return xhprof_refusal_text(xhprof_session_start(&request));
}

const char *xhprof_profile_start_mode(zend_long mode)
{
	xhprof_request_info *info = XHPROF_G(request_info);
	zend_long flags = XHPROF_G(ini).flags;
	if (mode == XHPROF_RUN_AGGREGATE) {
		xhprof_counting_kind kind = info->run.name     ? XHPROF_COUNTING_SPAN
									: info->run.method ? XHPROF_COUNTING_REQUEST
													   : XHPROF_COUNTING_PROGRAM;
		const char *route = info->run.route ? info->run.route : "";
		return info->refusal ? info->refusal
							 : xhprof_aggregate_begin(route, info->directory, info->own_folder, info->started_ns, kind);
	}
	if (mode == XHPROF_RUN_SAMPLE) {
		xhprof_sampler_options options = xhprof_sampler_settings(XHPROF_SAMPLE_AUTOMATIC_US);
		options.on_look = xhprof_termination_look;
		options.look_context = &XHPROF_G(termination);
		return xhprof_profile_start_sampling(&options, xhprof_save_rule_counts(XHPROF_G(ini).save_if));
	}
	if (mode == XHPROF_RUN_ALLOC && XHPROF_G(ini).alloc_sample_bytes && !xhprof_compat_stack_refusal()) {
		return start_allocations();
	}
	return xhprof_profile_start_exact(mode == XHPROF_RUN_ALLOC ? flags | XHPROF_FLAGS_ALLOC : flags, NULL);
}

bool xhprof_profile_start_may_await_signals(zend_long mode, bool is_span)
{
	bool sampled = mode == XHPROF_RUN_SAMPLE || mode == XHPROF_RUN_AGGREGATE;
	return sampled && !is_span &&
		   xhprof_sampler_settings(XHPROF_SAMPLE_AUTOMATIC_US).interval_us <= XHPROF_SAMPLE_CLASSIC_US;
}
