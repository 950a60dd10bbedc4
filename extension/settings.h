/* The INI settings xhprof.*: where they may be changed, and what they may be. A wrong value is refused with a warning that
 * says what is allowed, and the old one stays. */
#ifndef XHPROF_SETTINGS_H
#define XHPROF_SETTINGS_H

#include "php_xhprof.h"

void xhprof_settings_minit(int type, int module_number);
void xhprof_settings_mshutdown(int type, int module_number);

#endif
