/* What the programs here that embed PHP share: a script run in a thread, in a request that has begun. */
#ifndef XHPROF_ZTS_SCRIPT_H
#define XHPROF_ZTS_SCRIPT_H

#include <sapi/embed/php_embed.h>

/* Sets a global variable of the script. Takes the value over. */
static inline void set_global(const char *name, zval *value)
{
	zend_hash_str_update(&EG(symbol_table), name, strlen(name), value);
}

static inline void set_global_number(const char *name, zend_long number)
{
	zval value;
	ZVAL_LONG(&value, number);
	set_global(name, &value);
}

static inline void set_global_text(const char *name, const char *text)
{
	zval value;
	ZVAL_STRING(&value, text);
	set_global(name, &value);
}

/* Runs it. False after a bailout. */
static inline bool run_script(const char *script)
{
	volatile bool whole = true;
	zend_first_try
	{
		zend_file_handle file;
		zend_stream_init_filename(&file, script);
		php_execute_script(&file);
		zend_destroy_file_handle(&file);
	}
	zend_catch
	{
		whole = false;
	}
	zend_end_try();
	return whole;
}

#endif
