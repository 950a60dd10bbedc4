#include "php_threads.h"

#include "elf_image.h"
#include "process.h"

#include <dirent.h>
#include <stdlib.h>

#define MAX_DATA ((uint64_t)16 << 20) /* bytes of variables that are searched */
#define MAX_STEPS 100000u             /* of the search: blocks and entries that are read */
#define MAX_SLOTS 4096                /* of the list: as many as threads were expected */
#define BLOCK 512                     /* slots that are read at once */
#define MAX_RESOURCES 65536
#define DESCRIPTION 4096 /* bytes of a thread's description that are searched for its number */
#define LOWEST 65536     /* no memory is mapped below */
#define MAX_SYSTEM 65536 /* threads of the process, those without PHP too */

typedef struct system_thread {
	pid_t id;
	uint32_t own;
	uint64_t taken; /* the last place where a thread of PHP has this number, plus 1 */
} system_thread;

typedef struct system_threads {
	size_t count;
	system_thread *list; /* by `own` */
} system_threads;

typedef struct search {
	xhprof_remote *remote;
	const xhprof_thread_marks *marks;
	xhprof_threads *found;
	unsigned steps; /* so far */
} search;

/* ---- The engine's list -------------------------------------------------------------------------------------------------- */

static bool read_entry(xhprof_remote *remote, const xhprof_thread_marks *marks, xhprof_addr address,
					   xhprof_layout_thread *entry)
{
	if (address % 8 || address < LOWEST || !xhprof_remote_get(remote, address, entry, sizeof(*entry)) ||
		entry->count <= 0 || entry->count > MAX_RESOURCES) {
		return false;
	}
	for (size_t i = 0; i < 2; i++) {
		uint32_t id = marks->ids[i];
		if (id == 0 || id > (uint32_t)entry->count ||
			xhprof_remote_pointer(remote, (xhprof_addr)entry->storage + (id - 1) * sizeof(void *)) !=
				address + marks->offsets[i]) {
			return false;
		}
	}
	return true;
}

/* Adds the entries of a chain. False if it begins with something else. */
static bool add_chain(search *search, xhprof_addr address)
{
	xhprof_threads *found = search->found;
	xhprof_layout_thread entry;
	bool any = false;
	while (address && search->steps++ < MAX_STEPS && read_entry(search->remote, search->marks, address, &entry)) {
		for (size_t i = 0; i < found->count; i++) {
			if (found->list[i].entry == address) {
				return true;
			}
		}
		if (found->count == XHPROF_THREADS_MAX) {
			found->more = true;
			return true;
		}
		found->list[found->count++] = (xhprof_thread){.entry = address, .globals = entry};
		address = (xhprof_addr)entry.next;
		any = true;
	}
	return any;
}

/* Adds what the list at an address has, up to the first slot that is neither empty nor a chain: its length is unknown. */
static void add_list(search *search, xhprof_addr list)
{
	uint64_t slots[BLOCK];
	for (size_t slot = 0; slot < MAX_SLOTS && !search->found->more; slot++) {
		if (slot % BLOCK == 0) {
			uint64_t at = list + slot * sizeof(*slots);
			size_t left = 4096 - at % 4096, size = left < sizeof(slots) ? left : sizeof(slots);
			memset(slots, 0xff, sizeof(slots));
			if (search->steps++ >= MAX_STEPS || !xhprof_remote_get(search->remote, at, slots, size)) {
				return;
			}
			if (size < sizeof(slots)) {
				xhprof_remote_get(search->remote, at + size, (char *)slots + size, sizeof(slots) - size);
			}
		}
		uint64_t chain = slots[slot % BLOCK];
		if (chain && !add_chain(search, chain)) {
			return;
		}
	}
}

/* Tries each variable of the engine's file that had no value at first. */
static void search_variables(search *search, xhprof_addr base)
{
	xhprof_addr from, to;
	if (!xhprof_elf_variables(search->remote, base, &from, &to) || to - from > MAX_DATA) {
		return;
	}
	uint64_t first = (8 - from % 8) % 8;
	uint64_t count = to - from > first ? (to - from - first) / 8 : 0;
	for (uint64_t i = 0; i < count && search->found->count == 0; i++) {
		uint64_t list = xhprof_remote_pointer(search->remote, from + first + i * 8);
		if (list % 8 == 0 && list >= LOWEST && list >> 47 == 0) {
			add_list(search, list);
			search->found->table = search->found->count ? list : 0;
		}
	}
}

/* ---- The system's threads ----------------------------------------------------------------------------------------------- */

/* Returns the last number after "NSpid:": the thread's in its own namespace. */
static uint32_t own_number(pid_t pid, pid_t thread)
{
	static const char mark[] = "\nNSpid:";
	char name[64];
	xhprof_print_to(name, sizeof(name), "task/%d/status", (int)thread);
	char *status = xhprof_process_file(pid, name, NULL);
	const char *at = status ? strstr(status, mark) : NULL;
	uint32_t number = (uint32_t)thread;
	if (at) {
		at += sizeof(mark) - 1;
		const char *end = at + strcspn(at, "\n");
		while (end > at && end[-1] >= '0' && end[-1] <= '9') {
			end--;
		}
		number = (uint32_t)strtoul(end, NULL, 10);
	}
	free(status);
	return number;
}

static int by_own(const void *a, const void *b)
{
	const system_thread *one = a, *other = b;
	return one->own < other->own ? -1 : one->own > other->own;
}

