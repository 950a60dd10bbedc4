#include "worker_runtime.h"

#include "given_request.h"
#include "job_name.h"
#include "worker_callback.h"
#include "worker_request.h"

#include "hook/object_property.h"
#include "hook/watched_call.h"

typedef enum worker_role {
	CALLS_BACK, /* it is given a function that it calls for the server's request */
	CARRIES,    /* it is given a function that the loop calls later, for what runs now */
	LISTENS,    /* it is given the name of an event, "request", and a function that it calls with the request */
	SERVES,     /* it is given a function that it calls with each request */
	HANDLES,    /* the call is the request; it may return the answer */
	TAKES,      /* it returns the request */
	ANSWERS,    /* it sends the answer, or its status */
	FAILS,      /* it sends an error in place of the answer */
	SHOWS,      /* it is given the answer, or its status */
	WORKS,      /* the call is the job */
	DISPATCHES, /* the call is the job, if a worker has received the message */
	ROUTES,     /* it is given what the router has chosen; argument 0: its object */
	KERNEL,     /* it is given Symfony's request, in which the route is at the end, and returns the answer */
} worker_role;

/* `argument`: the number of the one that the role is about, from 1. */
typedef struct worker_function {
	worker_role role;
	uint32_t argument;
	bool anywhere; /* also where the server has begun a request itself */
} worker_function;

#define FUNCTIONS(F)                                                                          \
	F(NULL, "frankenphp_handle_request", CALLS_BACK, 1, true)                                 \
	F("spiral\\roadrunner\\http\\psr7workerinterface", "waitrequest", TAKES, 0, false)        \
	F("spiral\\roadrunner\\http\\psr7workerinterface", "respond", ANSWERS, 1, false)          \
	F("spiral\\roadrunner\\http\\psr7worker", "waitrequest", TAKES, 0, false)                 \
	F("spiral\\roadrunner\\http\\psr7worker", "respond", ANSWERS, 1, false)                   \
	F("spiral\\roadrunner\\http\\httpworker", "waitrequest", TAKES, 0, false)                 \
	F("spiral\\roadrunner\\http\\httpworker", "respond", ANSWERS, 1, false)                   \
	F("spiral\\roadrunner\\worker", "error", FAILS, 0, false)                                 \
	F("swoole\\server", "on", LISTENS, 2, false)                                              \
	F("swoole\\coroutine\\http\\server", "handle", SERVES, 2, false)                          \
	F("swoole\\http\\response", "status", SHOWS, 1, false)                                    \
	F("swoole\\http\\response", "setstatuscode", SHOWS, 1, false)                             \
	F("openswoole\\server", "on", LISTENS, 2, false)                                          \
	F("openswoole\\coroutine\\http\\server", "handle", SERVES, 2, false)                      \
	F("openswoole\\http\\response", "status", SHOWS, 1, false)                                \
	F("openswoole\\http\\response", "setstatuscode", SHOWS, 1, false)                         \
	F("mezzio\\swoole\\swoolerequesthandlerrunner", "onrequest", HANDLES, 1, false)           \
	F("laravel\\octane\\worker", "handle", HANDLES, 1, false)                                 \
	F("laravel\\octane\\contracts\\client", "respond", SHOWS, 2, false)                       \
	F("laravel\\octane\\contracts\\client", "error", FAILS, 0, false)                         \
	F("illuminate\\queue\\worker", "process", WORKS, 2, false)                                \
	F("symfony\\component\\messenger\\worker", "handlemessage", WORKS, 1, false)              \
	F("symfony\\component\\messenger\\messagebusinterface", "dispatch", DISPATCHES, 1, false) \
	F("amp\\http\\server\\requesthandler", "handlerequest", HANDLES, 1, false)                \
	F("revolt\\eventloop", "queue", CARRIES, 1, false)                                        \
	F("revolt\\eventloop", "defer", CARRIES, 1, false)                                        \
	F("revolt\\eventloop", "delay", CARRIES, 2, false)                                        \
	F("react\\http\\io\\streamingserver", "handlerequest", HANDLES, 2, false)                 \
	F("react\\http\\io\\streamingserver", "handleresponse", SHOWS, 3, false)                  \
	F("psr\\http\\server\\requesthandlerinterface", "handle", HANDLES, 1, false)              \
	F("illuminate\\routing\\router", "runroute", ROUTES, 2, true)                             \
	F("slim\\routing\\route", "run", ROUTES, 0, true)                                         \
	F("mezzio\\router\\routeresult", "process", ROUTES, 0, true)                              \
	F("laminas\\mvc\\mvcevent", "setroutematch", ROUTES, 1, true)                             \
	F("symfony\\component\\httpkernel\\httpkernel", "handle", KERNEL, 1, true)

