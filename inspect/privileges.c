#include "privileges.h"

#include "process.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The address space that is reserved and seldom used: read caches. */
#define RESERVED ((rlim_t)1 << 30)

/* As <linux/capability.h> has them: not every system with a compiler has the kernel's headers. */
#define VERSION_3 0x20080522u
enum { DAC_OVERRIDE = 1, KILL = 5, SYS_PTRACE = 19 };

typedef struct capability_header {
	uint32_t version;
	int process; /* 0: this thread */
} capability_header;

typedef struct capability_data {
	uint32_t effective, permitted, inheritable;
} capability_data;

static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__ /* its shadow is larger than any memory */
	uint64_t available = xhprof_memory_available();
	struct rlimit limit;
	if (available && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur > available + RESERVED) {
		limit.rlim_cur = available + RESERVED;
		setrlimit(RLIMIT_AS, &limit);
	}
#endif
}

static void keep_capabilities(uint64_t kept)
{
	capability_header header = {VERSION_3, 0};
	capability_data data[2];
	/* Dropping those of programs to run needs CAP_SETPCAP, which is dropped with the others. */
	for (unsigned long i = 0; i < 64 && prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++) {
		if (!(kept >> i & 1)) {
			prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
		}
	}
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capget, &header, data) != 0) {
		return;
	}
	for (int i = 0; i < 2; i++) {
		data[i].permitted &= (uint32_t)(kept >> 32 * i);
		data[i].effective = data[i].permitted;
		data[i].inheritable = 0;
	}
	syscall(SYS_capset, &header, data);
}

void xhprof_privileges_drop(bool signals)
{
	const struct rlimit none = {0, 0};
	uint64_t kept = (uint64_t)1 << SYS_PTRACE | (uint64_t)1 << DAC_OVERRIDE;
	/* Files are the caller's, even if this program runs with another user's rights. */
	setfsgid(getgid());
	setfsuid(getuid());
	keep_capabilities(kept | (signals ? (uint64_t)1 << KILL : 0));
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &none);
	limit_memory();
}
