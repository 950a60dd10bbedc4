/* Runs as files, when any system call may fail: whole, or absent. */
#include "unit.h"

#include "run_reader.h"

#include "export/run_write.h"

#include <inttypes.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Wrappers of the modules' system calls. With calls_left >= 0 that many succeed. */
static int calls_left = -1, calls_made;
static int shortest; /* makes write() write a part only */
static bool no_random_bytes;

static int call_fails(void)
{
	calls_made++;
	if (calls_left == 0) {
		errno = EIO;
		return 1;
	}
	calls_left -= calls_left > 0;
	return 0;
}

ssize_t getrandom(void *bytes, size_t length, unsigned int flags)
{
	if (no_random_bytes) {
		errno = EAGAIN;
		return -1;
	}
	return (ssize_t)syscall(SYS_getrandom, bytes, length, flags);
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	return call_fails() ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
	if (call_fails()) {
		return -1;
	}
	if (shortest && calls_made % 3 == 0) {
		errno = EINTR;
		return -1;
	}
	return syscall(SYS_write, fd, bytes, shortest && length > (size_t)shortest ? (size_t)shortest : length);
}

int openat(int at, const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	return call_fails() ? -1 : (int)syscall(SYS_openat, at, path, flags, mode);
}

int renameat(int from_at, const char *from, int to_at, const char *to)
{
	return call_fails() ? -1 : (int)syscall(SYS_renameat2, from_at, from, to_at, to, 0);
}

int close(int fd)
{
	int failed = call_fails();
	return syscall(SYS_close, fd) || failed ? -1 : 0;
}

static char folder[100] = "/tmp/xhprof-unit-XXXXXX";
static xhprof_tracer tracer;
static char frames[64];
static const char id[] = "0123456789abcdef0123456789abcdef";

static const xhprof_overhead overhead = {
	.known = true, .user = {12.34, 1, 5.0, 1}, .internal = {0.06, 1, 123456.789, 1}};
static xhprof_run_engine engine = {"cli", "8.2.0", "3.0.0", false, 1 << 20, 3, &overhead};
static xhprof_run_info run_info;
static xhprof_run run = {
	.tracer = &tracer, .directory = folder, .source = "auto", .id = id, .engine = &engine, .info = &run_info};

static void begin(uint32_t flags)
{
	static xhprof_heap_usage heap = {1000, 2000};
	xhprof_tracer_options options = {
		.flags = flags, .max_nodes = 100000, .clock = XHPROF_CLOCK_MONOTONIC, .cpu = XHPROF_CPU_SYSCALL, .heap = &heap};
	CHECK(xhprof_tracer_prepare(&tracer, &options));
}

static xhprof_symbol_ref function(int number)
{
	char name[400];
	int length = snprintf(name, sizeof(name), "a\"%0300d\xff\n", number);
	return xhprof_symbols_intern(&tracer.symbols, name, (size_t)length, 0, 0);
}

static void profile_exact(int functions)
{
	begin(XHPROF_TRACE_CPU | XHPROF_TRACE_MEMORY);
	xhprof_tracer_start(&tracer);
	for (int i = 0; i < functions; i++) {
		xhprof_symbol_ref symbol = function(i);
		xhprof_tracer_begin_any(&tracer, &frames[i % 8], symbol, 1);
		if (i % 8 == 7) {
			for (int j = 7; j >= 0; j--) {
				xhprof_tracer_end_any(&tracer, &frames[j]);
			}
		}
	}
	xhprof_tracer_stop(&tracer);
}

static void profile_sampled(xhprof_sample_clock clock, bool lines, bool only_counts)
{
	begin(clock == XHPROF_SAMPLE_CPU ? XHPROF_TRACE_CPU : 0);
	tracer.samples.clock = clock;
	tracer.samples.lines = lines;
	tracer.samples.only_counts = only_counts;
	tracer.sample_interval_us = 1000;
	tracer.tree.root->calls = 0; /* of samples */
	tracer.sample_epoch_us = UINT64_C(1700000000000000);
	xhprof_node *a = xhprof_calltree_child(&tracer.tree, tracer.tree.root, function(1));
	xhprof_node *b = xhprof_calltree_child(&tracer.tree, a, function(2));
	xhprof_node *c = xhprof_calltree_child(&tracer.tree, tracer.tree.root, function(3));
	xhprof_sample_log_add(&tracer.samples, 0, 2, b, 17);
	xhprof_sample_log_add(&tracer.samples, 2, 1, c, 18);
	xhprof_sample_log_add(&tracer.samples, 7, 1, tracer.tree.root, 19);
	xhprof_sample_log_add(&tracer.samples, 8, 3, a, 20);
	tracer.samples.delayed = 1;
	tracer.samples.dropped = 5;
	xhprof_tracer_stop_sampling(&tracer, 12345678);
}

