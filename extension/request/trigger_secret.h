/* xhprof.trigger_value, which is hidden: phpinfo(), ini_get() and the like show "(set)". */
#ifndef XHPROF_REQUEST_TRIGGER_SECRET_H
#define XHPROF_REQUEST_TRIGGER_SECRET_H

#include "php_xhprof.h"

#include "zend_ini.h"

/* Keeps the value as XHPROF_G(trigger).value. "(set)" restores that of php.ini or the pool. */
ZEND_INI_MH(xhprof_trigger_secret_on_update);

/* After the settings were registered, and before they are unregistered. */
void xhprof_trigger_secret_minit(void);
void xhprof_trigger_secret_mshutdown(void);

/* Of a thread. */
void xhprof_trigger_secret_gshutdown(zend_xhprof_globals *globals);

/* When a request begins: hides the value that a pool or a folder of the server has set. */
void xhprof_trigger_secret_rinit(void);

#endif