#define NAMES(class, name, role, argument, anywhere) {class, name},
static const xhprof_watched_function names[] = {FUNCTIONS(NAMES)};

#define ROLES(class, name, role, argument, anywhere) {role, argument, anywhere},
static const worker_function functions[] = {FUNCTIONS(ROLES)};

static zval *argument_of(const zend_execute_data *frame, uint32_t number)
{
	zval *argument = number && number <= ZEND_CALL_NUM_ARGS(frame) ? ZEND_CALL_ARG(frame, number) : NULL;
	if (argument) {
		ZVAL_DEREF(argument);
	}
	return argument;
}

static const zend_object *object_of(const zend_execute_data *frame, uint32_t number)
{
	const zval *argument = argument_of(frame, number);
	return argument && Z_TYPE_P(argument) == IS_OBJECT ? Z_OBJ_P(argument) : NULL;
}

/* Notes the status of an answer: a number, or an object that has one. */
static void note_status(const zval *answer)
{
	if (answer && Z_TYPE_P(answer) == IS_LONG) {
		xhprof_worker_request_status((int)Z_LVAL_P(answer));
	} else if (answer && Z_TYPE_P(answer) == IS_OBJECT) {
		xhprof_worker_request_status(xhprof_given_request_status(Z_OBJ_P(answer)));
	}
}

static bool is_event_of_request(const zend_execute_data *frame)
{
	const zval *event = argument_of(frame, 1);
	return event && Z_TYPE_P(event) == IS_STRING && zend_string_equals_literal_ci(Z_STR_P(event), "request");
}

static void wrap(zend_execute_data *frame, uint32_t number, uint32_t argument)
{
	if (number <= ZEND_CALL_NUM_ARGS(frame) && !Z_ISREF_P(ZEND_CALL_ARG(frame, number))) {
		xhprof_worker_callback_wrap(ZEND_CALL_ARG(frame, number), frame, argument);
	}
}

/* Returns whether the server has begun a request of its own, as PHP-FPM does: then a runtime that begins one is called within
 * that, for example by a test or a synchronous queue. */
static bool is_of_server(void)
{
	return SG(request_info).request_method;
}

static uint64_t begin_job(const zend_object *object, bool of_worker)
{
	char name[XHPROF_JOB_NAME_MAX + 1];
	size_t length = object && (!of_worker || xhprof_job_is_of_worker(object)) ? xhprof_job_name(object, name) : 0;
	return length ? xhprof_worker_request_begin_job(name, length, xhprof_job_message(object)) : 0;
}

