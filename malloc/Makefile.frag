# libxhprof_malloc.so beside the extension: for LD_PRELOAD, so with the C library alone, never instrumented by a sanitizer, and
# with no work left for the dynamic linker once it runs; -O2 also where the extension is built without, as it is in the way of
# every malloc(), and dlopen() needs its jump. Everything is compiled at once; it takes two seconds.
xhprof_malloc_sources = $(wildcard $(srcdir)/../malloc/*.c) $(srcdir)/base/redact.c $(srcdir)/base/secret.c
xhprof_malloc_cflags = -I$(srcdir) $(XHPROF_CFLAGS) -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -fPIC -fvisibility=hidden -pthread \
  -ftls-model=initial-exec -fno-plt -fno-builtin-malloc -fno-builtin-calloc -fno-builtin-realloc -fno-builtin-free \
  $(XHPROF_HARDENING_CFLAGS)
xhprof_malloc_ldflags = -shared -pthread -Wl,-z,relro,-z,now,-z,nodelete -Wl,-soname,libxhprof_malloc.so

all build-modules: $(phplibdir)/libxhprof_malloc.so

$(phplibdir)/libxhprof_malloc.so: $(xhprof_malloc_sources) $(wildcard $(srcdir)/../malloc/*.h $(srcdir)/base/*.h) $(srcdir)/../malloc/Makefile.frag
	@mkdir -p $(phplibdir)
	$(CC) $(CPPFLAGS) $(filter-out -fsanitize=%,$(CFLAGS_CLEAN) $(EXTRA_CFLAGS)) $(xhprof_malloc_cflags) \
	  $(filter-out -fsanitize=%,$(LDFLAGS)) $(xhprof_malloc_ldflags) -o $@ $(xhprof_malloc_sources) -ldl
