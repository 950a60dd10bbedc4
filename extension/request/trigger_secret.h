/* The value of xhprof.trigger_value, which is hidden: phpinfo(), ini_get() and the like show "(set)". */
#ifndef XHPROF_REQUEST_TRIGGER_SECRET_H
#define XHPROF_REQUEST_TRIGGER_SECRET_H

#include "php_xhprof.h"

#include "zend_ini.h"

/* Keeps the value as XHPROF_G(trigger).value. "(set)" restores that of php.ini or the pool. */
ZEND_INI_MH(xhprof_trigger_secret_on_update);

/* Begin after the settings were registered, and end before they are unregistered. */
void xhprof_trigger_secret_minit(void);
void xhprof_trigger_secret_mshutdown(void);

/* Frees the value of a thread. */
void xhprof_trigger_secret_gshutdown(zend_xhprof_globals *globals);

/* Hides the value that a pool or a folder of the server has set, when a request begins. */
void xhprof_trigger_secret_rinit(void);

#endif
