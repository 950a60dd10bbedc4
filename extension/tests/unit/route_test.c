#include "unit.h"

#include "base/route.h"

#include <stdbool.h>
#include <stdlib.h>

/* The route of a request's path; "=" where it is the path. */
static const struct {
	const char *url, *route;
} routes[] = {
	{"/", "="},
	{"", "/"},
	{"/index.php", "="},
	{"/users", "="},
	{"/users/", "="},
	{"//users///list", "/users/list"},
	{"/users?id=5", "/users"},
	{"/users#top", "/users"},
	{"/users/?a=/b/c", "/users/"},
	{"http://example.com", "/"},
	{"https://example.com:8080/users/5?x", "/users/{id}"},
	{"http://example.com?x=1", "/"},
	{"/redirect/http://example.com/", "/redirect/http:/example.com/"},
	{"*", "/*"},
	/* numbers */
	{"/users/5", "/users/{id}"},
	{"/users/5/orders/77", "/users/{id}/orders/{id}"},
	{"/users/-5", "/users/{id}"},
	{"/docs/8.2.1", "/docs/{id}"},
	{"/blog/2024/01/31", "/blog/{id}/{id}/{id}"},
	{"/blog/2024-01-31", "/blog/{id}"},
	{"/weather/52.5,13.4", "/weather/{id}"},
	{"/12345.json", "/{id}.json"},
	{"/1.5", "/{id}"},
	{"/%35", "/{id}"},
	{"/v1/users", "="},
	{"/api/v2", "="},
	{"/oauth2/token", "="},
	{"/-/", "="},
	{"/order-123", "/order-{id}"},
	{"/order_123/lines", "/order_{id}/lines"},
	{"/top-10-list", "/top-{id}-list"},
	{"/a-title-of-many-words-12345.html", "="},
	{"/a-title-of-many-words-12345", "/a-title-of-many-words-{id}"},
	{"/mp3-player", "="},
	/* UUIDs and hashes */
	{"/o/550e8400-e29b-41d4-a716-446655440000", "/o/{id}"},
	{"/o/{550E8400-E29B-41D4-A716-446655440000}", "/o/{id}"},
	{"/o/550e8400-e29b-41d4-a716-446655440000.pdf", "/o/{id}.pdf"},
	{"/o/550e8400e29b41d4a716446655440000", "/o/{id}"},
	{"/commit/85d5ee1", "/commit/{id}"},
	{"/commit/6406ba3f0c", "/commit/{id}"},
	{"/0xdeadbeef00", "/{id}"},
	{"/facade", "="},
	{"/defaced", "="},
	{"/deadbeef", "="},
	{"/deadbeefdeadbeef", "/{id}"},
	{"/added2", "="},
	{"/507f1f77bcf86cd799439011", "/{id}"},
	/* tokens */
	{"/t/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/t/{id}"},
	{"/t/V1StGXR8_Z5jdHi6B-myT", "/t/{id}"},
	{"/t/dGhpcyBpcyBhIHRlc3Q", "/t/{id}"},
	{"/t/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3", "/t/{id}"},
	{"/getUserProfileInformation", "="},
	{"/getAllByIdOrNameOrUrl", "="},
	{"/my-first-post-about-php-internals", "="},
	{"/oauth2-callback-v2-something1", "="},
	{"/INTERNATIONALIZATION", "="},
	{"/me@example.com", "/{id}"},
	{"/user.name%40example.com/mail", "/{id}/mail"},
	{"/@vue/core", "="},
	{"/a;jsessionid=5A6B", "/a"},
	{"/a;x=1/b", "/a/b"},
	{"/0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-and-more", "/{id}"},
	/* anything */
	{"/\x01\x7f", "/??"},
	{"/caf\xc3\xa9", "="},
	{"/%", "="},
	{"/%4", "="},
	{"/%zz", "="},
	{"/..", "="},
	{"/.env", "="},
	{"/a.b.c", "="},
};

static void routes_of_urls(void)
{
	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
		char made[XHPROF_ROUTE_MAX + 1];
		const char *expected = routes[i].route[0] == '=' ? routes[i].url : routes[i].route;
		size_t length = xhprof_route_of_url(made, NULL, routes[i].url);
		bool good = length == strlen(made) && strcmp(made, expected) == 0;
		if (!good) {
			printf("# %s: %s, not %s\n", routes[i].url, made, expected);
		}
		CHECK(good);
	}
}

