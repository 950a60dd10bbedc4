/* A dlsym() that allocates, like those of older C libraries, and before any symbol is resolved. Preloaded after the library. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int calls;

__attribute__((visibility("default"))) void *dlsym(void *restrict handle, const char *restrict name)
{
	static void *(*real)(void *, const char *);
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.0"};
	for (size_t i = 0; !real && i < sizeof(versions) / sizeof(versions[0]); i++) {
		*(void **)&real = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
	}
	unsigned char *zeros = calloc(5, 100);
	for (int i = 0; i < 500; i++) {
		if (zeros[i] != 0) {
			abort();
		}
	}
	memset(zeros, 'x', 500);
	if (calls++ % 2) {
		zeros = realloc(zeros, 700);
		if (zeros[499] != 'x') {
			abort();
		}
		free(zeros);
	}
	return real(handle, name);
}
