/* Programs that another one takes the place of, by pcntl_exec(): what ran before is kept. Under bin/xhprof run those that
 * restart themselves, as PHPStan does by pcntl_exec() and users of composer/xdebug-handler by proc_open(), pass the order on
 * to the PHP that takes their place: the run is of that PHP, and they save none. */
#ifndef XHPROF_REQUEST_RESTART_H
#define XHPROF_REQUEST_RESTART_H

#include "php_xhprof.h"

/* From here on, to the end of the process; for a profile that settings or an order have started. `leaves`: the process is
 * about to become another program, which no profile follows; `stays`: it did not, which is seldom: calls that fail for a
 * reason that can be seen before do neither. */
void xhprof_restart_watch(bool ordered, void (*leaves)(void), void (*stays)(void));

void xhprof_restart_mshutdown(void);

#endif
