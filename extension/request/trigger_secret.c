#include "trigger_secret.h"

#include "php_ini.h"

#define NAME "xhprof.trigger_value"

#define SHOWN "(set)"

static char *of_process; /* the value from php.ini or the FPM pool; or NULL */

ZEND_INI_MH(xhprof_trigger_secret_on_update)
{
	char *own = NULL;
	if (strcmp(ZSTR_VAL(new_value), SHOWN) != 0) {
		own = strdup(ZSTR_VAL(new_value));
		if (!own) {
			return FAILURE;
		}
	}
	free(XHPROF_G(trigger).own);
	XHPROF_G(trigger).own = own;
	XHPROF_G(trigger).entry = entry;
	XHPROF_G(trigger).value = own ? own : of_process ? of_process : "";
	return SUCCESS;
}

/* Hides the value of the entry; the engine sets it only after the handler above. A `modified` value is for one
 * request. */
static void hide_value(zend_ini_entry *entry)
{
	if (!entry || !entry->value || !ZSTR_LEN(entry->value) || zend_string_equals_literal(entry->value, SHOWN)) {
		return;
	}
	if (!entry->modified && XHPROF_G(trigger).own) {
#ifndef ZTS
		free(of_process);
#endif
		of_process = XHPROF_G(trigger).own;
		XHPROF_G(trigger).own = NULL;
	}
	zend_string_release(entry->value);
	entry->value = zend_string_init(ZEND_STRL(SHOWN), true);
}

void xhprof_trigger_secret_minit(void)
{
	hide_value(zend_hash_str_find_ptr(EG(ini_directives), ZEND_STRL(NAME)));
	XHPROF_G(trigger).entry = NULL;
	zval *of_file = cfg_get_entry(ZEND_STRL(NAME)); /* the value of get_cfg_var() */
	if (of_file && Z_TYPE_P(of_file) == IS_STRING && Z_STRLEN_P(of_file)) {
		zend_string_release(Z_STR_P(of_file));
		ZVAL_STR(of_file, zend_string_init(ZEND_STRL(SHOWN), true));
	}
}

void xhprof_trigger_secret_mshutdown(void)
{
	XHPROF_G(trigger).value = "";
	free(of_process);
	of_process = NULL;
}

void xhprof_trigger_secret_gshutdown(zend_xhprof_globals *globals)
{
	free(globals->trigger.own);
	globals->trigger.own = NULL;
}

void xhprof_trigger_secret_rinit(void)
{
	if (XHPROF_G(trigger).entry) {
		hide_value(XHPROF_G(trigger).entry);
		XHPROF_G(trigger).entry = NULL;
	}
}