static run_bytes written_run;

static const char *path_of_run(void)
{
	static char path[200];
	snprintf(path, sizeof(path), "%s/%s.auto.run", folder, id);
	return path;
}

static const run_bytes *read_run(void)
{
	run_read(&written_run, path_of_run());
	return &written_run;
}

static bool column_is(const char *section, const char *type, const char *values)
{
	const run_bytes *read = read_run();
	bool is = !strcmp(run_type(read, section), type) && !strcmp(run_column(read, section), values);
	if (!is) {
		printf("# %s: %s %s\n", section, run_type(read, section), run_column(read, section));
	}
	return is;
}

/* The number of files, of any name; removes all of them. */
static int empty_folder(void)
{
	int files = 0;
	char path[600];
	DIR *directory = opendir(folder);
	for (const struct dirent *entry; (entry = readdir(directory));) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) {
			snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
			unlink(path);
			files++;
		}
	}
	closedir(directory);
	return files;
}

static bool head_has(const char *part)
{
	bool found = strstr(read_run()->head, part) != NULL;
	if (!found) {
		printf("# %s\n", written_run.head);
	}
	return found;
}

/* The descriptor is that of the folder, also for who may search it only. */
static int write_counted(uint64_t *bytes)
{
	xhprof_run_written written;
	struct stat named, opened;
	char name[100];
	int error = xhprof_run_write(&run, &written);
	*bytes = written.bytes;
	snprintf(name, sizeof(name), "%s.auto.run", id);
	CHECK(fstat(written.folder, &opened) == 0 && stat(folder, &named) == 0 && opened.st_ino == named.st_ino &&
		  opened.st_dev == named.st_dev && faccessat(written.folder, name, F_OK, 0) == 0);
	CHECK(fcntl(written.folder, F_GETFD) == FD_CLOEXEC);
	syscall(SYS_close, written.folder);
	return error;
}

static void write_more(xhprof_json *json, const void *more)
{
	xhprof_json_uint(json, "more", *(const unsigned *)more);
}

static void metadata_is_written(void)
{
	static const unsigned number = 5;
	uint64_t bytes = 0;
	run_info = (xhprof_run_info){0};
	profile_exact(20);
	tracer.started = 1763733000.25;
	CHECK(write_counted(&bytes) == 0);
	CHECK(head_has("{\"v\":1,\"meta\":{\"v\":1,\"id\":\"0123456789abcdef0123456789abcdef\",\"source\":\"auto\",\"ts\":"
				   "1763733000.25,"));
	CHECK(head_has(",\"sapi\":\"cli\",\"host\":\"") &&
		  head_has(",\"php\":\"8.2.0\",\"zts\":false,\"version\":\"3.0.0\",\"pid\":"));
	CHECK(head_has(
		",\"peak_memory\":1048576,\"nodes\":21,\"nodes_dropped\":0,\"flags\":3,\"flag_names\":[\"CPU\",\"MEMORY\"],"));
	CHECK(head_has(",\"overhead\":{\"user\":{\"callee\":12.34,\"caller\":5.0,\"callee_cpu\":1.0,\"caller_cpu\":1.0},"
				   "\"internal\":{\"callee\":0.06,\"caller\":123456.789,\"callee_cpu\":1.0,\"caller_cpu\":1.0}},"));
	CHECK(head_has(",\"calls\":21,\"functions\":21,\"totals\":{\"wt\":") &&
		  head_has("},\"mode\":\"exact\"},\"tree\":{"));
	CHECK(read_run()->length == bytes && empty_folder() == 1);

	run_info = (xhprof_run_info){.start = "span",
								 .mode = "aggregate",
								 .name = "job \"\xff\"",
								 .route = "GET /x",
								 .method = "GET",
								 .url = "/x?y",
								 .host = "h",
								 .command = "php x",
								 .ended_by = "SIGTERM",
								 .judged = true,
								 .failed = true,
								 .other_fibers = 3,
								 .suspended_us = 1234,
								 .parent = "p",
								 .git = "g",
								 .status = 500,
								 .sample_rate = 0.01,
								 .user_meta = "[1]",
								 .user_meta_length = 3,
								 .write_more = write_more,
								 .more = &number};
	CHECK(xhprof_run_write(&run, NULL) == 0);
	CHECK(head_has(",\"method\":\"GET\",\"url\":\"/x?y\",\"status\":500,\"command\":\"php x\",\"host\":\"h\",\"php\""));
	CHECK(head_has("},\"start\":\"span\",\"mode\":\"aggregate\",\"name\":\"job \\\"\\\\xFF\\\"\",\"route\":\"GET /x\","
				   "\"ended_by\":\"SIGTERM\",\"failed\":true,\"other_fibers\":3,\"suspended_us\":1234,\"parent\":\"p\","
				   "\"sample_rate\":0.01,\"more\":5,\"meta\":[1]},\"tree\":{"));
	CHECK(head_has(",\"git\":\"g\","));
	char elapsed[128]; /* from begin to end */
	snprintf(elapsed, sizeof(elapsed), "\"duration_us\":%" PRIu64 ",\"elapsed_us\":%" PRIu64 ",\"sapi\"",
			 tracer.duration_ns / 1000, tracer.elapsed_ns / 1000);
	CHECK(head_has(elapsed));
	CHECK(empty_folder() == 1);
	run_info = (xhprof_run_info){.sample_rate = 1};
	mode_t before = umask(0002);
	CHECK(xhprof_run_write(&run, NULL) == 0 && head_has("\"sample_rate\":1.0},"));
	umask(before);
	struct stat info;
	CHECK(stat(path_of_run(), &info) == 0 && (info.st_mode & 0777) == 0640);
	CHECK(empty_folder() == 1);
	xhprof_tracer_release(&tracer);
}

