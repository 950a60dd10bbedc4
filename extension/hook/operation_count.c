#include "operation_count.h"

#include "operation_subject.h"

void xhprof_operation_count_start(void)
{
	memset(XHPROF_G(operation_count).counts, 0, sizeof(XHPROF_G(operation_count).counts));
	XHPROF_G(operation_count).counting = XHPROF_G(operation_count).counted = true;
}

void xhprof_operation_count_stop(void)
{
	XHPROF_G(operation_count).counting = false;
}

void xhprof_operation_count_forget(void)
{
	XHPROF_G(operation_count).counting = XHPROF_G(operation_count).counted = false;
}

bool xhprof_operation_counting(void)
{
	return XHPROF_G(operation_count).counting;
}

const uint64_t *xhprof_operation_counts(void)
{
	return XHPROF_G(operation_count).counted ? XHPROF_G(operation_count).counts : NULL;
}

void xhprof_operation_count_engine(xhprof_operation_kind kind)
{
	if (XHPROF_G(operation_count).counting) {
		XHPROF_G(operation_count).counts[kind]++;
	}
}

void xhprof_operation_count_begin(const xhprof_operation_function *function, zend_execute_data *call)
{
	if (XHPROF_G(operation_count).counting && function->source != XHPROF_TEXT_MAY_ASK) {
		XHPROF_G(operation_count).counts[xhprof_operation_subject_kind(function, call)]++;
	}
}

void xhprof_operation_count_end(const xhprof_operation_function *function, const zval *return_value)
{
	if (function->source == XHPROF_TEXT_MAY_ASK && xhprof_operation_subject_asked(return_value)) {
		xhprof_operation_count_engine(function->kind);
	}
}
