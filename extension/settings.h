/* The INI settings xhprof.*, their values and the places to change them. A wrong value is refused with a warning that
 * lists the allowed ones, and the old one stays. */
#ifndef XHPROF_SETTINGS_H
#define XHPROF_SETTINGS_H

#include "php_xhprof.h"

void xhprof_settings_minit(int type, int module_number);
void xhprof_settings_mshutdown(int type, int module_number);

#endif