static void routes_with_methods(void)
{
	char made[XHPROF_ROUTE_MAX + 1];
	xhprof_route_of_url(made, "GET", "/users/5");
	CHECK(strcmp(made, "GET /users/{id}") == 0);
	xhprof_route_of_url(made, "VERSION-CONTROL", "/");
	CHECK(strcmp(made, "VERSION-CONTROL /") == 0);
	xhprof_route_of_url(made, "get", "/");
	CHECK(strcmp(made, "OTHER /") == 0);
	xhprof_route_of_url(made, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "/");
	CHECK(strcmp(made, "OTHER /") == 0);
	xhprof_route_of_url(made, "", "/");
	CHECK(strcmp(made, "OTHER /") == 0);
	xhprof_route_of_url(made, "GET", NULL);
	CHECK(strcmp(made, "GET /") == 0);
}

static void long_routes_are_cut(void)
{
	char url[4096], made[XHPROF_ROUTE_MAX + 1];
	memset(url, 0, sizeof(url));
	for (size_t i = 0; i + 7 < sizeof(url); i += 7) {
		memcpy(url + i, "/h\xc3\xa4user", 7);
	}
	size_t length = xhprof_route_of_url(made, "GET", url);
	CHECK(length <= XHPROF_ROUTE_MAX && length > XHPROF_ROUTE_MAX - 16 && strlen(made) == length);
	CHECK(strcmp(made + length - 3, "...") == 0);
	memset(url, '/', sizeof(url) - 1);
	CHECK(xhprof_route_of_url(made, NULL, url) == 1);
	memset(url, '-', sizeof(url) - 1);
	CHECK(xhprof_route_of_url(made, NULL, url) == 5 && strcmp(made, "/{id}") == 0);
}

static void routes_of_scripts_and_names(void)
{
	char made[XHPROF_ROUTE_MAX + 1], name[300];
	xhprof_route_of_script(made, "/srv/app/bin/console");
	CHECK(strcmp(made, "bin/console") == 0);
	xhprof_route_of_script(made, "worker.php");
	CHECK(strcmp(made, "worker.php") == 0);
	xhprof_route_of_script(made, "/worker.php");
	CHECK(strcmp(made, "/worker.php") == 0);
	xhprof_route_of_script(made, "");
	CHECK(made[0] == '\0');
	memset(name, 'a', sizeof(name));
	CHECK(xhprof_route_of_name(made, name, sizeof(name)) == XHPROF_ROUTE_MAX && made[XHPROF_ROUTE_MAX] == '\0');
	memcpy(name + XHPROF_ROUTE_MAX - 1, "\xc3\xa4", 2);
	CHECK(xhprof_route_of_name(made, name, sizeof(name)) == XHPROF_ROUTE_MAX - 1);
	memset(name, 0x80, sizeof(name));
	CHECK(xhprof_route_of_name(made, name, sizeof(name)) == 0);
	CHECK(xhprof_route_of_name(made, "a\0b", 3) == 3 && memcmp(made, "a\0b", 4) == 0);
}

/* Any path fits. */
static void random_urls_fit_the_buffer(void)
{
	static const char letters[] = "//ab9-_.;%4@?{}\xc3\xa4\x01Z0f";
	char url[600], made[XHPROF_ROUTE_MAX + 1];
	unsigned bad = 0;
	srand(1);
	for (unsigned i = 0; i < 20000; i++) {
		size_t length = (size_t)rand() % (i % 2 ? 40 : sizeof(url) - 1);
		for (size_t at = 0; at < length; at++) {
			url[at] = letters[(size_t)rand() % (sizeof(letters) - 1)];
		}
		url[length] = '\0';
		size_t size = xhprof_route_of_url(made, i % 3 ? NULL : "GET", url);
		bad += size > XHPROF_ROUTE_MAX || size != strlen(made) || !size || memchr(made, '\x01', size);
	}
	CHECK(bad == 0);
}

static void check_page(const char *host, const char *url, const char *expected)
{
	char made[XHPROF_ROUTE_MAX + 1];
	size_t length = xhprof_route_of_page(made, "GET", host, url);
	CHECK(strcmp(made, expected) == 0 && length == strlen(expected));
}

