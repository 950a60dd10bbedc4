#include "answer.h"

const char *const xhprof_answer_functions[XHPROF_ANSWER_FUNCTIONS] = {"fastcgi_finish_request",
																	  "litespeed_finish_request"};

xhprof_answer_time xhprof_answer_time_of(uint64_t started_ns, uint64_t finished_ns, uint64_t now_ns)
{
	xhprof_answer_time time = {.early = finished_ns >= started_ns && finished_ns <= now_ns && finished_ns};
	uint64_t answered_ns = time.early ? finished_ns : now_ns;
	time.wall_us = (answered_ns - started_ns) / 1000;
	time.after_us = (now_ns - answered_ns) / 1000;
	return time;
}
