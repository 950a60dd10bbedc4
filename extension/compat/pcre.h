#ifndef XHPROF_COMPAT_PCRE_H
#define XHPROF_COMPAT_PCRE_H

#include "ext/pcre/php_pcre.h"

/* PHP has PCRE of the system, as Debian's, or its own, as Docker's, with other names of the same functions: what is compiled for one is
 * loaded by the other too. Those that are not there are NULL. */
#define XHPROF_PCRE(name) \
	extern __typeof__(pcre2_##name) pcre2_##name##_8 __attribute__((weak)), php_pcre2_##name __attribute__((weak))
#define xhprof_pcre(name) (pcre2_##name##_8 ? pcre2_##name##_8 : php_pcre2_##name)

XHPROF_PCRE(code_free);
XHPROF_PCRE(compile);
XHPROF_PCRE(get_error_message);
XHPROF_PCRE(get_ovector_pointer);
XHPROF_PCRE(match);
XHPROF_PCRE(match_context_create);
XHPROF_PCRE(match_context_free);
XHPROF_PCRE(match_data_create);
XHPROF_PCRE(match_data_free);
XHPROF_PCRE(pattern_info);
XHPROF_PCRE(set_depth_limit);
XHPROF_PCRE(set_match_limit);

#endif
