/* A program for tools/preload.sh: executes its arguments in order. Compiled for use with and without the library, and linked
 * with it. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../extension/base/malloc_api.h"
#include "../../malloc/xhprof_malloc.h"

#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0
#endif

static void *volatile kept;

/* The figures of the report. */
static void print_stats(void)
{
	xhprof_malloc_stats now;
	xhprof_malloc_read(&now);
	char line[200];
	int length = snprintf(line, sizeof(line), "%llu %llu %llu %llu %llu %llu\n", (unsigned long long)now.current_bytes,
						  (unsigned long long)now.current_blocks, (unsigned long long)now.peak_bytes,
						  (unsigned long long)now.total_bytes, (unsigned long long)now.allocations,
						  (unsigned long long)now.frees);
	if (write(STDOUT_FILENO, line, (size_t)length) != length) {
		_exit(9);
	}
}

/* musl knows the first thread's stack only as far as it has grown. */
__attribute__((noinline)) static void grow_stack(void)
{
	volatile char bytes[1 << 20];
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = 'x';
	}
}

__attribute__((noinline)) static void use_stack(void)
{
	volatile char bytes[20000];
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = 'x';
	}
}

static void on_change(void *cookie, uint64_t current)
{
	*(uint64_t *)cookie = current;
}

/* The header's functions, in one line. */
static void print_header(void)
{
	xhprof_malloc_stats before, after;
	uint64_t told = 0;
	xhprof_malloc_read(&before);
	xhprof_malloc_set_callback(on_change, &told);
	void *volatile block = malloc(100000);
	xhprof_malloc_set_callback(NULL, NULL);
	xhprof_malloc_read(&after);
	free(block);
	xhprof_malloc_reset_peak();
	grow_stack();
	void *mark = xhprof_stack_clear();
	use_stack();
	size_t used = xhprof_stack_usage(mark);
	uint64_t grown = after.current_bytes - before.current_bytes;
	xhprof_malloc_read(&after);
	printf("%s %s %s %s %s\n", xhprof_malloc_present() ? "present" : "absent",
		   grown >= 100000 && grown < 110000 ? "grown" : "same", told ? "told" : "silent",
		   used >= 20000 && used < 21000 ? "stack"
		   : used                        ? "wrong"
										 : "none",
		   after.peak_bytes == after.current_bytes ? "reset" : "kept");
	fflush(stdout);
}