static void samples_are_written(void)
{
	run_info = (xhprof_run_info){0};
	engine.overhead = NULL;
	profile_sampled(XHPROF_SAMPLE_WALL, true, false);
	CHECK(xhprof_run_write(&run, NULL) == 0);
	CHECK(head_has("\"mode\":\"sample\",\"samples\":7,\"sample_interval_us\":1000,\"sampling\":{\"clock\":\"wall\","
				   "\"taken\":4,\"overruns\":3,\"delayed\":1,\"dropped\":5}},\"tree\":{"));
	CHECK(head_has("\"duration_us\":12345,") && head_has("\"totals\":{\"wt\":12345}"));
	CHECK(head_has(",\"samples\":{\"interval_us\":1000,\"clock\":\"wall\",\"start_us\":1700000000000000},"));
	CHECK(column_is("samples.t", "u8", "0,2,7,8") && column_is("samples.n", "u8", "2,1,1,3"));
	CHECK(column_is("samples.node", "u8", "2,3,0,1") && column_is("samples.line", "u8", "17,18,19,20"));
	CHECK(head_has(",\"sampled\":{\"interval_us\":1000,\"clock\":\"wall\"},\"n\":4},"));
	CHECK(column_is("tree.fn", "u8", "0,2,3,4") && column_is("tree.depth", "u8", "0,1,2,1"));
	CHECK(column_is("tree.ct", "u8", "1,3,2,1"));
	CHECK(column_is("tree.self.wt", "u32", "1000000,3000000,2000000,1000000"));
	CHECK(empty_folder() == 1);
	profile_sampled(XHPROF_SAMPLE_CPU, false, false);
	CHECK(xhprof_run_write(&run, NULL) == 0);
	CHECK(head_has("\"sampling\":{\"clock\":\"cpu\",") && column_is("samples.line", "", "none"));
	CHECK(head_has(",\"unit\":{\"cpu\":\"ns\"},\"sampled\":{\"interval_us\":1000,\"clock\":\"cpu\"}"));
	CHECK(empty_folder() == 1);
	profile_sampled(XHPROF_SAMPLE_WALL, true, true);
	CHECK(xhprof_run_write(&run, NULL) == 0 && column_is("samples.t", "", "none") && empty_folder() == 1); /* no log */
	xhprof_tracer_release(&tracer);
	engine.overhead = &overhead;
}

