#include "core_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_SEGMENTS 1000000u
#define MAX_NOTES ((uint64_t)64 << 20)
#define MAX_THREADS 65536u
#define MAX_ADDRESS ((uint64_t)1 << 47) /* of programs; the kernel's own page is above */
#define MAX_MEMORY ((uint64_t)1 << 40)  /* bytes in the file: of all segments */

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#define STACK_REGISTER 19 /* rsp in struct user_regs_struct */
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#define STACK_REGISTER 31 /* sp in struct user_pt_regs */
#else
#define MACHINE EM_NONE
#define STACK_REGISTER 0
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTE_ORDER_HERE ELFDATA2LSB
#else
#define BYTE_ORDER_HERE ELFDATA2MSB
#endif

static const char damaged[] = "it is damaged", no_memory[] = "not enough memory for its lists";

bool xhprof_core_read(int file, void *to, size_t size, uint64_t offset)
{
	char *at = to;
	while (size > 0) {
		ssize_t got = offset <= INT64_MAX ? pread(file, at, size, (off_t)offset) : 0;
		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got <= 0) {
			return false;
		}
		at += got;
		size -= (size_t)got;
		offset += (uint64_t)got;
	}
	return true;
}

bool xhprof_core_is_own_machine(const void *bytes, const char **why)
{
	const Elf64_Ehdr *header = bytes; /* e_machine is at the same place in a header of 32 bits */
	*why = memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ? "it is not an ELF file"
		   : header->e_ident[EI_CLASS] == ELFCLASS32     ? "it is of a process of 32 bits"
		   : header->e_ident[EI_CLASS] != ELFCLASS64     ? damaged
		   : header->e_ident[EI_DATA] != BYTE_ORDER_HERE ? "it is of a machine with another byte order"
		   : header->e_machine != MACHINE                ? "it is of a machine with another processor"
		   : header->e_ident[EI_VERSION] != EV_CURRENT   ? "it is of an unknown version of ELF"
														 : NULL;
	return !*why;
}

/* ---- Notes ----------------------------------------------------------------------------------------------------------------- */

static void take_status(xhprof_core_file *core, const char *note, size_t size)
{
	struct elf_prstatus status;
	if (size < sizeof(status) || core->thread_count == MAX_THREADS) {
		return;
	}
	memcpy(&status, note, sizeof(status));
	if (core->thread_count % 64 == 0) {
		pid_t *more = realloc(core->threads, (core->thread_count + 64) * sizeof(*more));
		if (!more) {
			return;
		}
		core->threads = more;
	}
	if (core->thread_count == 0) { /* the thread that has received it */
		core->signal = status.pr_cursig;
	}
	core->threads[core->thread_count++] = status.pr_pid;
	if (core->thread_count == 1 || status.pr_pid == core->pid) {
		uint64_t registers[sizeof(status.pr_reg) / sizeof(uint64_t)];
		memcpy(registers, &status.pr_reg, sizeof(registers));
		core->stack = registers[STACK_REGISTER];
	}
}

static void take_arguments(xhprof_core_file *core, const char *note, size_t size)
{
	struct elf_prpsinfo info;
	if (size < sizeof(info)) {
		return;
	}
	memcpy(&info, note, sizeof(info));
	core->pid = info.pr_pid > 0 ? info.pr_pid : 0;
	size_t length = strnlen(info.pr_psargs, sizeof(info.pr_psargs));
	length = length < sizeof(core->arguments) - 2 ? length : sizeof(core->arguments) - 2;
	for (size_t i = 0; i < length; i++) {
		core->arguments[i] = info.pr_psargs[i] == ' ' ? '\0' : info.pr_psargs[i];
	}
	while (length && !core->arguments[length - 1]) {
		length--;
	}
	core->arguments_length = length;
}

static void take_vector(xhprof_core_file *core, const char *note, size_t size)
{
	Elf64_auxv_t entry;
	for (size_t at = 0; size - at >= sizeof(entry); at += sizeof(entry)) {
		memcpy(&entry, note + at, sizeof(entry));
		if (entry.a_type == AT_PHDR) {
			core->program = entry.a_un.a_val;
		}
	}
}

