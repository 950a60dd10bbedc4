#include "edge_name.h"

const char *const xhprof_figure_names[XHPROF_FIGURES] = {"ct", "wt", "cpu", "mu", "pmu"};
