/* A few lines of TAP for the C tests of the modules that know nothing of PHP. */
#ifndef XHPROF_UNIT_H
#define XHPROF_UNIT_H

#include <stdio.h>
#include <string.h>

static int unit_tests, unit_failures;

#define CHECK(condition) unit_check((condition), #condition, __FILE__, __LINE__)

static void unit_check(int ok, const char *what, const char *file, int line)
{
	unit_tests++;
	unit_failures += !ok;
	printf("%sok %d - %s (%s:%d)\n", ok ? "" : "not ", unit_tests, what,
		   strrchr(file, '/') ? strrchr(file, '/') + 1 : file, line);
}

static int unit_end(void)
{
	printf("1..%d\n", unit_tests);
	return unit_failures != 0;
}

#endif
