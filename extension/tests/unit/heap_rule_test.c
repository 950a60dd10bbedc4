#include "unit.h"

#include "folder/heap_rule.h"

#include <stdint.h>
#include <string.h>

static bool is(const char *text, uint64_t kept, uint64_t peak)
{
	xhprof_heap_rule rule;
	const char *at;
	size_t length;
	return !xhprof_heap_rule_read(text, &rule, &at, &length) && rule.kept == kept && rule.peak == peak;
}

/* Returns whether a text is refused at this part of it. */
static bool refused(const char *text, const char *part)
{
	xhprof_heap_rule rule;
	const char *at;
	size_t length;
	return xhprof_heap_rule_read(text, &rule, &at, &length) && length == strlen(part) && !memcmp(at, part, length);
}

static void conditions_are_read(void)
{
	CHECK(is("", 0, 0) && is(" \t ", 0, 0) && is("kept=1", 1, 0) && is("peak=1k", 0, 1024));
	CHECK(is("kept=50M, peak=256M", 50 << 20, 256 << 20) && is(" peak = 1G ,kept=2M", 2 << 20, 1 << 30));
	CHECK(refused("kept", "kept") && refused("kept=", "kept=") && refused("kept=0", "kept=0"));
	CHECK(refused("peak=1M, peak=2M", "peak=2M") && refused("peak=1M,,kept=1", "") && refused("peak=1M,", ""));
	CHECK(refused("kept=1M, slower=5", "slower=5") && refused("peak=-1", "peak=-1") && refused("peak=1MB", "peak=1MB"));
	CHECK(refused("peak=99999999999999999999", "peak=99999999999999999999") && refused("PEAK=1", "PEAK=1"));
	char text[1000] = "peak=";
	memset(text + 5, '1', sizeof(text) - 6);
	CHECK(refused(text, "peak=11111111111111111111111111111111111"));
}

static void a_process_takes_one_per_hour(void)
{
	uint64_t taken = 0;
	const uint64_t now = UINT64_C(1764547200000), hour = XHPROF_HEAP_RULE_EVERY_MS;
	CHECK(xhprof_heap_rule_may_take(&taken, 4711, now) && xhprof_heap_rule_take(&taken, 4711, now));
	CHECK(!xhprof_heap_rule_may_take(&taken, 4711, now) && !xhprof_heap_rule_take(&taken, 4711, now + hour - 1));
	CHECK(!xhprof_heap_rule_take(&taken, 4711, now - 1));
	CHECK(xhprof_heap_rule_take(&taken, 4711, now + hour) && !xhprof_heap_rule_take(&taken, 4711, now + hour));
	CHECK(xhprof_heap_rule_take(&taken, 4194303, now + hour) &&
		  !xhprof_heap_rule_take(&taken, 4194303, now + hour + 1));
}

static void names_have_the_route(void)
{
	char name[XHPROF_HEAP_RULE_NAME + 1], route[1000], text[XHPROF_HEAP_RULE_TEXT];
	xhprof_heap_rule_name(name, "GET /cart/{id}/items", 4711, 12);
	CHECK(!strcmp(name, "heap_if-GET_cart_id_items-4711-12.heap.jsonl"));
	xhprof_heap_rule_name(name, "", 1, 1);
	CHECK(!strcmp(name, "heap_if-none-1-1.heap.jsonl"));
	xhprof_heap_rule_name(name, "../../\xff\n", 1, 1);
	CHECK(!strcmp(name, "heap_if-none-1-1.heap.jsonl"));
	memset(route, 'x', sizeof(route) - 1);
	route[sizeof(route) - 1] = '\0';
	xhprof_heap_rule_name(name, route, INT32_MAX, UINT64_MAX);
	CHECK(strlen(name) < XHPROF_HEAP_RULE_NAME && strstr(name, "-2147483647-18446744073709551615.heap.jsonl"));
	xhprof_heap_rule_text(text, "peak", 256 << 20);
	CHECK(!strcmp(text, "peak=256M"));
	xhprof_heap_rule_text(text, "kept", 1025);
	CHECK(!strcmp(text, "kept=1025"));
	xhprof_heap_rule_text(text, "kept", UINT64_C(1) << 53);
	CHECK(!strcmp(text, "kept=8388608G"));
}

int main(void)
{
	conditions_are_read();
	a_process_takes_one_per_hour();
	names_have_the_route();
	return unit_end();
}