static void begin(xhprof_watched_call *call)
{
	const worker_function *function = &functions[call->function];
	zend_execute_data *frame = call->frame;
	const zend_object *object = object_of(frame, function->argument);
	if (!XHPROF_G(worker).on || (!function->anywhere && is_of_server())) {
		return;
	}
	switch (function->role) {
		case CALLS_BACK:
			wrap(frame, function->argument, 0);
			break;
		case CARRIES:
			if (function->argument <= ZEND_CALL_NUM_ARGS(frame) && object) {
				xhprof_worker_callback_carry(ZEND_CALL_ARG(frame, function->argument), frame);
			}
			break;
		case LISTENS:
			if (is_event_of_request(frame)) {
				wrap(frame, function->argument, 1);
			}
			break;
		case SERVES:
			wrap(frame, function->argument, 1);
			break;
		case HANDLES:
			call->data = object ? xhprof_worker_request_begin(object) : 0;
			break;
		case TAKES:
			xhprof_worker_request_next();
			break;
		case ANSWERS:
			xhprof_worker_request_answers();
			break;
		case FAILS:
			xhprof_worker_request_answers();
			xhprof_worker_request_failed();
			break;
		case SHOWS:
			note_status(argument_of(frame, function->argument));
			break;
		case WORKS:
		case DISPATCHES:
			call->data = begin_job(object, function->role == DISPATCHES);
			break;
		case ROUTES:
			object = function->argument ? object : Z_TYPE(frame->This) == IS_OBJECT ? Z_OBJ(frame->This) : NULL;
			if (object) {
				xhprof_worker_request_routed(object);
			}
			break;
		case KERNEL:
			break;
	}
}

/* Returns whether Symfony handles a request of the client's, and none within it. */
static bool is_main_request(const zend_execute_data *frame)
{
	const zval *type = argument_of(frame, 2);
	return !type || Z_TYPE_P(type) != IS_LONG || Z_LVAL_P(type) == 1;
}

/* Ends the request or job that began with a call. */
static void end_call(const xhprof_watched_call *call, bool returned)
{
	const char *ended_by = xhprof_worker_callback_ended_by();
	xhprof_worker_request_end(call->data, returned || ended_by ? ended_by : "shutdown");
}

/* Returns whether a call of RoadRunner's sends more than a status below 200 or a part of the answer. */
static bool is_whole_answer(const zend_execute_data *frame)
{
	const zval *status = argument_of(frame, 1), *last = argument_of(frame, 4);
	return !(status && Z_TYPE_P(status) == IS_LONG && Z_LVAL_P(status) < 200) && !(last && Z_TYPE_P(last) == IS_FALSE);
}

static void end(xhprof_watched_call *call, const zval *return_value)
{
	const worker_function *function = &functions[call->function];
	const zend_object *object = object_of(call->frame, function->argument);
	if (!XHPROF_G(worker).on || (!function->anywhere && is_of_server())) {
		return;
	}
	switch (function->role) {
		case HANDLES:
			note_status(return_value);
			end_call(call, return_value);
			break;
		case TAKES:
			if (return_value && Z_TYPE_P(return_value) == IS_OBJECT) {
				xhprof_worker_request_take(Z_OBJ_P(return_value));
			}
			break;
		case ANSWERS:
			if (return_value) { /* else the program may answer with something else */
				note_status(argument_of(call->frame, function->argument));
			}
			xhprof_worker_request_answered(return_value && is_whole_answer(call->frame));
			break;
		case FAILS:
			xhprof_worker_request_answered(return_value);
			break;
		case WORKS:
			if (call->data && object && xhprof_job_says_failed(object)) {
				xhprof_worker_request_failed();
			}
			end_call(call, return_value);
			break;
		case DISPATCHES:
			if (!return_value && object) { /* the worker catches the exception */
				xhprof_worker_request_job_failed(xhprof_job_message(object));
			}
			end_call(call, return_value);
			break;
		case KERNEL:
			if (object && is_main_request(call->frame)) {
				xhprof_worker_request_routed(object);
				note_status(return_value);
			}
			break;
		default:
			break;
	}
}

void xhprof_worker_runtime_minit(void)
{
	xhprof_worker_callback_minit();
	xhprof_worker_request_minit();
	xhprof_watched_call_minit(names, sizeof(names) / sizeof(*names), begin, end);
}

void xhprof_worker_runtime_rinit(void)
{
	xhprof_worker_request_rinit();
	xhprof_watched_call_rinit(XHPROF_G(worker).on);
}

void xhprof_worker_runtime_rshutdown(void)
{
	xhprof_worker_request_rshutdown();
	xhprof_watched_call_rshutdown();
}
