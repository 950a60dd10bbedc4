# xhprof-inspect beside the extension: a program of its own, which takes from PHP nothing but its headers. What of heap/ and
# export/ it does not use would need the engine: the linker drops it.
xhprof_inspect_own = $(wildcard $(srcdir)/../inspect/*.c)
xhprof_inspect_shared = $(wildcard $(srcdir)/heap/*.c $(srcdir)/base/*.c) \
  $(wildcard $(addprefix $(srcdir)/export/,writer.c json_layout.c atomic_file.c heap_info.c heap_summary.c heap_jsonl.c heap_output.c))
xhprof_inspect_objects = $(patsubst $(srcdir)/../inspect/%.c,xhprof-inspect.d/inspect/%.o,$(xhprof_inspect_own)) \
  $(patsubst $(srcdir)/%.c,xhprof-inspect.d/%.o,$(xhprof_inspect_shared))
xhprof_inspect_cflags = -DXHPROF_INSPECT_VERSION='"$(shell cat $(srcdir)/VERSION)"' -I. -I$(srcdir) $(XHPROF_CFLAGS) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wno-unused-parameter \
  -ffunction-sections -fdata-sections $(XHPROF_HARDENING_CFLAGS)

all build-modules: $(phplibdir)/xhprof-inspect

define xhprof_inspect_compile
@mkdir -p $(@D)
$(CC) $(COMMON_FLAGS) $(CFLAGS_CLEAN) $(EXTRA_CFLAGS) $(xhprof_inspect_cflags) -MMD -MP -c -o $@ $<
endef

xhprof-inspect.d/inspect/%.o: $(srcdir)/../inspect/%.c $(srcdir)/../inspect/Makefile.frag
	$(xhprof_inspect_compile)

xhprof-inspect.d/%.o: $(srcdir)/%.c $(srcdir)/../inspect/Makefile.frag
	$(xhprof_inspect_compile)

$(phplibdir)/xhprof-inspect: $(xhprof_inspect_objects)
	@mkdir -p $(phplibdir)
	$(CC) $(CFLAGS_CLEAN) $(EXTRA_CFLAGS) $(LDFLAGS) $(XHPROF_HARDENING_LDFLAGS) -Wl,--gc-sections -o $@ $(xhprof_inspect_objects) -lm

-include $(wildcard $(xhprof_inspect_objects:.o=.d))
