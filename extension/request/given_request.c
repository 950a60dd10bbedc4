#include "given_request.h"

#include "base/route.h"
#include "base/text.h"
#include "hook/object_property.h"

#include "ext/standard/url.h"

#define TRIGGER "XHPROF_TRIGGER"
#define MOST_WRAPPERS 3 /* objects that have the request, or the answer, in a property */

static void put(char *to, size_t size, const zend_string *text)
{
	xhprof_text_copy(to, size, text ? ZSTR_VAL(text) : "");
}

/* Returns the text of a header's value: a text, a list of texts, or an object of Slim that has such a list. */
static const zend_string *header_text(const zval *value)
{
	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_OBJECT) {
		value = xhprof_object_property(Z_OBJ_P(value), "values");
	}
	if (value && Z_TYPE_P(value) == IS_ARRAY) {
		value = zend_hash_index_find_deref(Z_ARRVAL_P(value), 0);
	}
	return value && Z_TYPE_P(value) == IS_STRING ? Z_STR_P(value) : NULL;
}

/* Returns the text of a header, by its name in any case. */
static const zend_string *header_in(const HashTable *headers, const char *name)
{
	zend_string *key;
	zval *value;
	if (!headers) {
		return NULL;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL((HashTable *)headers, key, value) {
		if (key && ZSTR_LEN(key) == strlen(name) && strcasecmp(ZSTR_VAL(key), name) == 0) {
			return header_text(value);
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

/* Returns the array in a property that is one, or that is an object which has it in a property itself. */
static const HashTable *array_of(const zend_object *object, const char *name, const char *within)
{
	const zend_object *bag = xhprof_object_property_object(object, name);
	return bag ? xhprof_object_property_array(bag, within) : xhprof_object_property_array(object, name);
}

static void take_headers(xhprof_given_request *request, const HashTable *headers)
{
	const zend_string *host = header_in(headers, "host");
	if (host) {
		put(request->host, sizeof(request->host), host);
	}
	put(request->traceparent, sizeof(request->traceparent), header_in(headers, "traceparent"));
}

/* Takes a trigger that may be percent-encoded. */
static void put_trigger(char to[XHPROF_GIVEN_TRIGGER], const char *value, size_t length)
{
	if (length < XHPROF_GIVEN_TRIGGER) {
		memcpy(to, value, length);
		to[php_url_decode(to, length)] = '\0';
	}
}

/* Finds the trigger in the header with the cookies. */
static void take_cookie(xhprof_given_request *request, const zend_string *cookies)
{
	const char *at = cookies ? ZSTR_VAL(cookies) : "", *begin = at;
	while ((at = strstr(at, TRIGGER "="))) {
		const char *value = at + sizeof(TRIGGER);
		if (at == begin || at[-1] == ' ' || at[-1] == ';') {
			put_trigger(request->triggers[1], value, strcspn(value, "; "));
			return;
		}
		at = value;
	}
}

static void take_query(xhprof_given_request *request)
{
	size_t length;
	const char *value = xhprof_route_query_value(request->url, TRIGGER, sizeof(TRIGGER) - 1, &length);
	if (value) {
		put_trigger(request->triggers[0], value, length);
	}
}

static void put_url(xhprof_given_request *request, const zend_string *path, const zend_string *query)
{
	bool has_query = query && !(path && memchr(ZSTR_VAL(path), '?', ZSTR_LEN(path)));
	snprintf(request->url, sizeof(request->url), "%s%s%s", path ? ZSTR_VAL(path) : "/", has_query ? "?" : "",
			 has_query ? ZSTR_VAL(query) : "");
}

/* Reads a request of Swoole: arrays with names in lower case. */
static bool read_swoole(const zend_object *object, xhprof_given_request *request)
{
	const HashTable *server = xhprof_object_property_array(object, "server");
	const zend_string *method = xhprof_array_text(server, "request_method");
	if (!method) {
		return false;
	}
	const HashTable *headers = xhprof_object_property_array(object, "header");
	put(request->method, sizeof(request->method), method);
	put_url(request, xhprof_array_text(server, "request_uri"), xhprof_array_text(server, "query_string"));
	take_headers(request, headers);
	take_cookie(request, header_in(headers, "cookie"));
	request->variables[TRACK_VARS_GET] = xhprof_object_property_array(object, "get");
	request->variables[TRACK_VARS_POST] = xhprof_object_property_array(object, "post");
	request->variables[TRACK_VARS_COOKIE] = xhprof_object_property_array(object, "cookie");
	return true;
}

/* Reads variables of a server, with the names of CGI. */
static bool take_server(const HashTable *server, xhprof_given_request *request)
{
	const zend_string *method = xhprof_array_text(server, "REQUEST_METHOD");
	if (!method) {
		return false;
	}
	put(request->method, sizeof(request->method), method);
	put_url(request, xhprof_array_text(server, "REQUEST_URI"), xhprof_array_text(server, "QUERY_STRING"));
	put(request->host, sizeof(request->host), xhprof_array_text(server, "HTTP_HOST"));
	put(request->traceparent, sizeof(request->traceparent), xhprof_array_text(server, "HTTP_TRACEPARENT"));
	return true;
}

/* Reads a request of Symfony or Laravel: objects with arrays. */
static bool read_symfony(const zend_object *object, xhprof_given_request *request)
{
	const zend_object *bag = xhprof_object_property_object(object, "server");
	if (!bag || !take_server(xhprof_object_property_array(bag, "parameters"), request)) {
		return false;
	}
	request->variables[TRACK_VARS_GET] = array_of(object, "query", "parameters");
	request->variables[TRACK_VARS_POST] = array_of(object, "request", "parameters");
	request->variables[TRACK_VARS_COOKIE] = array_of(object, "cookies", "parameters");
	return true;
}

/* Takes the host off a whole URL, which a request to the server itself does not have. */
static void put_whole_url(xhprof_given_request *request, const char *url)
{
	const char *path = xhprof_route_path(url), *host = strstr(url, "://");
	bool whole = host && path > host;
	if (whole) {
		size_t length = strcspn(host + 3, "/?#");
		length = length < sizeof(request->host) ? length : sizeof(request->host) - 1;
		memcpy(request->host, host + 3, length);
		request->host[length] = '\0';
	}
	xhprof_text_copy(request->url, sizeof(request->url), whole ? path : url);
}

/* Reads a URL: a text, an object with its parts, or an object that has such a one in `uri`. */
static bool take_uri(xhprof_given_request *request, const zend_object *object, const zend_string **host)
{
	const zend_string *whole = xhprof_object_property_text(object, "uri");
	const zend_object *uri = xhprof_object_property_object(object, "uri");
	*host = NULL;
	if (whole) {
		put_whole_url(request, ZSTR_VAL(whole));
		return true;
	}
	const zend_object *within = uri ? xhprof_object_property_object(uri, "uri") : NULL;
	uri = within ? within : uri;
	if (!uri || !xhprof_object_property(uri, "path")) {
		return false;
	}
	put_url(request, xhprof_object_property_text(uri, "path"), xhprof_object_property_text(uri, "query"));
	*host = xhprof_object_property_text(uri, "host");
	return true;
}

/* Reads a request of PSR-7, of amphp's or RoadRunner's own kind: most implementations call the properties the same. */
static bool read_psr7(const zend_object *object, xhprof_given_request *request)
{
	const zend_string *method = xhprof_object_property_text(object, "method"), *host;
	if (!method || !take_uri(request, object, &host)) {
		return false;
	}
	const HashTable *headers = array_of(object, "headers", "headers");
	put(request->method, sizeof(request->method), method);
	take_headers(request, headers);
	if (!*request->host) {
		put(request->host, sizeof(request->host), host);
	}
	take_cookie(request, header_in(headers, "cookie"));
	request->variables[TRACK_VARS_GET] = xhprof_object_property_array(object, "queryParams");
	request->variables[TRACK_VARS_POST] = xhprof_object_property_array(object, "parsedBody");
	request->variables[TRACK_VARS_COOKIE] = xhprof_object_property_array(object, "cookieParams");
	if (!request->variables[TRACK_VARS_COOKIE]) {
		request->variables[TRACK_VARS_COOKIE] = xhprof_object_property_array(object, "cookies");
	}
	return true;
}

static void forget(xhprof_given_request *request)
{
	*request->method = *request->host = *request->url = *request->traceparent = '\0';
	*request->triggers[0] = *request->triggers[1] = '\0';
	memset(request->variables, 0, sizeof(request->variables));
}

bool xhprof_given_request_read(const zend_object *object, xhprof_given_request *request)
{
	for (int i = 0; object && i < MOST_WRAPPERS; i++) {
		forget(request);
		if (read_swoole(object, request) || read_symfony(object, request) || read_psr7(object, request)) {
			take_query(request);
			return true;
		}
		const zend_object *within = xhprof_object_property_object(object, "serverRequest");
		object = within ? within : xhprof_object_property_object(object, "request");
	}
	return false;
}

static const HashTable *global_array(const char *name)
{
	const zval *value = zend_hash_str_find_ind(&EG(symbol_table), name, strlen(name));
	if (value) {
		ZVAL_DEREF(value);
	}
	return value && Z_TYPE_P(value) == IS_ARRAY ? Z_ARRVAL_P(value) : NULL;
}

bool xhprof_given_request_read_globals(xhprof_given_request *request)
{
	forget(request);
	if (!take_server(global_array("_SERVER"), request)) {
		return false;
	}
	request->variables[TRACK_VARS_GET] = global_array("_GET");
	request->variables[TRACK_VARS_POST] = global_array("_POST");
	request->variables[TRACK_VARS_COOKIE] = global_array("_COOKIE");
	return true;
}

static int number_in(const zend_object *object, const char *name)
{
	const zval *value = xhprof_object_property(object, name);
	bool is_status = value && Z_TYPE_P(value) == IS_LONG && Z_LVAL_P(value) >= 100 && Z_LVAL_P(value) < 1000;
	return is_status ? (int)Z_LVAL_P(value) : 0;
}

int xhprof_given_request_status(const zend_object *answer)
{
	int status = 0;
	for (int i = 0; answer && !status && i < MOST_WRAPPERS; i++) {
		status = number_in(answer, "statusCode");
		status = status ? status : number_in(answer, "status");
		answer = xhprof_object_property_object(answer, "response");
	}
	return status;
}
