#include "unit.h"

#include "alloc/mark_log.h"

int main(void)
{
	xhprof_mark_log log = {0};
	xhprof_mark_log_name(&log, 1, 5); /* not made yet */
	CHECK(!log.jobs && !log.count);
	for (uint32_t mark = 1; mark <= 5000; mark++) {
		xhprof_mark_log_add(&log, mark, mark * 100);
		if (mark % 2) {
			xhprof_mark_log_name(&log, mark, mark);
		}
	}
	CHECK(log.count == 5000 && log.jobs == 2500);
	CHECK(log.entries[0].size == 100 && log.entries[4999].size == 500000);
	CHECK(log.entries[0].job == 1 && log.entries[1].job == 0 && log.entries[4998].job == 4999);
	xhprof_mark_log_name(&log, 4999, 7); /* a mark is the end of one job */
	xhprof_mark_log_name(&log, 2, 0);
	xhprof_mark_log_name(&log, 0, 3);
	xhprof_mark_log_name(&log, 5001, 3);
	CHECK(log.jobs == 2500 && log.entries[4998].job == 4999 && log.entries[1].job == 0);
	/* After a mark that was not kept the later ones are not either: their places would be wrong. */
	xhprof_mark_log_add(&log, 5002, 1);
	CHECK(log.count == 5000);
	xhprof_mark_log_release(&log);
	CHECK(!log.entries && !log.count && !log.jobs);
	xhprof_mark_log_add(&log, 1, 1);
	CHECK(log.count == 1);
	xhprof_mark_log_release(&log);
	return unit_end();
}
