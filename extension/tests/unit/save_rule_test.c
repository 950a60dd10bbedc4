#include "unit.h"

#include "folder/save_rule.h"

#include <sys/wait.h>
#include <unistd.h>

static char met[XHPROF_SAVE_RULE_MAX];

static bool holds(const char *text, const xhprof_save_facts *facts)
{
	static uint64_t minute; /* each question has one of its own */
	return xhprof_save_rule_met(text, facts, ++minute, met);
}

static void conditions_hold(void)
{
	uint64_t operations[XHPROF_OPERATION_KINDS] = {[XHPROF_OPERATION_SQL] = 101, [XHPROF_OPERATION_HTTP] = 5};
	xhprof_save_facts facts = {600000, 64 << 20, false, "GET /cart/{id}", operations};
	CHECK(holds("slower=600", &facts) && !strcmp(met, "slower=600") && !holds("slower=601", &facts) && !*met);
	CHECK(!holds("failed", &facts) && holds("peak=63M", &facts) && !holds("peak=64M", &facts));
	CHECK(holds("peak=1000", &facts) && holds("peak=1k", &facts) && !holds("peak=1G", &facts));
	CHECK(holds("sql=100", &facts) && !holds("sql=101", &facts) && holds("operations=105", &facts) &&
		  !holds("operations=106", &facts));
	CHECK(holds("route=GET /cart/*", &facts) && !holds("route=POST *", &facts) &&
		  holds("route=GET /ca[qr]t/{i?}", &facts));
	CHECK(holds(" route = GET /cart* & slower = 100 @ 5 ", &facts) == false); /* "@ 5" is no number of runs */
	CHECK(holds("failed, route=GET /cart*&slower=100@5", &facts) && !strcmp(met, "route=GET /cart*&slower=100"));
	CHECK(!holds("route=GET /cart*&failed", &facts) && !holds("", &facts));
	facts = (xhprof_save_facts){1, 0, true, NULL, NULL};
	CHECK(holds("failed", &facts) && !holds("route=*", &facts) && !holds("sql=0", &facts) &&
		  !holds("operations=0", &facts));
}

static void budgets_are_per_minute(void)
{
	const xhprof_save_facts facts = {.failed = true};
	unsigned saved = 0, other = 0;
	for (int i = 0; i < 100; i++) {
		saved += xhprof_save_rule_met("failed@7", &facts, 1000, met);
		other += xhprof_save_rule_met("slower=0, failed@7", &facts, 1000, met);
	}
	CHECK(saved == 7 && other == XHPROF_SAVE_BUDGET);
	CHECK(xhprof_save_rule_met("failed@7", &facts, 1001, met) && !xhprof_save_rule_met("failed@0", &facts, 1001, met));
	for (int i = 0; i < 200; i++) { /* more conditions than there are counts: the surplus shares one */
		char text[32];
		snprintf(text, sizeof(text), "failed&slower=0@%d", 1 + i);
		xhprof_save_rule_met(text, &facts, 2000, met);
	}
	CHECK(xhprof_save_rule_met("failed&peak=0", &facts, 3000, met) == false);
}

static void processes_share_them(void)
{
	const xhprof_save_facts facts = {.failed = true};
	int saved = 0, status;
	xhprof_save_rule_minit();
	for (int i = 0; i < 4; i++) {
		pid_t child = fork();
		if (!child) {
			int mine = 0;
			for (int j = 0; j < 5; j++) {
				mine += xhprof_save_rule_met("failed@9", &facts, 1000, met);
			}
			_exit(mine);
		}
		CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
		saved += WEXITSTATUS(status);
	}
	CHECK(saved == 9);
	xhprof_save_rule_mshutdown();
}

static bool is_mistake(const char *text, const char *at_text)
{
	const char *at;
	size_t length;
	const char *mistake = xhprof_save_rule_mistake(text, &at, &length);
	return mistake && length == strlen(at_text) && memcmp(at, at_text, length) == 0;
}

static void mistakes_are_found(void)
{
	static char longest[XHPROF_SAVE_RULE_MAX + 8] = "route=";
	const char *at;
	size_t length;
	const char *const good[] = {"",          "  ",         "slower=0", "failed",         "failed@3,slower=1@2",
								"route=/@a", "route=@x@1", "gc=1",     "peak=5K & sql=3"};
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		CHECK(xhprof_save_rule_mistake(good[i], &at, &length) == NULL);
	}
	CHECK(is_mistake("slow=5", "slow=5") && is_mistake("failed, slower=x", "slower=x") &&
		  is_mistake("slower", "slower"));
	CHECK(is_mistake("failed=1", "failed=1") && is_mistake("peak=5T", "peak=5T") && is_mistake("route=", "route="));
	CHECK(is_mistake("failed,,slower=1", "") && is_mistake("sql=-1", "sql=-1") &&
		  is_mistake("slower=5&nothing", "nothing"));
	CHECK(is_mistake("failed@99999999999", "failed@99999999999") &&
		  is_mistake("slower=99999999999999999999", "slower=99999999999999999999"));
	memset(longest + 6, 'x', sizeof(longest) - 7);
	CHECK(xhprof_save_rule_mistake(longest, &at, &length) &&
		  !xhprof_save_rule_met(longest, &(xhprof_save_facts){0}, 1, met));
}

static void conditions_of_operations_are_known(void)
{
	const char *const counting[] = {"sql=1", "slower=1, operations=5@3", "route=GET /a*&http=0",
									"failed,slower=1&gc=2"};
	const char *const others[] = {"", " ", "slower=5, failed@3", "route=sql=1", "peak=5M&route=operations=1"};
	for (size_t i = 0; i < sizeof(counting) / sizeof(*counting); i++) {
		CHECK(xhprof_save_rule_counts(counting[i]));
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		CHECK(!xhprof_save_rule_counts(others[i]));
	}
}

int main(void)
{
	conditions_of_operations_are_known();
	conditions_hold();
	budgets_are_per_minute();
	processes_share_them();
	mistakes_are_found();
	return unit_end();
}
