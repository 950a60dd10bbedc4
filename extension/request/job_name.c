#include "job_name.h"

#include "hook/object_property.h"

#define DISPLAY_NAME "\"displayName\":\""

static size_t put(char *to, const char *text, size_t length)
{
	length = strnlen(text, length < XHPROF_JOB_NAME_MAX ? length : XHPROF_JOB_NAME_MAX);
	memcpy(to, text, length);
	to[length] = '\0';
	return length;
}

static size_t put_class(char *to, const zend_object *object)
{
	return put(to, ZSTR_VAL(object->ce->name), ZSTR_LEN(object->ce->name));
}

/* Puts the name that a payload of Laravel begins with, a JSON text; names of classes need no more than "\\" and "\/". */
static size_t name_in_json(char *to, const zend_string *json)
{
	const char *at = json ? strstr(ZSTR_VAL(json), DISPLAY_NAME) : NULL;
	size_t length = 0;
	for (at = at ? at + sizeof(DISPLAY_NAME) - 1 : ""; *at && *at != '"' && length < XHPROF_JOB_NAME_MAX; at++) {
		at += *at == '\\' && strchr("\\/\"", at[1]) && at[1];
		to[length++] = *at;
	}
	to[length] = '\0';
	return length;
}

static size_t name_in_object(char *to, const zend_object *object)
{
	static const char *const names[] = {"payload", "data"};
	size_t length = 0;
	const zend_object *record = xhprof_object_property_object(object, "record");
	object = record ? record : object;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !length; i++) {
		length = name_in_json(to, xhprof_object_property_text(object, names[i]));
	}
	return length;
}

/* Puts the name of a job of Laravel: drivers keep the payload in different places. */
static size_t laravel_job(char *to, const zend_object *job)
{
	const zend_string *name = xhprof_array_text(xhprof_object_property_array(job, "decoded"), "displayName");
	const zend_object *record = xhprof_object_property_object(job, "job");
	if (name) {
		return put(to, ZSTR_VAL(name), ZSTR_LEN(name));
	}
	size_t length = name_in_object(to, job);
	length = length ? length : name_in_json(to, xhprof_object_property_text(job, "job"));
	length = length ? length : name_in_json(to, xhprof_array_text(xhprof_object_property_array(job, "job"), "Body"));
	return length || !record ? length : name_in_object(to, record);
}

const zend_object *xhprof_job_message(const zend_object *job)
{
	return xhprof_object_property_array(job, "stamps") ? xhprof_object_property_object(job, "message") : NULL;
}

size_t xhprof_job_name(const zend_object *job, char to[XHPROF_JOB_NAME_MAX + 1])
{
	const zend_object *message = xhprof_job_message(job);
	if (message) {
		return put_class(to, message);
	}
	size_t length = laravel_job(to, job);
	return length ? length : put_class(to, job);
}

bool xhprof_job_is_of_worker(const zend_object *envelope)
{
	static const char stamp[] = "Symfony\\Component\\Messenger\\Stamp\\ConsumedByWorkerStamp";
	const HashTable *stamps = xhprof_object_property_array(envelope, "stamps");
	return stamps && zend_hash_str_exists(stamps, stamp, sizeof(stamp) - 1);
}

bool xhprof_job_says_failed(const zend_object *job)
{
	return xhprof_object_property_is_true(job, "failed");
}
