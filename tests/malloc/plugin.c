/* A library that program.c loads as PHP loads extensions; also preloaded, for blocks that libraries free at the very end. */
#include <stdlib.h>

__attribute__((visibility("default"))) void *plugin_allocate(size_t size);

void *plugin_allocate(size_t size)
{
	return malloc(size);
}

static void *until_the_end;

__attribute__((constructor)) static void begin(void)
{
	until_the_end = malloc(3000000);
}

__attribute__((destructor)) static void end(void)
{
	free(until_the_end);
}