static void hosts_are_cleaned(void)
{
	check_page("", "/users/5", "GET /users/{id}");
	check_page("Shop.Example.org:8080", "/users/5", "GET shop.example.org/users/{id}");
	check_page("[2001:db8::1]:443", "/", "GET [2001:db8::1]/");
	check_page("<script>", "/x", "GET {host}/x");
	check_page("a.b/../c", "/x", "GET {host}/x");
	check_page("\n", "/x", "GET {host}/x");
	char host[201];
	memset(host, 'h', 200);
	host[200] = '\0';
	check_page(host, "/x", "GET {host}/x");
}

static void labels_are_bounded(void)
{
	char made[XHPROF_ROUTE_MAX + 1], label[400];
	CHECK(xhprof_route_of_label(made, "GET", "", "(404)", 5) == 9 && strcmp(made, "GET (404)") == 0);
	xhprof_route_of_label(made, "GET", "Example.org", "(404)", 5);
	CHECK(strcmp(made, "GET example.org (404)") == 0);
	xhprof_route_of_label(made, "POST", "example.org", "/users/{user}", 13);
	CHECK(strcmp(made, "POST example.org/users/{user}") == 0);
	xhprof_route_of_label(made, NULL, "", "a\tb\0c", 5);
	CHECK(strcmp(made, "a?b?c") == 0);
	for (size_t i = 0; i < sizeof(label); i++) {
		label[i] = "\xc3\xa9"[i % 2];
	}
	size_t length = xhprof_route_of_label(made, "GET", "", label, sizeof(label));
	CHECK(length <= XHPROF_ROUTE_MAX && strlen(made) == length && strcmp(made + length - 3, "...") == 0);
	CHECK((unsigned char)made[length - 4] == 0xa9);
	CHECK(xhprof_route_of_label(made, NULL, "", "", 0) == 0 && !*made);
}

static void check_parameter(const char *before, const char *value, bool any, const char *expected)
{
	char made[XHPROF_ROUTE_MAX + 1];
	strcpy(made, before);
	size_t length = xhprof_route_add_parameter(made, strlen(made), "page", 4, value, strlen(value), any);
	CHECK(strcmp(made, expected) == 0 && length == strlen(expected));
}

static void parameters_are_names(void)
{
	size_t length;
	check_parameter("GET /", "edit", false, "GET /?page=edit");
	check_parameter("GET /?a=b", "wc-settings", false, "GET /?a=b&page=wc-settings");
	check_parameter("GET /", "%2Ftable%2Fstructure", false, "GET /?page=/table/structure");
	check_parameter("GET /", "/wp/v2/posts/17", false, "GET /?page=/wp/v2/posts/{id}");
	check_parameter("GET /", "17", false, "GET /");
	check_parameter("GET /", "17", true, "GET /?page={id}");
	check_parameter("GET /", "a b", false, "GET /");
	check_parameter("GET /", "a+b", true, "GET /?page={id}");
	check_parameter("GET /", "", true, "GET /");
	check_parameter("GET /", "REDACTED", false, "GET /");
	check_parameter("GET /", "<script>", false, "GET /");
	check_parameter("GET /", "ann@example.org", false, "GET /");
	check_parameter("GET /", "%00%0a", false, "GET /");
	check_parameter("GET /", "f00ba4c0ffee77", false, "GET /");
	char value[400], full[XHPROF_ROUTE_MAX + 1];
	memset(value, 'v', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	check_parameter("GET /", value, false, "GET /");
	memset(full, 'f', XHPROF_ROUTE_MAX - 5);
	full[XHPROF_ROUTE_MAX - 5] = '\0';
	check_parameter(full, "edit", false, full);
	CHECK(!xhprof_route_query_value("/x?apage=1", "page", 4, &length));
	CHECK(!xhprof_route_query_value("/x#?page=1", "page", 4, &length));
	CHECK(!xhprof_route_query_value("/page=1", "page", 4, &length));
	CHECK(*xhprof_route_query_value("/x?a=b&page=17#c", "page", 4, &length) == '1' && length == 2);
	CHECK(xhprof_route_query_value("?page=", "page", 4, &length) && length == 0);
	CHECK(!xhprof_route_query_value("/x?page", "page", 4, &length));
}

int main(void)
{
	routes_of_urls();
	routes_with_methods();
	long_routes_are_cut();
	routes_of_scripts_and_names();
	random_urls_fit_the_buffer();
	hosts_are_cleaned();
	labels_are_bounded();
	parameters_are_names();
	return unit_end();
}
