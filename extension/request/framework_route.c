#include "framework_route.h"

#include "hook/object_property.h"

#include "SAPI.h"

#define MOST_OBJECTS 20000u /* that are looked at; routers and requests are made early */

typedef size_t (*route_reader)(const zend_object *object, char *to);

/* Adds as much of a text as there is room for. */
static size_t put(char *to, size_t used, const char *text, size_t length)
{
	size_t room = XHPROF_ROUTE_MAX - used;
	length = length < room ? length : room;
	memcpy(to + used, text, length);
	to[used + length] = '\0';
	return used + length;
}

static size_t put_string(char *to, size_t used, const zend_string *text)
{
	return text ? put(to, used, ZSTR_VAL(text), ZSTR_LEN(text)) : 0;
}

/* Puts the route of Symfony's request, which Drupal uses too. Laravel's is a child of it, but has no such attribute. */
static size_t symfony_request(const zend_object *request, char *to)
{
	const zend_object *attributes = xhprof_object_property_object(request, "attributes");
	return attributes
			   ? put_string(to, 0, xhprof_array_text(xhprof_object_property_array(attributes, "parameters"), "_route"))
			   : 0;
}

static size_t laravel_route(const zend_object *route, char *to)
{
	const zend_string *uri = xhprof_object_property_text(route, "uri");
	return uri ? put_string(to, *ZSTR_VAL(uri) == '/' ? 0 : put(to, 0, "/", 1), uri) : 0;
}

static size_t laravel_router(const zend_object *router, char *to)
{
	const zend_object *route = xhprof_object_property_object(router, "current");
	return route ? laravel_route(route, to) : 0;
}

static size_t slim_route(const zend_object *route, char *to)
{
	return put_string(to, 0, xhprof_object_property_text(route, "pattern"));
}

/* Puts the route of Slim. The application has an object for each of its routes; the one that runs is prepared first. */
static size_t slim_prepared(const zend_object *route, char *to)
{
	return xhprof_object_property_is_true(route, "groupMiddlewareAppended") ? slim_route(route, to) : 0;
}

/* Puts the route of Mezzio: its name, or its path. */
static size_t mezzio_result(const zend_object *result, char *to)
{
	const zend_object *route = xhprof_object_property_object(result, "route");
	const zend_string *name = route ? xhprof_object_property_text(route, "name") : NULL;
	return route ? put_string(to, 0, name ? name : xhprof_object_property_text(route, "path")) : 0;
}

static size_t laminas_match(const zend_object *match, char *to)
{
	return put_string(to, 0, xhprof_object_property_text(match, "matchedRouteName"));
}

/* Names the kind of page that WordPress shows. Nothing is named for its administration and its REST API: their URLs say
 * more. */
static size_t wordpress_query(const zend_object *query, char *to)
{
	static const char *const kinds[] = {"feed",     "embed", "search", "attachment", "single", "page",
										"category", "tag",   "tax",    "author",     "date",   "post_type_archive",
										"archive",  "home"};
	const zval *main = zend_hash_str_find_ind(&EG(symbol_table), "wp_the_query", sizeof("wp_the_query") - 1);
	char name[32];
	if (main) {
		ZVAL_DEREF(main);
	}
	if (!main || Z_TYPE_P(main) != IS_OBJECT || Z_OBJ_P(main) != query ||
		xhprof_object_property_is_true(query, "is_404") || xhprof_object_property_is_true(query, "is_admin")) {
		return 0;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		snprintf(name, sizeof(name), "is_%s", kinds[i]);
		if (!xhprof_object_property_is_true(query, name)) {
			continue;
		}
		size_t used = put(to, put(to, 0, "wordpress:", 10), kinds[i], strlen(kinds[i]));
		const zend_string *type =
			strcmp(kinds[i], "single") == 0
				? xhprof_array_text(xhprof_object_property_array(query, "query_vars"), "post_type")
				: NULL;
		return type ? put_string(to, put(to, used, ":", 1), type) : used;
	}
	return 0;
}