static int by_address(const void *a, const void *b)
{
	const xhprof_core_mapped *one = a, *other = b;
	return one->from < other->from ? -1 : one->from > other->from;
}

/* Reads the list of mapped files: their number, the bytes of a page, three numbers for each, and their names. */
static const char *take_files(xhprof_core_file *core, char *note, size_t size)
{
	uint64_t head[2], entry[3];
	if (core->mapped || size < sizeof(head)) {
		return core->mapped ? NULL : damaged;
	}
	memcpy(head, note, sizeof(head));
	uint64_t count = head[0], page = head[1];
	if (count > (size - sizeof(head)) / sizeof(entry) || page == 0 || page > 1 << 24) {
		return damaged;
	}
	core->mapped = calloc(count + 1, sizeof(*core->mapped));
	if (!core->mapped) {
		return no_memory;
	}
	char *name = note + sizeof(head) + count * sizeof(entry), *end = note + size;
	for (uint64_t i = 0; i < count; i++) {
		memcpy(entry, note + sizeof(head) + i * sizeof(entry), sizeof(entry));
		char *next = name < end ? memchr(name, '\0', (size_t)(end - name)) : NULL;
		if (!next || entry[2] > UINT64_MAX / page) {
			return damaged;
		}
		for (char *c = name; c < next; c++) {
			*c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
		}
		if (entry[0] < entry[1] && entry[1] <= MAX_ADDRESS && entry[0] % XHPROF_CORE_PAGE == 0) {
			core->mapped[core->mapped_count++] = (xhprof_core_mapped){entry[0], entry[1], entry[2] * page, name};
		}
		name = next + 1;
	}
	qsort(core->mapped, core->mapped_count, sizeof(*core->mapped), by_address);
	for (size_t i = 1; i < core->mapped_count; i++) {
		if (core->mapped[i].from < core->mapped[i - 1].to) {
			return damaged;
		}
	}
	return NULL;
}

static const char *read_notes(xhprof_core_file *core, char *notes, size_t size)
{
	size_t at = 0;
	while (size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr head;
		memcpy(&head, notes + at, sizeof(head));
		at += sizeof(head);
		size_t name = ((size_t)head.n_namesz + 3) & ~(size_t)3, length = ((size_t)head.n_descsz + 3) & ~(size_t)3;
		if (name > size - at || head.n_descsz > size - at - name) {
			return damaged;
		}
		bool is_core = head.n_namesz >= 4 && memcmp(notes + at, "CORE", 4) == 0;
		char *note = notes + at + name;
		const char *problem = NULL;
		if (is_core && head.n_type == NT_PRSTATUS) {
			take_status(core, note, head.n_descsz);
		} else if (is_core && head.n_type == NT_PRPSINFO) {
			take_arguments(core, note, head.n_descsz);
		} else if (is_core && head.n_type == NT_AUXV) {
			take_vector(core, note, head.n_descsz);
		} else if (is_core && head.n_type == NT_FILE) {
			problem = take_files(core, note, head.n_descsz);
		}
		if (problem) {
			return problem;
		}
		at += name;
		at += length < size - at ? length : size - at;
	}
	return NULL;
}

/* ---- Memory ---------------------------------------------------------------------------------------------------------------- */

static int by_begin(const void *a, const void *b)
{
	const xhprof_core_segment *one = a, *other = b;
	return one->from < other->from ? -1 : one->from > other->from;
}

/* Adds a segment. Returns NULL, or what is wrong. */
static const char *take_segment(xhprof_core_file *core, const Elf64_Phdr *program)
{
	uint64_t from = program->p_vaddr, length = program->p_memsz;
	if (program->p_filesz > length || from + length < from) {
		return damaged;
	}
	if (program->p_filesz && (program->p_offset > core->size || program->p_filesz > core->size - program->p_offset)) {
		return "it is cut short: the limit of core files (ulimit -c) or the disk's space has ended it";
	}
	if (length && from < MAX_ADDRESS && from + length <= MAX_ADDRESS && from % XHPROF_CORE_PAGE == 0) {
		core->segments[core->segment_count++] =
			(xhprof_core_segment){from, from + length, program->p_offset, program->p_filesz, program->p_flags};
	}
	return NULL;
}