static void *grow_slowly(void *argument)
{
	for (int i = 0; i < 300; i++) {
		free(malloc(50000));
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
	return argument;
}

static void ignore_block(void *context, void *block, size_t size, bool mine)
{
	(void)context, (void)block, (void)size, (void)mine;
}

static void end_in_handler(int number)
{
	(void)number;
	_exit(3);
}

/* On a stack of the traditional size. */
static void end_by_signal(void)
{
	static char bytes[8192];
	stack_t stack = {.ss_sp = bytes, .ss_size = sizeof(bytes)};
	struct sigaction action = {.sa_handler = end_in_handler, .sa_flags = SA_ONSTACK};
	if (sigaltstack(&stack, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0) {
		raise(SIGUSR1);
	}
}

/* Like PHP's extension. */
static void watch_and_unwatch(void)
{
	static const xhprof_malloc_watcher watcher = {ignore_block, ignore_block, NULL};
	const xhprof_malloc_api *api = dlsym(NULL, "xhprof_malloc_api");
	if (!api || !api->watch(&watcher)) {
		exit(9);
	}
	api->unwatch(&watcher);
}

/* By its name alone: this program's search path finds it. */
static void use_plugin(const char *name)
{
	void *plugin = dlopen(name, RTLD_NOW | RTLD_DEEPBIND), *(*allocate)(size_t) = NULL;
	if (plugin) {
		*(void **)&allocate = dlsym(plugin, "plugin_allocate");
	}
	if (!allocate) {
		printf("%s\n", dlerror());
		exit(9);
	}
	kept = allocate(300000);
}

static void wait_for(pid_t child)
{
	int status;
	if (waitpid(child, &status, 0) != child || status != 0) {
		_exit(9);
	}
}

static void run(const char *what)
{
	const char *value = strchr(what, '=') ? strchr(what, '=') + 1 : "";
	if (strncmp(what, "keep=", 5) == 0) {
		kept = malloc((size_t)atol(value));
	} else if (strncmp(what, "pass=", 5) == 0) {
		free(malloc((size_t)atol(value)));
	} else if (strncmp(what, "many=", 5) == 0) {
		for (int i = 0; i < atoi(value); i++) {
			free(malloc(1000));
		}
	} else if (strncmp(what, "plugin=", 7) == 0) {
		use_plugin(value);
	} else if (strcmp(what, "signal") == 0) {
		end_by_signal();
	} else if (strcmp(what, "watched") == 0) {
		watch_and_unwatch();
	} else if (strcmp(what, "slowly") == 0) {
		grow_slowly(NULL);
	} else if (strcmp(what, "threads") == 0) {
		pthread_t threads[4];
		for (int i = 0; i < 4; i++) {
			pthread_create(&threads[i], NULL, grow_slowly, NULL);
		}
		for (int i = 0; i < 4; i++) {
			pthread_join(threads[i], NULL);
		}
	} else if (strcmp(what, "pause") == 0) {
		nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	} else if (strcmp(what, "figures") == 0) {
		print_stats();
	} else if (strcmp(what, "header") == 0) {
		print_header();
	} else if (strcmp(what, "report") == 0) {
		xhprof_malloc_write_report(STDOUT_FILENO);
	} else if (strcmp(what, "closed") == 0) {
		fclose(stderr);
	} else if (strncmp(what, "data=", 5) == 0) { /* a file of data by the number of stderr */
		close(STDERR_FILENO);
		if (open(value, O_WRONLY | O_CREAT | O_TRUNC, 0666) != STDERR_FILENO ||
			write(STDERR_FILENO, "data\n", 5) != 5) {
			_exit(9);
		}
	} else if (strncmp(what, "folder=", 7) == 0) {
		if (chdir(value) != 0) {
			_exit(9);
		}
	} else if (strncmp(what, "chroot=", 7) == 0) {
		if (chroot(value) != 0 || chdir("/") != 0) {
			_exit(9);
		}
	} else if (strncmp(what, "user=", 5) == 0) {
		if (setuid((uid_t)atol(value)) != 0) {
			_exit(9);
		}
	} else if (strcmp(what, "nothing-open") == 0) {
		for (int fd = 0; fd < 1024; fd++) {
			close(fd);
		}
	} else if (strncmp(what, "all-open=", 9) == 0) { /* a file of data by every number */
		int file = open(value, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		for (int fd = 0; fd < 1024; fd++) {
			dup2(file, fd);
		}
		if (write(1000, "data\n", 5) != 5) {
			_exit(9);
		}
	} else if (strncmp(what, "remove=", 7) == 0) {
		if (unlink(value) != 0) {
			_exit(9);
		}
	} else if (strcmp(what, "fork") == 0) { /* the child does the rest, then the parent ends */
		pid_t child = fork();
		if (child != 0) {
			wait_for(child);
			exit(0);
		}
	} else if (strcmp(what, "daemon") == 0) { /* which has no output */
		if (fork() == 0) {
			fclose(stdout);
			fclose(stderr);
			nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
			_exit(0);
		}
	} else if (strcmp(what, "vfork") == 0) {
		pid_t child = vfork();
		if (child == 0) {
			_exit(0);
		}
		wait_for(child);
	} else if (strncmp(what, "exec=", 5) == 0) {
		execlp(value, value, (char *)NULL);
		_exit(9);
	} else if (strncmp(what, "exit=", 5) == 0) {
		exit(atoi(value));
	} else if (strncmp(what, "_exit=", 6) == 0) {
		_exit(atoi(value));
	} else {
		_exit(9);
	}
}

/* This program's destructor runs before those of the libraries: a block that they free is not left over. */
static void *freed_at_the_end;

__attribute__((destructor)) static void free_at_the_end(void)
{
	free(freed_at_the_end);
}

int main(int argc, char **argv)
{
	freed_at_the_end = malloc(1000000);
	for (int i = 1; i < argc; i++) {
		run(argv[i]);
	}
	return 0;
}
