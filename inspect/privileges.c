#include "privileges.h"

#include "process.h"

#include <linux/capability.h>
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
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];
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
	uint64_t kept = (uint64_t)1 << CAP_SYS_PTRACE | (uint64_t)1 << CAP_DAC_OVERRIDE;
	/* Files are the caller's, even if this program runs with another user's rights. */
	setfsgid(getgid());
	setfsuid(getuid());
	keep_capabilities(kept | (signals ? (uint64_t)1 << CAP_KILL : 0));
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &none);
	limit_memory();
}
