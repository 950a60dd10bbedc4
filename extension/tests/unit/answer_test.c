/* Where the time of a request is split. */
#include "unit.h"

#include "hook/answer.h"

static void time_ends_with_the_answer(void)
{
	xhprof_answer_time time = xhprof_answer_time_of(1000000, 3500000, 9000000);
	CHECK(time.early && time.wall_us == 2500 && time.after_us == 5500);
	time = xhprof_answer_time_of(1000000, 9000000, 9000000);
	CHECK(time.early && time.wall_us == 8000 && time.after_us == 0);
}

static void without_an_early_end_all_is_wall_time(void)
{
	xhprof_answer_time time = xhprof_answer_time_of(1000000, 0, 9000000);
	CHECK(!time.early && time.wall_us == 8000 && time.after_us == 0);
	time = xhprof_answer_time_of(1000000, 999999, 9000000); /* before it began */
	CHECK(!time.early && time.wall_us == 8000 && time.after_us == 0);
}

int main(void)
{
	time_ends_with_the_answer();
	without_an_early_end_all_is_wall_time();
	return unit_end();
}
