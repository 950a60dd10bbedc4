#include "outcome.h"

#include "wrapped_function.h"

#include "base/hash.h"

#include "SAPI.h"
#include "zend_observer.h"

#define SERVER_ERROR 500

/* Returns whether a handler of the program's may take an error of this type: then nothing has failed. Others end the
 * script. */
static bool may_be_handled(int type)
{
	return type & (E_USER_ERROR | E_RECOVERABLE_ERROR) && Z_TYPE(EG(user_error_handler)) != IS_UNDEF &&
		   EG(user_error_handler_error_reporting) & type && EG(error_handling) == EH_NORMAL;
}

/* Hashes an error; never 0. */
static uint64_t hash_of(int type, const zend_string *message)
{
	return xhprof_hash_bytes(ZSTR_VAL(message), ZSTR_LEN(message), (uint64_t)(type & E_ALL)) | 1;
}

/* Counts the fatal error that is not proven yet, if PHP has noted it. An extension may take a fatal error before PHP
 * does, and the program goes on: SoapClient throws an exception instead. So may the program's handler, which may raise
 * further errors before it refuses. PHP notes what it takes itself; with the type, as the text alone may be that of an
 * earlier warning. */
static void settle(void)
{
	xhprof_outcome *outcome = &XHPROF_G(outcome);
	uint64_t noted = 0;
	if ((outcome->unproven || outcome->handed_over) && PG(last_error_message)) {
		noted = hash_of(PG(last_error_type), PG(last_error_message));
	}
	if (noted && (noted == outcome->unproven || noted == outcome->handed_over)) {
		outcome->fatal_errors++;
		outcome->handed_over = 0;
	}
	outcome->unproven = 0;
}

/* Notes an error. What comes after a fatal one, such as a warning or error_clear_last() in a shutdown function, does
 * not undo it. */
static void on_error(int type, zend_string *file, uint32_t line, zend_string *message)
{
	settle();
	if (type & E_FATAL_ERRORS) {
		*(may_be_handled(type) ? &XHPROF_G(outcome).handed_over : &XHPROF_G(outcome).unproven) = hash_of(type, message);
	}
}

/* Counts a status that shows a failure. The same one may be set for one span and for the next, which the value alone
 * does not show. */
static void note_status(void)
{
	if (SG(sapi_headers).http_response_code >= SERVER_ERROR) {
		XHPROF_G(outcome).statuses++;
	}
}

static bool is_number(const zend_execute_data *call, uint32_t place)
{
	const zval *argument = ZEND_CALL_NUM_ARGS(call) >= place ? ZEND_CALL_ARG(call, place) : NULL;
	return argument && !(Z_TYPE_P(argument) == IS_LONG && Z_LVAL_P(argument) == 0);
}

static bool is_status_line(const zend_execute_data *call)
{
	static const char begin[] = "HTTP/";
	const zval *line = ZEND_CALL_NUM_ARGS(call) ? ZEND_CALL_ARG(call, 1) : NULL;
	return line && Z_TYPE_P(line) == IS_STRING && Z_STRLEN_P(line) >= sizeof(begin) - 1 &&
		   strncasecmp(Z_STRVAL_P(line), begin, sizeof(begin) - 1) == 0;
}

static zif_handler previous_code, previous_header, previous_clear;

static ZEND_NAMED_FUNCTION(on_code)
{
	xhprof_wrapped_function_call(&previous_code, INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (is_number(execute_data, 1)) {
		note_status();
	}
}

static ZEND_NAMED_FUNCTION(on_header)
{
	xhprof_wrapped_function_call(&previous_header, INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (is_status_line(execute_data) || is_number(execute_data, 3)) {
		note_status();
	}
}

static ZEND_NAMED_FUNCTION(on_clear)
{
	settle();
	xhprof_wrapped_function_call(&previous_clear, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void xhprof_outcome_minit(void)
{
	zend_observer_error_register(on_error);
	xhprof_wrapped_function_set(CG(function_table), "http_response_code", on_code, &previous_code);
	xhprof_wrapped_function_set(CG(function_table), "header", on_header, &previous_header);
	xhprof_wrapped_function_set(CG(function_table), "error_clear_last", on_clear, &previous_clear);
}

void xhprof_outcome_mshutdown(void)
{
	xhprof_wrapped_function_restore(CG(function_table), "http_response_code", on_code, previous_code);
	xhprof_wrapped_function_restore(CG(function_table), "header", on_header, previous_header);
	xhprof_wrapped_function_restore(CG(function_table), "error_clear_last", on_clear, previous_clear);
}

xhprof_outcome xhprof_outcome_at_begin(bool is_span)
{
	settle();
	xhprof_outcome outcome = XHPROF_G(outcome);
	outcome.status = is_span ? SG(sapi_headers).http_response_code : 0;
	outcome.gone = is_span && PG(connection_status) & PHP_CONNECTION_ABORTED;
	return outcome;
}

xhprof_outcome_left xhprof_outcome_leave(void)
{
	settle();
	const xhprof_outcome *now = &XHPROF_G(outcome);
	return (xhprof_outcome_left){(uint32_t)now->fatal_errors, (uint32_t)now->statuses,
								 SG(sapi_headers).http_response_code};
}

void xhprof_outcome_go_on(xhprof_outcome *begin, const xhprof_outcome_left *left, const xhprof_outcome_left *now)
{
	begin->fatal_errors += now->fatal_errors - left->fatal_errors;
	begin->statuses += now->statuses - left->statuses;
	begin->status = now->status == left->status ? begin->status : now->status;
}

bool xhprof_outcome_failed(const xhprof_outcome *begin, const char *ended_by)
{
	settle();
	const xhprof_outcome *now = &XHPROF_G(outcome);
	int status = SG(sapi_headers).http_response_code;
	bool refused = status >= SERVER_ERROR && (status != begin->status || now->statuses != begin->statuses);
	if (now->own_status != XHPROF_STATUS_OF_SERVER) {
		refused = now->own_status >= SERVER_ERROR;
	}
	return (ended_by && strncmp(ended_by, "SIG", 3) == 0) || now->fatal_errors != begin->fatal_errors ||
		   now->own_failure || refused;
}

void xhprof_outcome_own(int status, bool failed)
{
	XHPROF_G(outcome).own_status = status;
	XHPROF_G(outcome).own_failure = failed;
}

bool xhprof_outcome_aborted(const xhprof_outcome *begin)
{
	return PG(connection_status) & PHP_CONNECTION_ABORTED && !begin->gone;
}
