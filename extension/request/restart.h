/* Programs that another program replaces by pcntl_exec(), whose profile is saved before. Under bin/xhprof run a
 * program that restarts itself, as PHPStan does by pcntl_exec() and users of composer/xdebug-handler by proc_open(),
 * passes the order on to the PHP that replaces it: the run is that PHP's, and the program saves none. */
#ifndef XHPROF_REQUEST_RESTART_H
#define XHPROF_REQUEST_RESTART_H

#include "php_xhprof.h"

/* Watches for restarts until the process ends, for a profile that settings or an order have started. `leaves` is
 * called when the process is about to become another program; `stays` when it did not, which is rare: a call whose
 * failure can be foreseen calls neither. */
void xhprof_restart_watch(bool ordered, void (*leaves)(void), void (*stays)(void));

void xhprof_restart_mshutdown(void);

#endif
