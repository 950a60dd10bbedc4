#include "heap_rule.h"

#include "base/rule_text.h"

#include <stdio.h>
#include <string.h>

#define ROUTE_MAX 80 /* bytes of the route in a name */
#define TIME_BITS 42
#define TIME_MASK ((UINT64_C(1) << TIME_BITS) - 1)

static const char allowed[] = "take kept=BYTES and peak=BYTES, each once, as in kept=50M, peak=256M";

const char *xhprof_heap_rule_read(const char *text, xhprof_heap_rule *rule, const char **at, size_t *length)
{
	xhprof_rule_text rest = {text, strlen(text)};
	*rule = (xhprof_heap_rule){0};
	*at = text;
	*length = rest.length < 40 ? rest.length : 40;
	if (rest.length >= XHPROF_HEAP_RULE_MAX) {
		return "it is too long";
	}
	if (!xhprof_rule_text_trimmed(rest.at, rest.length).length) {
		return NULL;
	}
	bool more;
	do {
		more = memchr(rest.at, ',', rest.length) != NULL;
		xhprof_rule_text condition = xhprof_rule_text_next(&rest, ','), value = condition;
		*at = condition.at;
		*length = condition.length;
		xhprof_rule_text name = xhprof_rule_text_next(&value, '=');
		uint64_t *bytes = xhprof_rule_text_is(name, "kept")   ? &rule->kept
						  : xhprof_rule_text_is(name, "peak") ? &rule->peak
															  : NULL;
		value = xhprof_rule_text_trimmed(value.at, value.length);
		if (!bytes || *bytes || !xhprof_rule_text_number(value, true, bytes) || !*bytes) {
			return allowed;
		}
	} while (more);
	return NULL;
}

void xhprof_heap_rule_text(char to[XHPROF_HEAP_RULE_TEXT], const char *name, uint64_t bytes)
{
	static const char units[] = "KMG";
	size_t unit = 0;
	for (; unit < sizeof(units) - 1 && bytes % 1024 == 0; unit++) {
		bytes /= 1024;
	}
	snprintf(to, XHPROF_HEAP_RULE_TEXT, "%s=%llu%.*s", name, (unsigned long long)bytes, unit ? 1 : 0,
			 unit ? units + unit - 1 : "");
}

/* The state has the number of the process above the time of its last snapshot. */
static bool is_due(uint64_t state, pid_t pid, uint64_t ms)
{
	uint64_t last = state & TIME_MASK;
	return !state || state >> TIME_BITS != (uint64_t)pid || ms >= last + XHPROF_HEAP_RULE_EVERY_MS;
}

bool xhprof_heap_rule_may_take(const uint64_t *taken, pid_t pid, uint64_t ms)
{
	return is_due(__atomic_load_n(taken, __ATOMIC_RELAXED), pid, ms & TIME_MASK);
}

bool xhprof_heap_rule_take(uint64_t *taken, pid_t pid, uint64_t ms)
{
	uint64_t before = __atomic_load_n(taken, __ATOMIC_RELAXED);
	ms &= TIME_MASK;
	do {
		if (!is_due(before, pid, ms)) {
			return false;
		}
	} while (!__atomic_compare_exchange_n(taken, &before, (uint64_t)pid << TIME_BITS | ms, false, __ATOMIC_RELAXED,
										  __ATOMIC_RELAXED));
	return true;
}

static bool is_plain(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

void xhprof_heap_rule_name(char to[XHPROF_HEAP_RULE_NAME + 1], const char *route, pid_t pid, uint64_t ms)
{
	char name[ROUTE_MAX + 1];
	size_t length = 0;
	for (; *route && length < ROUTE_MAX; route++) {
		if (is_plain(*route)) {
			name[length++] = *route;
		} else if (length && name[length - 1] != '_') {
			name[length++] = '_';
		}
	}
	while (length && name[length - 1] == '_') {
		length--;
	}
	name[length] = '\0';
	snprintf(to, XHPROF_HEAP_RULE_NAME + 1, "heap_if-%s-%ld-%llu.heap.jsonl", length ? name : "none", (long)pid,
			 (unsigned long long)ms);
}