/* Whichever call fails: an error, and no file is left. */
static void failed_call_leaves_no_file(bool sampled)
{
	int wrong = 0, made, mmaps, open_before = dup(0), unclean = 0;
	syscall(SYS_close, open_before);
	run_info = (xhprof_run_info){0};
	if (sampled) {
		profile_sampled(XHPROF_SAMPLE_WALL, true, false);
	} else {
		profile_exact(400);
	}
	calls_made = 0;
	CHECK(xhprof_run_write(&run, NULL) == 0);
	made = calls_made;
	empty_folder();
	int last = made - 1; /* closes the folder, when all is written */
	for (int i = 0; i < last; i++) {
		calls_left = i;
		wrong += xhprof_run_write(&run, NULL) != EIO;
		calls_left = -1;
		unclean += empty_folder() != 0;
	}
	CHECK(made > 4 && wrong == 0 && unclean == 0);
	calls_left = last;
	CHECK(xhprof_run_write(&run, NULL) == 0);
	calls_left = -1;
	unit_mmaps = 10000;
	CHECK(xhprof_run_write(&run, NULL) == 0);
	mmaps = 10000 - unit_mmaps;
	int files = empty_folder(), whole = 0;
	for (int i = 0; i < mmaps; i++) {
		unit_mmaps = i;
		int error = xhprof_run_write(&run, NULL);
		unit_mmaps = -1;
		int left = empty_folder();
		wrong += error ? error != ENOMEM || left != 0 : left != files;
		whole += !error; /* files made in another way without that memory */
	}
	CHECK(mmaps >= 3 && wrong == 0 && whole < mmaps);
	shortest = 100;
	CHECK(xhprof_run_write(&run, NULL) == 0 && empty_folder() == files);
	shortest = 0;
	int open_after = dup(0);
	syscall(SYS_close, open_after);
	CHECK(open_after == open_before);
	xhprof_tracer_release(&tracer);
}

/* A process that saves its third run asks for no memory, and writes what it would with new memory. */
static void kept_memory_serves_the_next_run(void)
{
	static run_bytes expected;
	xhprof_scratch scratch = {0};
	int same = 0, wrong = 0;
	run_info = (xhprof_run_info){0};
	profile_exact(1000);
	CHECK(xhprof_run_write(&run, NULL) == 0);
	CHECK(run_read(&expected, path_of_run()));
	tracer.scratch = &scratch;
	for (int round = 0; round < 4; round++) {
		empty_folder();
		unit_mmaps = round < 2 ? -1 : 0;
		CHECK(xhprof_run_write(&run, NULL) == 0);
		unit_mmaps = -1;
		same += read_run()->length == expected.length && !memcmp(written_run.bytes, expected.bytes, expected.length);
	}
	CHECK(same == 4 && scratch.size > 0 && !scratch.out);
	for (int mmaps = 0; mmaps < 20; mmaps++) { /* without memory at any moment */
		empty_folder();
		xhprof_scratch_trim(&scratch, 0);
		unit_mmaps = mmaps;
		int error = xhprof_run_write(&run, NULL);
		unit_mmaps = -1;
		wrong += scratch.out || (error ? error != ENOMEM || empty_folder() != 0 : empty_folder() != 1);
	}
	CHECK(wrong == 0);
	xhprof_scratch_trim(&scratch, 0);
	tracer.scratch = NULL;
	empty_folder();
	xhprof_tracer_release(&tracer);
}

static void unusable_paths_are_refused(void)
{
	char longer[5000], path[200];
	profile_exact(10);
	memset(longer, 'x', sizeof(longer));
	longer[0] = '/';
	longer[sizeof(longer) - 1] = '\0';
	run.directory = longer;
	CHECK(xhprof_run_write(&run, NULL) == ENAMETOOLONG);
	run.directory = "/nowhere/at/all";
	CHECK(xhprof_run_write(&run, NULL) == ENOENT);
	run.directory = folder;
	xhprof_run_written written = {.folder = 0};
	run.directory = "/dev/null";
	CHECK(xhprof_run_write(&run, &written) == ENOTDIR && written.folder == -1 && !written.bytes);
	run.directory = folder;
	/* A link in the temporary file's place is not followed. */
	snprintf(path, sizeof(path), "%s/.%s.run.tmp", folder, id);
	CHECK(symlink("/tmp/xhprof-unit-victim", path) == 0);
	CHECK(xhprof_run_write(&run, NULL) == EEXIST && access("/tmp/xhprof-unit-victim", F_OK) != 0);
	empty_folder();
	xhprof_tracer_release(&tracer);
}

