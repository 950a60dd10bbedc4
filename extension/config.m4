PHP_ARG_ENABLE([xhprof],
  [whether to enable the XHProf profiler],
  [AS_HELP_STRING([--enable-xhprof], [Enable the XHProf profiler])],
  [yes])

PHP_ARG_ENABLE([xhprof-dev],
  [whether to compile XHProf with developer warnings and assertions],
  [AS_HELP_STRING([--enable-xhprof-dev], [XHProf: -Wall -Wextra -Werror and internal assertions])],
  [no], [no])

dnl XHPROF_FLAGS(VARIABLE, FLAGS): adds flags that the compiler and the linker take without a word.
AC_DEFUN([XHPROF_FLAGS], [
  AC_MSG_CHECKING([whether $CC takes $2])
  xhprof_saved_cflags=$CFLAGS
  CFLAGS="$CFLAGS -Werror $2"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string.h>]], [[char text[64]; strcpy(text, "text"); return text[0] == 0;]])],
    [$1="$$1 $2"
    AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
  CFLAGS=$xhprof_saved_cflags
])

if test "$PHP_XHPROF" != "no"; then
  dnl Compiled, not run, so that it works when cross-compiling too.
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[]], [[typedef char pointer_has_64_bits[sizeof(void *) == 8 ? 1 : -1];]])],
    [], [AC_MSG_ERROR([XHProf needs a 64-bit PHP])])

  dnl All parts are compiled to notice an overflow, and have their table of functions read-only. A call pays nothing for it: what
  dnl runs for each has no array of its own. A sanitizer, or a build for a debugger, does without.
  XHPROF_HARDENING_CFLAGS=
  XHPROF_HARDENING_LDFLAGS=
  xhprof_optimized=no
  for xhprof_flag in $CFLAGS; do
    case $xhprof_flag in
      -O0) xhprof_optimized=no ;;
      -O*) xhprof_optimized=yes ;;
    esac
  done
  case "$CFLAGS $LDFLAGS" in
    *-fsanitize*) xhprof_optimized=no ;;
  esac
  if test "$xhprof_optimized" = "yes"; then
    XHPROF_FLAGS([XHPROF_HARDENING_CFLAGS], [-fstack-protector-strong])
    case "$CFLAGS $CPPFLAGS" in
      *_FORTIFY_SOURCE*) ;;
      *) XHPROF_FLAGS([XHPROF_HARDENING_CFLAGS], [-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2]) ;;
    esac
    XHPROF_FLAGS([XHPROF_HARDENING_LDFLAGS], [-Wl,-z,relro,-z,now])
  fi
  PHP_SUBST([XHPROF_HARDENING_CFLAGS])
  PHP_SUBST([XHPROF_HARDENING_LDFLAGS])
  XHPROF_SHARED_LIBADD="$XHPROF_SHARED_LIBADD $XHPROF_HARDENING_LDFLAGS"
  PHP_SUBST([XHPROF_SHARED_LIBADD])

  AC_CACHE_CHECK([for a cycle counter readable from user space], [xhprof_cv_cycle_counter],
    [AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[]], [[
#if defined(__x86_64__)
  unsigned hi, lo; __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi)); return (int) (lo + hi);
#elif defined(__aarch64__)
  unsigned long v; __asm__ volatile("mrs %0, cntvct_el0" : "=r"(v)); return (int) v;
#else
# error no counter known for this platform
#endif
    ]])], [xhprof_cv_cycle_counter=yes], [xhprof_cv_cycle_counter=no])])
  if test "$xhprof_cv_cycle_counter" = "yes"; then
    AC_DEFINE([XHPROF_HAVE_CYCLE_COUNTER], [1], [rdtsc or cntvct_el0 can be read])
  fi
  AC_CHECK_FUNCS([process_vm_readv mallinfo2])
  AC_CHECK_FUNC([pthread_create], [], [PHP_ADD_LIBRARY([pthread], [1], [XHPROF_SHARED_LIBADD])])
  AC_CHECK_HEADERS([sys/rseq.h])

  dnl Pairs of words moved as one vector, half of which was just stored alone, stall the hot path.
  XHPROF_CFLAGS="-fvisibility=hidden -fno-tree-slp-vectorize -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
  XHPROF_DEV_FLAGS="-Wall -Wextra -Wno-unused-parameter -DXHPROF_DEV=1"
  PHP_SUBST([XHPROF_DEV_FLAGS])
  if test "$PHP_XHPROF_DEV" != "no"; then
    XHPROF_CFLAGS="$XHPROF_CFLAGS $XHPROF_DEV_FLAGS -Werror"
  fi

  dnl tools/build.sh gives these flags to make for the tests: a build without them reads no clock of theirs.
  XHPROF_CFLAGS="$XHPROF_CFLAGS \$(XHPROF_DEV_CFLAGS)"

  dnl Calls of the engine go straight to it: a jump less per call, of which handlers on the heap make one per block.
  xhprof_no_plt=
  XHPROF_FLAGS([xhprof_no_plt], [-fno-plt])

  PHP_NEW_EXTENSION([xhprof], m4_normalize([
    xhprof.c program.c settings.c memory.c memprof.c tideways.c
    base/arena.c base/pool.c base/hash.c base/siphash.c base/own_memory.c base/process.c base/scratch.c base/table.c base/route.c base/secret.c base/redact.c base/trace_context.c base/operation_kind.c base/rule_text.c
    trace/clock.c trace/cpu_clock.c trace/cpu_meter.c trace/fiber_calls.c trace/parked.c trace/sample_tally.c trace/file_list.c trace/symbol.c trace/folded_calls.c trace/calltree.c trace/child_index.c trace/shedding.c trace/operations.c trace/contexts.c trace/timeline.c trace/tracer.c trace/overhead.c trace/sample_log.c trace/on_cpu.c trace/run_delay.c trace/alarm.c trace/sample_timer.c trace/columns.c trace/fold.c
    operation/sql_lexis.c operation/operation_sql.c operation/operation_text.c operation/operation_values.c operation/operation_curl.c operation/operation_subject.c
    alloc/block_map.c alloc/alloc_ledger.c alloc/alloc_peak.c alloc/alloc_sampling.c alloc/alloc_types.c alloc/mark_log.c alloc/alloc_dump.c alloc/carry.c
    heap/types.c heap/reader.c heap/zmm_layout.c heap/zmm.c heap/zmm_blocks.c heap/utf8_cut.c
    heap/walker_read.c heap/walker.c heap/walk_values.c heap/walk_resources.c heap/walk_containers.c heap/walk_objects.c heap/walk_frames.c heap/walk_code.c heap/walk_class.c heap/engine_parts.c heap/walk_callable.c heap/walk_engine.c heap/walk_statics.c heap/walk_collector.c heap/walk_roots.c heap/native_words.c heap/walk_native.c heap/walk_unreachable.c heap/walk.c heap/heap_engine.c
    hook/delegation.c hook/code_place.c hook/object_property.c hook/watched_call.c hook/call_label.c hook/function_name.c hook/known_function.c hook/operation_count.c hook/operation.c hook/hook_gc.c hook/hook_observer.c hook/hook_fiber.c hook/hook_compile.c hook/fork_watch.c hook/heap_usage.c hook/heap_peak.c hook/calibration.c
    hook/stack_reader.c hook/frameless.c hook/sampler.c hook/sample_line.c hook/stack_watch.c hook/wrapped_function.c hook/bare_heap.c hook/hook_alloc.c hook/native_alloc.c hook/block_types.c hook/alloc_tracking.c hook/profile_options.c hook/session.c hook/session_part.c hook/answer.c hook/answer_watch.c hook/outcome.c hook/termination.c hook/otel_context.c hook/code_context.c
    export/writer.c
    export/alloc_paths.c export/alloc_array.c export/alloc_callgrind.c export/alloc_heap_profile.c
    export/alloc_output.c export/alloc_rows.c export/alloc_json.c export/rlimit_guard.c export/atomic_file.c export/option.c
    export/heap_info.c export/heap_summary.c export/heap_jsonl.c export/json_layout.c export/heap_output.c export/heap_join.c export/heap_snapshot.c
    export/edge_name.c export/edge_requests.c export/sample_array.c export/run_file.c export/tree_sections.c export/sample_sections.c export/operation_sections.c export/context_sections.c export/timeline_sections.c export/memory_sections.c export/run_meta.c export/run_write.c
    export/run_directory.c export/edge_array.c export/tree_array.c export/git_revision.c export/run_info.c export/run_save.c
    folder/log_once.c folder/own_file.c folder/run_folder.c folder/run_saved.c folder/save_rule.c folder/heap_rule.c folder/snapshot_folder.c
    aggregate/window_clock.c aggregate/window_thread.c aggregate/distribution.c aggregate/exemplar.c aggregate/exemplar_sections.c aggregate/merged.c aggregate/route_waits.c aggregate/route_allocations.c aggregate/resident_memory.c aggregate/counting.c aggregate/job.c aggregate/aggregate_jobs.c aggregate/kept_memory.c aggregate/kept_blocks.c aggregate/spool_put.c aggregate/spool_record.c aggregate/spool_part.c aggregate/spool_read.c aggregate/merged_fold.c aggregate/spool.c aggregate/journal.c aggregate/aggregate_files.c aggregate/aggregate_run.c aggregate/aggregate_slot.c aggregate/aggregate.c
    request/trigger_secret.c request/request_trigger.c request/memprof_trigger.c request/framework_route.c request/request_route.c request/route_patterns.c request/url_route.c request/request_info.c request/run_order.c request/exec_check.c request/restart.c request/save_decision.c request/profile_start.c request/auto_profile.c request/given_request.c request/job_name.c request/open_span.c request/open_request.c request/worker_request.c request/worker_callback.c request/worker_runtime.c request/recording.c request/span.c request/span_object.c request/heap_on_limit.c request/heap_condition.c
  ]), [$ext_shared],, [$XHPROF_CFLAGS $XHPROF_HARDENING_CFLAGS $xhprof_no_plt])
  PHP_ADD_BUILD_DIR([$ext_builddir/base])
  PHP_ADD_BUILD_DIR([$ext_builddir/trace])
  PHP_ADD_BUILD_DIR([$ext_builddir/operation])
  PHP_ADD_BUILD_DIR([$ext_builddir/alloc])
  PHP_ADD_BUILD_DIR([$ext_builddir/heap])
  PHP_ADD_BUILD_DIR([$ext_builddir/hook])
  PHP_ADD_BUILD_DIR([$ext_builddir/export])
  PHP_ADD_BUILD_DIR([$ext_builddir/folder])
  PHP_ADD_BUILD_DIR([$ext_builddir/aggregate])
  PHP_ADD_BUILD_DIR([$ext_builddir/request])
  PHP_ADD_EXTENSION_DEP([xhprof], [json])
  xhprof_version=`cat "$ext_srcdir/VERSION"` || AC_MSG_ERROR([the file VERSION is missing beside config.m4])
  AC_DEFINE_UNQUOTED([PHP_XHPROF_VERSION], ["$xhprof_version"], [The version, of the file VERSION])

  dnl libxhprof_malloc.so and xhprof-inspect, where their sources are beside the extension: in the repository and its packages.
  PHP_SUBST([XHPROF_CFLAGS])
  for xhprof_program in malloc inspect; do
    AC_MSG_CHECKING([for the sources of $xhprof_program/])
    if test -e "$ext_srcdir/../$xhprof_program/Makefile.frag"; then
      AC_MSG_RESULT([yes])
      PHP_ADD_MAKEFILE_FRAGMENT([$ext_srcdir/../$xhprof_program/Makefile.frag])
    else
      AC_MSG_RESULT([no, it is not built])
    fi
  done
fi
