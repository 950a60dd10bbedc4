/* Compiling of files and of eval'd code: nodes "load::dir/file.php" and "eval::file", of the tracer and of samples. */
#ifndef XHPROF_HOOK_COMPILE_H
#define XHPROF_HOOK_COMPILE_H

/* At the first request, so that our wrapper is outside of those set at start-up (opcache's): it then sees files that
 * come from a cache, too. With xhprof.hooks=off at the first sampling. Later calls do nothing. */
void xhprof_hook_compile_install(void);
void xhprof_hook_compile_mshutdown(void);

#endif
