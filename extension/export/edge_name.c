#include "edge_name.h"

const char *const xhprof_edge_metric_names[XHPROF_EDGE_METRICS] = {
#define NAME(name, key, ...) key,
	XHPROF_EDGE_FIGURES(NAME)
#undef NAME
};
