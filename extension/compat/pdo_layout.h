/* What a PDO object and a statement are made of: the driver, the SQL, the values bound to it. By the header of PDO,
 * which PHP installs with its own; without it at the build nothing is known. */
#ifndef XHPROF_COMPAT_PDO_LAYOUT_H
#define XHPROF_COMPAT_PDO_LAYOUT_H

#include "php.h"

#if defined(__has_include)
#if __has_include("ext/pdo/php_pdo_driver.h")
#define XHPROF_COMPAT_HAVE_PDO 1
#include "ext/pdo/php_pdo_driver.h"
#endif
#endif

/* "mysql", "sqlite", ... of an object of the class PDO; NULL if it is not known. */
static inline const char *xhprof_compat_pdo_driver(zval *object)
{
#ifdef XHPROF_COMPAT_HAVE_PDO
	pdo_dbh_t *handle = Z_PDO_DBH_P(object);
	return handle && handle->driver ? handle->driver->driver_name : NULL;
#else
	return NULL;
#endif
}

/* The same of a PDOStatement. */
static inline const char *xhprof_compat_pdo_statement_driver(zval *object)
{
#ifdef XHPROF_COMPAT_HAVE_PDO
	pdo_stmt_t *statement = Z_PDO_STMT_P(object);
	return statement->dbh && statement->dbh->driver ? statement->dbh->driver->driver_name : NULL;
#else
	return NULL;
#endif
}

/* Whether the server prepares the PDOStatement at once: MySQL's, unless PDO puts the values into the text. Other drivers
 * wait for execute(), or have no server. */
static inline bool xhprof_compat_pdo_is_prepared(zval *object)
{
#ifdef XHPROF_COMPAT_HAVE_PDO
	const char *driver = xhprof_compat_pdo_statement_driver(object);
	return driver && !strcmp(driver, "mysql") && Z_PDO_STMT_P(object)->supports_placeholders != PDO_PLACEHOLDER_NONE;
#else
	return false;
#endif
}

/* Calls visit(value, context) for each value that bindValue() or bindParam() has bound. False if they are not known. */
static inline bool xhprof_compat_pdo_each_bound(zval *object, void (*visit)(const zval *value, void *context),
												void *context)
{
#ifdef XHPROF_COMPAT_HAVE_PDO
	pdo_stmt_t *statement = Z_PDO_STMT_P(object);
	struct pdo_bound_param_data *parameter;
	if (statement->bound_params) {
		ZEND_HASH_FOREACH_PTR(statement->bound_params, parameter) {
			visit(&parameter->parameter, context);
		}
		ZEND_HASH_FOREACH_END();
	}
	return true;
#else
	return false;
#endif
}

#endif
