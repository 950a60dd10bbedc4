/* The INI settings xhprof.*, their allowed values, and where each may be changed. A wrong value is refused: a warning
 * lists the allowed values, and the setting keeps the value that it had. */
#ifndef XHPROF_SETTINGS_H
#define XHPROF_SETTINGS_H

#include "php_xhprof.h"

void xhprof_settings_minit(int type, int module_number);
void xhprof_settings_mshutdown(int type, int module_number);

#endif
