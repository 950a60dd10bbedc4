/* Takes RTLD_DEEPBIND from what PHP loads. PHP loads its extensions with this flag: they, and their libraries (SQLite,
 * ...), then call the C library's malloc() past a preloaded one. Without the flag they find ours, as on systems without
 * it. */
#include <dlfcn.h>
#include <string.h>

#ifdef RTLD_DEEPBIND
typedef void *(*open_library)(const char *path, int mode);

/* Loads a library without RTLD_DEEPBIND. The dynamic linker uses the caller's address, for its search path. So this has
 * to be a jump, which -O2 makes of a call at the end; with other compilers only that path is lost. */
__attribute__((visibility("default"))) void *dlopen(const char *path, int mode)
{
	static open_library next;
	open_library known = __atomic_load_n(&next, __ATOMIC_RELAXED);
	if (!known) {
		void *found = dlsym(RTLD_NEXT, "dlopen");
		memcpy(&known, &found, sizeof(known));
		__atomic_store_n(&next, known, __ATOMIC_RELAXED);
	}
	return known(path, mode & ~RTLD_DEEPBIND);
}
#endif