/* A disk that is too small by any amount. Needs the right to mount one. */
static void full_disk_leaves_no_file(void)
{
	char *at = folder + strlen(folder);
	int wrong = 0, full = 0, whole = 0;
	memcpy(at, "/full", 6);
	mkdir(folder, 0700);
	if (mount("xhprof-unit", folder, "tmpfs", 0, "size=64k") != 0) {
		printf("# no disk is mounted: %s\n", strerror(errno));
		rmdir(folder);
		*at = '\0';
		return;
	}
	for (int functions = 8; functions < 400; functions += 8) {
		profile_exact(functions);
		int error = xhprof_run_write(&run, NULL), files = empty_folder();
		wrong += error ? error != ENOSPC || files != 0 : files != 1;
		full += error != 0;
		whole += !error;
	}
	CHECK(wrong == 0 && full > 0 && whole > 0);
	xhprof_tracer_release(&tracer);
	umount(folder);
	rmdir(folder);
	*at = '\0';
}

/* On a small stack, with the C library's heap locked, as after a signal at the wrong moment. */
static volatile int written = -1;

static void write_in_handler(int signal)
{
	(void)signal;
	written = xhprof_run_write(&run, NULL);
}

static void signal_handler_can_write(void)
{
	enum { STACK = 64 * 1024 };
	stack_t alternate = {.ss_sp = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
						 .ss_size = STACK};
	struct sigaction action = {.sa_handler = write_in_handler, .sa_flags = SA_ONSTACK};
	profile_exact(400);
	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	CHECK(written == 0 && empty_folder() == 1);
	alternate.ss_flags = SS_DISABLE;
	sigaltstack(&alternate, NULL);
	munmap(alternate.ss_sp, STACK);
	xhprof_tracer_release(&tracer);
}

static const char *decimal(double number, unsigned decimals)
{
	static xhprof_writer writer;
	static char out[64];
	xhprof_writer_init(&writer, -1);
	xhprof_write_decimal(&writer, number, decimals);
	memcpy(out, writer.buffer, writer.used);
	out[writer.used] = '\0';
	return out;
}

static void decimals_are_right(void)
{
	int wrong = 0;
	CHECK(!strcmp(decimal(0, 1), "0.0") && !strcmp(decimal(-0.04, 1), "0.0") && !strcmp(decimal(-1.25, 6), "-1.25"));
	CHECK(!strcmp(decimal(0.000001, 6), "0.000001") && !strcmp(decimal(0.99999999, 6), "1.0"));
	CHECK(!strcmp(decimal(1763733000.123456, 6), "1763733000.123456") && !strcmp(decimal(1e300, 6), "0.0"));
	CHECK(!strcmp(decimal(0.0 / 0.0, 1), "0.0") && !strcmp(decimal(1e12, 6), "1000000000000.0"));
	for (unsigned i = 0; i < 200000; i++) {
		double number = (double)(i * UINT64_C(2654435761) % 4000000000u) + (double)(i % 1000003) / 1000003.0;
		double off = strtod(decimal(number, 6), NULL) - number;
		wrong += off > 0.0000011 || off < -0.0000011;
	}
	CHECK(wrong == 0);
}

/* Two of this process, the next one of a child, and the one that this process makes meanwhile. */
static void ids_are_unique(bool without_random_bytes)
{
	char ids[4][XHPROF_RUN_ID_LENGTH + 1] = {{0}};
	int ends[2], status = 0;
	no_random_bytes = without_random_bytes;
	CHECK(pipe(ends) == 0);
	xhprof_run_make_id(ids[0]);
	xhprof_run_make_id(ids[1]);
	pid_t child = fork();
	xhprof_run_make_id(ids[2]);
	if (child == 0) {
		_exit(write(ends[1], ids[2], sizeof(ids[2])) != sizeof(ids[2]));
	}
	CHECK(read(ends[0], ids[3], sizeof(ids[3])) == sizeof(ids[3]));
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	close(ends[0]);
	close(ends[1]);
	no_random_bytes = false;
	for (int i = 0; i < 4; i++) {
		CHECK(strspn(ids[i], "0123456789abcdef") == XHPROF_RUN_ID_LENGTH);
		CHECK(ids[i][12] == '4' && strchr("89ab", ids[i][16])); /* a random UUID's version and variant */
		for (int j = 0; j < i; j++) {
			CHECK(strcmp(ids[i], ids[j]) != 0);
		}
	}
}

int main(void)
{
	CHECK(mkdtemp(folder) != NULL);
	ids_are_unique(false);
	ids_are_unique(true);
	metadata_is_written();
	samples_are_written();
	failed_call_leaves_no_file(false);
	failed_call_leaves_no_file(true);
	kept_memory_serves_the_next_run();
	unusable_paths_are_refused();
	full_disk_leaves_no_file();
	signal_handler_can_write();
	decimals_are_right();
	CHECK(rmdir(folder) == 0);
	return unit_end();
}
