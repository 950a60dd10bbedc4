#include "save_rule.h"

#include "base/hash.h"
#include "base/rule_text.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define COUNTS 61
#define PATTERN_MAX 256 /* bytes, with the NUL: patterns are on the stack, and that of a fiber may be small */

/* The count of the runs that a condition has saved in the current minute. */
typedef struct save_count {
	uint64_t condition; /* hash of the condition's text; 0: this entry is free */
	uint64_t saved;     /* minute << 32 | runs */
} save_count;

static save_count own_counts[COUNTS + 1], *counts = own_counts; /* conditions without an entry share the last one */

typedef enum part_kind {
	PART_SLOWER,
	PART_FAILED,
	PART_PEAK,
	PART_ROUTE,
	PART_OPERATIONS, /* of any kind */
	PART_OPERATION
} part_kind;

/* One part of a condition. A condition is met if all of its parts are. */
typedef struct save_part {
	part_kind kind;
	xhprof_operation_kind operation;
	uint64_t number; /* ms, bytes, or operations */
	char pattern[PATTERN_MAX];
} save_part;

static bool is_operation(xhprof_rule_text name, xhprof_operation_kind *operation)
{
	for (int kind = 0; kind < XHPROF_OPERATION_KINDS; kind++) {
		if (xhprof_rule_text_is(name, xhprof_operation_kind_name((xhprof_operation_kind)kind))) {
			*operation = (xhprof_operation_kind)kind;
			return true;
		}
	}
	return false;
}

/* Reads one part of a condition. Returns NULL, or a message that says what is wrong. */
static const char *read_part(xhprof_rule_text text, save_part *part)
{
	xhprof_rule_text rest = text, name = xhprof_rule_text_next(&rest, '='),
					 value = xhprof_rule_text_trimmed(rest.at, rest.length);
	bool has_value = name.at + name.length < text.at + text.length;
	*part->pattern = '\0';
	if (xhprof_rule_text_is(name, "failed")) {
		part->kind = PART_FAILED;
		return has_value ? "\"failed\" takes no value" : NULL;
	}
	if (xhprof_rule_text_is(name, "route")) {
		part->kind = PART_ROUTE;
		if (!value.length || value.length >= sizeof(part->pattern)) {
			return "\"route\" needs a pattern of up to 255 bytes, as in route=GET /cart*";
		}
		memcpy(part->pattern, value.at, value.length);
		part->pattern[value.length] = '\0';
		return NULL;
	}
	if (xhprof_rule_text_is(name, "slower")) {
		part->kind = PART_SLOWER;
		return xhprof_rule_text_number(value, false, &part->number) ? NULL
																	: "\"slower\" needs milliseconds, as in slower=500";
	}
	if (xhprof_rule_text_is(name, "peak")) {
		part->kind = PART_PEAK;
		return xhprof_rule_text_number(value, true, &part->number) ? NULL : "\"peak\" needs bytes, as in peak=64M";
	}
	if (xhprof_rule_text_is(name, "operations") || is_operation(name, &part->operation)) {
		part->kind = xhprof_rule_text_is(name, "operations") ? PART_OPERATIONS : PART_OPERATION;
		return xhprof_rule_text_number(value, false, &part->number) ? NULL
																	: "it needs a number of operations, as in sql=100";
	}
	return "a condition is slower, failed, peak, route, operations, or a kind of operation as sql";
}

/* Takes the budget "@N" off the end of a condition. */
static bool read_budget(xhprof_rule_text *condition, uint64_t *budget)
{
	*budget = XHPROF_SAVE_BUDGET;
	size_t digits = 0;
	while (digits < condition->length) {
		char last = condition->at[condition->length - digits - 1];
		if (last < '0' || last > '9') {
			break;
		}
		digits++;
	}
	size_t rest = condition->length - digits;
	if (!rest || condition->at[rest - 1] != '@') {
		return true;
	}
	bool good = digits && xhprof_rule_text_number((xhprof_rule_text){condition->at + rest, digits}, false, budget) &&
				*budget <= UINT32_MAX;
	*condition = xhprof_rule_text_trimmed(condition->at, rest - 1);
	return good;
}

