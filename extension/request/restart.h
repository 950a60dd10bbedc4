/* Under bin/xhprof run: programs that restart themselves, as PHPStan does by pcntl_exec() and users of
 * composer/xdebug-handler by proc_open(), pass the order on to the PHP that takes their place. The run is of that PHP;
 * they save none. */
#ifndef XHPROF_REQUEST_RESTART_H
#define XHPROF_REQUEST_RESTART_H

#include "php_xhprof.h"

/* From here on, to the end of the process. `leaves`: the process is about to become another program, which no profile
 * follows; `stays`: it did not. */
void xhprof_restart_watch(void (*leaves)(void), void (*stays)(void));

#endif
