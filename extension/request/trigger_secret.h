/* xhprof.trigger_value, which nobody shall see: phpinfo(), ini_get() and the like show "(set)". */
#ifndef XHPROF_REQUEST_TRIGGER_SECRET_H
#define XHPROF_REQUEST_TRIGGER_SECRET_H

#include "php_xhprof.h"

#include "zend_ini.h"

/* Keeps the value as XHPROF_G(trigger).value. "(set)" is that of php.ini or the pool again. */
ZEND_INI_MH(xhprof_trigger_secret_on_update);

/* After the settings were registered, and before they are taken away. */
void xhprof_trigger_secret_minit(void);
void xhprof_trigger_secret_mshutdown(void);

/* Of a thread. */
void xhprof_trigger_secret_gshutdown(zend_xhprof_globals *globals);

/* When a request begins: what a pool or a folder of the server has set is shown no more. */
void xhprof_trigger_secret_rinit(void);

#endif
