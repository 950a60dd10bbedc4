/* Copies of this process's own memory, by both ways. */
#include "unit.h"

#include "base/arena.h"
#include "base/own_memory.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

typedef size_t (*copy_function)(const void *from, void *to, size_t size);

static bool refused;

static size_t by_call(const void *from, void *to, size_t size)
{
	return xhprof_own_memory_copy(from, to, size, &refused);
}

static void copies_what_is_mapped(copy_function copy)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = xhprof_pages_map(3 * page), bytes[PAGE];
	memset(pages, 5, 2 * page);
	pages[0] = 1;
	munmap(pages + 2 * page, page);
	CHECK(copy(pages, bytes, 100) == 100 && bytes[0] == 1 && bytes[99] == 5);
	CHECK(copy(pages + page - 50, bytes, 100) == 100 && bytes[0] == 5);
	CHECK(copy(pages + 2 * page - 10, bytes, 100) == 10 && bytes[9] == 5);
	CHECK(copy(pages + 2 * page, bytes, 8) == 0);
	CHECK(copy(NULL, bytes, 8) == 0);
	munmap(pages, 2 * page);
	CHECK(copy(pages, bytes, 8) == 0);
}

/* In a child, as it is for good. Returns whether the kernel now refuses the call. */
static bool forbid(int error)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(rules) / sizeof(*rules), rules};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static void says_what_is_forbidden(int error)
{
	pid_t child = fork();
	if (child == 0) {
		int from = 7, to = 0;
		if (!forbid(error)) {
			_exit(2);
		}
		bool forbidden = false;
		size_t got = xhprof_own_memory_copy(&from, &to, sizeof(to), &forbidden);
		bool refuses = got == 0 && forbidden;
		got = xhprof_own_memory_copy_by_file(&from, &to, sizeof(to));
		_exit(refuses && got == sizeof(to) && to == 7 ? 0 : 1);
	}
	int status = -1;
	CHECK(waitpid(child, &status, 0) == child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
		printf("# no filter of system calls can be set here\n");
		return;
	}
	CHECK(status == 0);
}

int main(void)
{
	int from = 7, to = 0;
	if (by_call(&from, &to, sizeof(to)) == 0 && refused) {
		printf("# this system refuses process_vm_readv()\n");
	} else {
		copies_what_is_mapped(by_call);
		CHECK(!refused);
		says_what_is_forbidden(EPERM);
		says_what_is_forbidden(ENOSYS);
	}
	copies_what_is_mapped(xhprof_own_memory_copy_by_file);
	return unit_end();
}
