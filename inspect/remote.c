#include "remote.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096

size_t xhprof_remote_fetch_process(xhprof_remote *remote, xhprof_addr address, void *to, size_t size)
{
	struct iovec local = {to, size}, other = {(void *)address, size};
	ssize_t got = process_vm_readv(remote->pid, &local, 1, &other, 1, 0);
	if (got < 0 && errno == ESRCH) {
		remote->gone = true;
	}
	return got > 0 ? (size_t)got : 0;
}

/* Reads the readable pages of a line: also those behind an unreadable one. */
static void fill_line(xhprof_remote *remote, xhprof_remote_line *line, char *bytes, xhprof_addr address)
{
	size_t size = (size_t)1 << remote->line_bits, at = 0;
	line->pages = 0;
	while (at < size) {
		size_t pages = remote->fetch(remote, address + at, bytes + at, size - at) / PAGE;
		for (size_t i = 0; i < pages; i++) {
			line->pages |= (uint64_t)1 << (at / PAGE + i);
		}
		at += (pages + 1) * PAGE;
	}
}

/* Puts the patched pointer into what was read. It is read as a whole. */
static void patch_pointer(const xhprof_remote *remote, xhprof_addr address, char *to, size_t size)
{
	uint64_t at = remote->patch_address - address;
	if (remote->patch_address >= address && at < size && size - at >= sizeof(remote->patch_value)) {
		memcpy(to + at, &remote->patch_value, sizeof(remote->patch_value));
	}
}

bool xhprof_remote_page_map(xhprof_reader *reader, xhprof_addr address, uint64_t *entries, size_t count)
{
	const xhprof_remote *remote = (const xhprof_remote *)reader;
	return xhprof_reader_page_entries(remote->page_map, (size_t)sysconf(_SC_PAGESIZE), address, entries, count);
}

static bool copy_remote(xhprof_reader *reader, xhprof_addr address, void *to, size_t size)
{
	xhprof_remote *remote = (xhprof_remote *)reader;
	char *target = to;
	const uint64_t first_address = address;
	const size_t total_size = size;
	if (address + size < address) {
		return false;
	}
	while (size > 0) {
		uint64_t number = address >> remote->line_bits;
		size_t index = number & (remote->line_count - 1);
		xhprof_remote_line *line = &remote->lines[index];
		char *bytes = remote->bytes + (index << remote->line_bits);
		if (line->number != number + 1) {
			line->number = number + 1;
			fill_line(remote, line, bytes, number << remote->line_bits);
		}
		size_t at = address & (((size_t)1 << remote->line_bits) - 1);
		size_t part = PAGE - at % PAGE;
		part = part < size ? part : size;
		if (!(line->pages >> (at / PAGE) & 1)) {
			remote->lost = remote->lost || (remote->gone && xhprof_reader_region(reader, address));
			return false;
		}
		memcpy(target, bytes + at, part);
		target += part;
		address += part;
		size -= part;
	}
	if (remote->patch_address) {
		patch_pointer(remote, first_address, to, total_size);
	}
	return true;
}

bool xhprof_remote_open_with(xhprof_remote *remote, unsigned line_bits, size_t lines,
							 size_t (*fetch)(xhprof_remote *, uint64_t, void *, size_t), void *context)
{
	memset(remote, 0, sizeof(*remote));
	remote->reader.copy = copy_remote;
	remote->page_map = -1;
	remote->fetch = fetch;
	remote->context = context;
	remote->line_bits = line_bits;
	remote->line_count = lines;
	remote->lines = xhprof_pages_map(lines * sizeof(*remote->lines));
	remote->bytes = xhprof_pages_reserve(lines << line_bits);
	if (!remote->lines || !remote->bytes) {
		xhprof_remote_close(remote);
		return false;
	}
	return true;
}

bool xhprof_remote_open(xhprof_remote *remote, pid_t pid, unsigned line_bits, size_t lines)
{
	char path[64];
	if (!xhprof_remote_open_with(remote, line_bits, lines, xhprof_remote_fetch_process, NULL)) {
		return false;
	}
	remote->pid = pid;
	xhprof_print_to(path, sizeof(path), "/proc/%d/pagemap", (int)pid);
	remote->page_map = open(path, O_RDONLY | O_CLOEXEC);
	xhprof_remote_of_process(remote);
	return true;
}

void xhprof_remote_of_process(xhprof_remote *remote)
{
	remote->fetch = xhprof_remote_fetch_process;
	remote->context = NULL;
	remote->reader.page_map = remote->page_map >= 0 ? xhprof_remote_page_map : NULL;
	xhprof_remote_forget(remote);
}

void xhprof_remote_close(xhprof_remote *remote)
{
	xhprof_pages_unmap(remote->lines, remote->line_count * sizeof(*remote->lines));
	xhprof_pages_unmap(remote->bytes, remote->line_count << remote->line_bits);
	if (remote->page_map >= 0) {
		close(remote->page_map);
	}
	remote->lines = NULL;
	remote->bytes = NULL;
	remote->page_map = -1;
}

void xhprof_remote_forget(xhprof_remote *remote)
{
	memset(remote->lines, 0, remote->line_count * sizeof(*remote->lines));
}

bool xhprof_remote_read(xhprof_remote *remote, const xhprof_remote_range *ranges, size_t count)
{
	struct iovec local[XHPROF_REMOTE_RANGES], other[XHPROF_REMOTE_RANGES];
	size_t wanted = 0;
	if (!remote->pid) { /* a file, which does not change */
		bool read = true;
		for (size_t i = 0; i < count && read; i++) {
			read = remote->fetch(remote, ranges[i].address, ranges[i].to, ranges[i].size) == ranges[i].size;
		}
		return read;
	}
	for (size_t i = 0; i < count; i++) {
		local[i] = (struct iovec){ranges[i].to, ranges[i].size};
		other[i] = (struct iovec){(void *)ranges[i].address, ranges[i].size};
		wanted += ranges[i].size;
	}
	ssize_t got = process_vm_readv(remote->pid, local, count, other, count, 0);
	remote->gone = remote->gone || (got < 0 && errno == ESRCH);
	return got >= 0 && (size_t)got == wanted;
}

bool xhprof_remote_c_string(xhprof_remote *remote, xhprof_at where, char *to, size_t size)
{
	xhprof_addr address = where.number;
	size_t length = 0;
	while (length < size - 1 && xhprof_remote_get(remote, address + length, to + length, 1) && to[length]) {
		length++;
	}
	to[length] = '\0';
	return length > 0;
}
