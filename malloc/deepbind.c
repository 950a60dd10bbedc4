/* PHP loads its extensions with RTLD_DEEPBIND: they, and the libraries that come with them (SQLite, ...), then call the C
 * library's malloc() past a preloaded one. Without it they find ours, as they do where the system has no such flag. */
#include <dlfcn.h>
#include <string.h>

#ifdef RTLD_DEEPBIND
typedef void *(*open_library)(const char *path, int mode);

/* The dynamic linker looks at who calls it, for the caller's own search path. So it has to be a jump, which -O2 makes of a
 * call at the end; a compiler that does not only loses that path. */
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
