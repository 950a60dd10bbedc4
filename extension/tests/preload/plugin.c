/* A library that program.c loads the way PHP loads its extensions. */
#include <stdlib.h>

__attribute__((visibility("default"))) void *plugin_allocate(size_t size);

void *plugin_allocate(size_t size)
{
	return malloc(size);
}
