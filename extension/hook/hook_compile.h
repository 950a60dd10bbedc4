/* The hook on the compiling of files and of eval'd code, which gives the nodes "load::dir/file.php" and "eval::file" to
 * profiles and samples. */
#ifndef XHPROF_HOOK_COMPILE_H
#define XHPROF_HOOK_COMPILE_H

/* Installs the hook: at the first request, so that it encloses hooks set at start-up (opcache's) and sees files that
 * come from a cache, too; with xhprof.hooks=off at the first sampling. Later calls do nothing. */
void xhprof_hook_compile_install(void);
void xhprof_hook_compile_mshutdown(void);

#endif