static const char *check_segments(xhprof_core_file *core)
{
	uint64_t bytes = 0;
	qsort(core->segments, core->segment_count, sizeof(*core->segments), by_begin);
	for (size_t i = 0; i < core->segment_count; i++) {
		const xhprof_core_segment *segment = &core->segments[i];
		bytes += segment->bytes;
		if ((i && segment->from < segment[-1].to) || bytes > MAX_MEMORY) {
			return damaged;
		}
	}
	return core->segment_count ? NULL : "it has no memory";
}

/* Returns the number of program headers; there may be more than the header has room for. */
static uint64_t count_headers(const xhprof_core_file *core, const Elf64_Ehdr *header)
{
	Elf64_Shdr section;
	if (header->e_phnum != PN_XNUM) {
		return header->e_phnum;
	}
	return header->e_shoff && xhprof_core_read(core->file, &section, sizeof(section), header->e_shoff) ? section.sh_info
																									   : 0;
}

static const char *read_headers(xhprof_core_file *core, const Elf64_Ehdr *header)
{
	uint64_t count = count_headers(core, header);
	if (count == 0 || count > MAX_SEGMENTS || header->e_phentsize != sizeof(Elf64_Phdr)) {
		return damaged;
	}
	if (header->e_phoff > core->size || count * sizeof(Elf64_Phdr) > core->size - header->e_phoff) {
		return "it is cut short";
	}
	Elf64_Phdr *programs = malloc(count * sizeof(*programs));
	core->segments = calloc(count, sizeof(*core->segments));
	const char *problem = !programs || !core->segments ? no_memory
						  : xhprof_core_read(core->file, programs, count * sizeof(*programs), header->e_phoff)
							  ? NULL
							  : "it is cut short";
	for (uint64_t i = 0; i < count && !problem; i++) {
		const Elf64_Phdr *program = &programs[i];
		if (program->p_type == PT_LOAD) {
			problem = take_segment(core, program);
		} else if (program->p_type == PT_NOTE && !core->notes) {
			bool fits = program->p_filesz <= MAX_NOTES && program->p_offset <= core->size &&
						program->p_filesz <= core->size - program->p_offset;
			core->notes = fits ? malloc(program->p_filesz + 1) : NULL;
			problem = !fits ? "it is cut short" : !core->notes ? no_memory : NULL;
			if (!problem && !xhprof_core_read(core->file, core->notes, program->p_filesz, program->p_offset)) {
				problem = "it is cut short";
			}
			problem = problem ? problem : read_notes(core, core->notes, program->p_filesz);
		}
	}
	free(programs);
	return problem ? problem : check_segments(core);
}

const char *xhprof_core_file_open(xhprof_core_file *core, const char *path)
{
	struct stat about;
	Elf64_Ehdr header;
	const char *why;
	memset(core, 0, sizeof(*core));
	core->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (core->file < 0 || fstat(core->file, &about) != 0) {
		return strerror(errno);
	}
	if (!S_ISREG(about.st_mode)) {
		return "it is not a file";
	}
	core->size = (uint64_t)about.st_size;
	core->time = (int64_t)about.st_mtime;
	if (!xhprof_core_read(core->file, &header, sizeof(header), 0)) {
		return core->size < sizeof(header) ? "it is not a core file" : strerror(errno);
	}
	if (!xhprof_core_is_own_machine(&header, &why)) {
		return why;
	}
	return header.e_type == ET_CORE ? read_headers(core, &header) : "it is not a core file but a program or library";
}

void xhprof_core_file_close(xhprof_core_file *core)
{
	free(core->segments);
	free(core->mapped);
	free(core->notes);
	free(core->threads);
	if (core->file >= 0) {
		close(core->file);
	}
	memset(core, 0, sizeof(*core));
	core->file = -1;
}

const xhprof_core_segment *xhprof_core_file_segment(const xhprof_core_file *core, uint64_t address)
{
	size_t low = 0, high = core->segment_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (core->segments[middle].to <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < core->segment_count && core->segments[low].from <= address ? &core->segments[low] : NULL;
}
