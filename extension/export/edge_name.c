#include "edge_name.h"

const char *const xhprof_edge_metric_names[XHPROF_EDGE_METRICS] = {
	"ct", "wt", "cpu", "mu", "pmu", "allocated_bytes", "samples"};