/* Lists the threads that a core file has. */
static system_threads list_known(const xhprof_threads *threads)
{
	system_threads all = {.list = calloc(threads->known_count + 1, sizeof(system_thread))};
	for (size_t i = 0; all.list && i < threads->known_count; i++) {
		all.list[all.count++] = (system_thread){.id = threads->known[i], .own = (uint32_t)threads->known[i]};
	}
	if (all.count) {
		qsort(all.list, all.count, sizeof(*all.list), by_own);
	}
	return all;
}

/* Lists all threads of the process; `list` is NULL where there are no threads, or no memory. */
static system_threads list_system(pid_t pid)
{
	char path[64];
	system_threads all = {0};
	size_t room = 0;
	const struct dirent *entry;
	xhprof_print_to(path, sizeof(path), "/proc/%d/task", (int)pid);
	DIR *folder = opendir(path);
	while (folder && all.count < MAX_SYSTEM && (entry = readdir(folder))) {
		pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
		if (id <= 0) {
			continue;
		}
		if (all.count == room) {
			room = room ? 2 * room : 64;
			system_thread *more = realloc(all.list, room * sizeof(*more));
			if (!more) {
				break;
			}
			all.list = more;
		}
		all.list[all.count++] = (system_thread){.id = id, .own = own_number(pid, id)};
	}
	if (folder) {
		closedir(folder);
	}
	if (all.count) {
		qsort(all.list, all.count, sizeof(*all.list), by_own);
	}
	return all;
}

/* Takes the number of each thread from this place in its description; returns how many different ones are numbers of
 * threads. */
static size_t number_threads(xhprof_threads *threads, const char *descriptions, const system_threads *all,
							 uint64_t place)
{
	size_t numbered = 0;
	for (size_t i = 0; i < threads->count; i++) {
		xhprof_thread *thread = &threads->list[i];
		system_thread wanted = {0};
		memcpy(&wanted.own, descriptions + i * DESCRIPTION + place, sizeof(wanted.own));
		system_thread *found =
			all->count && wanted.own ? bsearch(&wanted, all->list, all->count, sizeof(wanted), by_own) : NULL;
		thread->known = thread->globals.thread + place;
		thread->own = wanted.own;
		thread->id = found && found->taken != place + 1 ? found->id : 0;
		if (thread->id) {
			found->taken = place + 1;
			numbered++;
		}
	}
	return numbered;
}

/* Reads what is readable of a thread's description: it may be the last thing in its memory. */
static void read_description(xhprof_remote *remote, xhprof_addr address, char *to)
{
	size_t first = 4096 - address % 4096 < DESCRIPTION ? 4096 - address % 4096 : DESCRIPTION;
	if (xhprof_remote_get(remote, address, to, first) && first < DESCRIPTION) {
		xhprof_remote_get(remote, address + first, to + first, DESCRIPTION - first);
	}
}

/* Finds the numbers of the threads. pthread_self() is the address of the C library's description of the thread, which
 * has its number at a place that depends on the library: it is the one where most threads have a number. */
static void find_numbers(xhprof_threads *threads, xhprof_remote *remote)
{
	system_threads all = threads->known ? list_known(threads) : list_system(remote->pid);
	char *descriptions = calloc(threads->count, DESCRIPTION);
	size_t most = 0, kept = 0, count = descriptions ? threads->count : 0;
	uint64_t best = 0;
	for (size_t i = 0; i < count; i++) {
		read_description(remote, threads->list[i].globals.thread, descriptions + i * DESCRIPTION);
	}
	for (uint64_t place = 0; place < DESCRIPTION && most < count; place += sizeof(uint32_t)) {
		size_t numbered = number_threads(threads, descriptions, &all, place);
		best = numbered > most ? place : best;
		most = numbered > most ? numbered : most;
	}
	for (size_t i = 0; i < all.count; i++) {
		all.list[i].taken = 0;
	}
	if (most) {
		number_threads(threads, descriptions, &all, best);
	}
	for (size_t i = 0; most && i < count; i++) {
		if (threads->list[i].id) { /* others have ended, or were not inherited by a fork */
			threads->list[kept++] = threads->list[i];
		}
	}
	threads->count = kept;
	free(descriptions);
	free(all.list);
}

static int by_number(const void *a, const void *b)
{
	const xhprof_thread *one = a, *other = b;
	return one->id < other->id ? -1 : one->id > other->id;
}

void xhprof_threads_find(xhprof_threads *threads, xhprof_remote *remote, xhprof_addr base,
						 const xhprof_thread_marks *marks)
{
	search search = {.remote = remote, .marks = marks, .found = threads};
	threads->count = 0;
	threads->more = false;
	if (threads->table) {
		add_list(&search, threads->table);
	} else {
		search_variables(&search, base);
	}
	if (threads->count) {
		find_numbers(threads, remote);
		qsort(threads->list, threads->count, sizeof(*threads->list), by_number);
	}
}

/* ---- One of them -------------------------------------------------------------------------------------------------------- */

bool xhprof_thread_is_there(const xhprof_thread *thread, xhprof_remote *remote, const xhprof_thread_marks *marks)
{
	xhprof_layout_thread entry;
	uint32_t own;
	return read_entry(remote, marks, thread->entry, &entry) && entry.thread == thread->globals.thread &&
		   xhprof_remote_get(remote, thread->known, &own, sizeof(own)) && own == thread->own;
}

xhprof_addr xhprof_thread_globals(const xhprof_thread *thread, xhprof_remote *remote, uint32_t id)
{
	return id > 0 && id <= (uint32_t)thread->globals.count
			   ? xhprof_remote_pointer(remote, (xhprof_addr)thread->globals.storage + (id - 1) * sizeof(void *))
			   : 0;
}
