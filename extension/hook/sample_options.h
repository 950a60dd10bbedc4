/* The options of xhprof_sample_enable(). */
#ifndef XHPROF_HOOK_SAMPLE_OPTIONS_H
#define XHPROF_HOOK_SAMPLE_OPTIONS_H

#include "sampler.h"

/* Takes over the given options (may be NULL). False after an exception. Unknown options raise a warning. */
bool xhprof_sample_options_read(HashTable *given, xhprof_sampler_options *options);

#endif