static size_t mediawiki_context(const zend_object *context, char *to)
{
	const zend_object *title = xhprof_object_property_object(context, "title");
	const zval *space = title ? xhprof_object_property(title, "mNamespace") : NULL;
	const zend_string *name = title ? xhprof_object_property_text(title, "mDbkeyform") : NULL;
	const zend_string *action = xhprof_object_property_text(context, "action");
	if (!space || Z_TYPE_P(space) != IS_LONG || !name || SG(sapi_headers).http_response_code == 404) {
		return 0;
	}
	if (Z_LVAL_P(space) != -1) {
		size_t used = put(to, 0, "mediawiki:", 10);
		return action ? put_string(to, used, action) : put(to, used, "view", 4);
	}
	if (strncmp(ZSTR_VAL(name), "Badtitle", 8) == 0) { /* api.php and the like, whose URL says more */
		return 0;
	}
	size_t length = strcspn(ZSTR_VAL(name), "/"); /* what follows is an argument */
	return put(to, put(to, 0, "mediawiki:Special:", 18), ZSTR_VAL(name), length);
}

static const struct {
	const char *class; /* in lower case: an object of this class, or of a child of it */
	route_reader read;
} routers[] = {
	{"symfony\\component\\httpfoundation\\request", symfony_request},
	{"illuminate\\routing\\router", laravel_router},
	{"slim\\routing\\route", slim_prepared},
	{"laminas\\router\\routematch", laminas_match},
	{"wp_query", wordpress_query},
	{"mediawiki\\context\\requestcontext", mediawiki_context},
	{"requestcontext", mediawiki_context},
};

#define ROUTERS (sizeof(routers) / sizeof(*routers))

typedef struct known_router {
	const zend_class_entry *class;
	route_reader read;
} known_router;

static size_t read_object(const zend_object *object, const known_router *known, size_t count, char *to)
{
	for (size_t i = 0; i < count; i++) {
		if (object->ce == known[i].class || object->ce->parent == known[i].class) {
			return known[i].read(object, to);
		}
	}
	return 0;
}

size_t xhprof_framework_route(char to[XHPROF_ROUTE_MAX + 1])
{
	known_router known[ROUTERS];
	size_t count = 0, length = 0;
	if (CG(unclean_shutdown) || EG(objects_store).top < 2) { /* a fatal error may have left an object half made */
		return 0;
	}
	for (size_t i = 0; i < ROUTERS; i++) {
		known[count].class = zend_hash_str_find_ptr(EG(class_table), routers[i].class, strlen(routers[i].class));
		known[count].read = routers[i].read;
		count += known[count].class != NULL;
	}
	uint32_t top = EG(objects_store).top < MOST_OBJECTS ? EG(objects_store).top : MOST_OBJECTS;
	for (uint32_t handle = 1; count && !length && handle < top; handle++) {
		const zend_object *object = EG(objects_store).object_buckets[handle];
		if (IS_OBJ_VALID(object) && !(OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED)) {
			length = read_object(object, known, count, to);
		}
	}
	return length;
}

/* What a router has chosen for one request. */
static const struct {
	const char *class; /* in lower case: an object of this class, or of a child of it */
	route_reader read;
} chosen[] = {
	{"symfony\\component\\httpfoundation\\request", symfony_request},
	{"illuminate\\routing\\route", laravel_route},
	{"slim\\routing\\route", slim_route},
	{"laminas\\router\\routematch", laminas_match},
	{"mezzio\\router\\routeresult", mezzio_result},
};

static bool is_of(const zend_class_entry *class, const char *name)
{
	while (class && strcasecmp(ZSTR_VAL(class->name), name) != 0) {
		class = class->parent;
	}
	return class;
}

size_t xhprof_framework_route_chosen(const zend_object *object, char to[XHPROF_ROUTE_MAX + 1])
{
	for (size_t i = 0; i < sizeof(chosen) / sizeof(*chosen); i++) {
		if (is_of(object->ce, chosen[i].class)) {
			return chosen[i].read(object, to);
		}
	}
	return 0;
}