const char *xhprof_save_rule_mistake(const char *text, const char **at, size_t *length)
{
	save_part part;
	xhprof_rule_text rest = {text, strlen(text)};
	const char *mistake = rest.length < XHPROF_SAVE_RULE_MAX ? NULL : "it is too long";
	*at = text;
	*length = rest.length < 40 ? rest.length : 40;
	if (mistake || !xhprof_rule_text_trimmed(rest.at, rest.length).length) {
		return mistake;
	}
	do {
		xhprof_rule_text condition = xhprof_rule_text_next(&rest, ',');
		uint64_t budget;
		*at = condition.at;
		*length = condition.length;
		if (!read_budget(&condition, &budget)) {
			return "\"@\" is followed by a number of runs per minute";
		}
		do {
			xhprof_rule_text one = xhprof_rule_text_next(&condition, '&');
			*at = one.length ? one.at : *at;
			*length = one.length ? one.length : *length;
			mistake = one.length ? read_part(one, &part) : "a condition is missing";
		} while (!mistake && condition.length);
	} while (!mistake && rest.length);
	return mistake;
}

static bool condition_counts(xhprof_rule_text condition)
{
	save_part part;
	do {
		if (!read_part(xhprof_rule_text_next(&condition, '&'), &part) &&
			(part.kind == PART_OPERATION || part.kind == PART_OPERATIONS)) {
			return true;
		}
	} while (condition.length);
	return false;
}

bool xhprof_save_rule_counts(const char *text)
{
	xhprof_rule_text rest = {text, strlen(text)};
	while (rest.length && rest.length < XHPROF_SAVE_RULE_MAX) {
		xhprof_rule_text condition = xhprof_rule_text_next(&rest, ',');
		uint64_t budget;
		if (condition.length && read_budget(&condition, &budget) && condition_counts(condition)) {
			return true;
		}
	}
	return false;
}

static bool part_holds(const save_part *part, const xhprof_save_facts *facts)
{
	uint64_t sum = 0;
	switch (part->kind) {
		case PART_SLOWER:
			return facts->wall_us / 1000 >= part->number;
		case PART_FAILED:
			return facts->failed;
		case PART_PEAK:
			return facts->peak > part->number;
		case PART_ROUTE:
			return facts->route && fnmatch(part->pattern, facts->route, FNM_NOESCAPE) == 0;
		case PART_OPERATION:
			return facts->operations && facts->operations[part->operation] > part->number;
		default:
			for (int kind = 0; facts->operations && kind < XHPROF_OPERATION_KINDS; kind++) {
				sum += facts->operations[kind];
			}
			return facts->operations && sum > part->number;
	}
}

static bool condition_holds(xhprof_rule_text condition, const xhprof_save_facts *facts)
{
	save_part part;
	do {
		xhprof_rule_text one = xhprof_rule_text_next(&condition, '&');
		if (!one.length || read_part(one, &part) || !part_holds(&part, facts)) {
			return false;
		}
	} while (condition.length);
	return true;
}

static save_count *count_of(xhprof_rule_text condition)
{
	uint64_t hash = xhprof_hash_bytes(condition.at, condition.length, 0);
	hash += !hash;
	for (uint64_t i = 0; i < COUNTS; i++) {
		save_count *count = &counts[(hash + i) % COUNTS];
		uint64_t other = 0;
		if (__atomic_compare_exchange_n(&count->condition, &other, hash, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
			other == hash) {
			return count;
		}
	}
	return &counts[COUNTS];
}

static bool take_budget(save_count *count, uint64_t budget, uint64_t minute)
{
	uint64_t saved = __atomic_load_n(&count->saved, __ATOMIC_RELAXED), runs;
	do {
		runs = saved >> 32 == (minute & UINT32_MAX) ? saved & UINT32_MAX : 0;
		if (runs >= budget) {
			return false;
		}
	} while (!__atomic_compare_exchange_n(&count->saved, &saved, minute << 32 | (runs + 1), false, __ATOMIC_RELAXED,
										  __ATOMIC_RELAXED));
	return true;
}

bool xhprof_save_rule_met(const char *text, const xhprof_save_facts *facts, uint64_t minute,
						  char met[XHPROF_SAVE_RULE_MAX])
{
	xhprof_rule_text rest = {text, strlen(text)};
	*met = '\0';
	while (rest.length && rest.length < XHPROF_SAVE_RULE_MAX) {
		xhprof_rule_text condition = xhprof_rule_text_next(&rest, ','), all = condition;
		uint64_t budget;
		if (condition.length && read_budget(&condition, &budget) && condition_holds(condition, facts) &&
			take_budget(count_of(all), budget, minute)) {
			memcpy(met, condition.at, condition.length);
			met[condition.length] = '\0';
			return true;
		}
	}
	return false;
}

void xhprof_save_rule_minit(void)
{
	void *shared = mmap(NULL, sizeof(own_counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	counts = shared == MAP_FAILED ? own_counts : shared;
}

void xhprof_save_rule_mshutdown(void)
{
	if (counts != own_counts) {
		munmap(counts, sizeof(own_counts));
		counts = own_counts;
	}
}
