#include "core.h"

#include "base/redact.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE XHPROF_CORE_PAGE
#define MAX_LIBRARIES 512
#define MAX_HEADERS 256
#define MAX_CODE ((uint64_t)4 << 30) /* of libraries that are not here */

static const char replaced[] = "it is not the file that was mapped: it has been replaced since";

/* ---- Programs and libraries ------------------------------------------------------------------------------------------------ */

/* Opens an ELF file for this machine; -1 and the reason. */
static int open_elf(const char *path, xhprof_core_library *library, const char **why)
{
	struct stat about;
	Elf64_Ehdr header;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is_open = file >= 0 && fstat(file, &about) == 0;
	*why = is_open ? NULL : strerror(errno);
	if (is_open && !S_ISREG(about.st_mode)) {
		*why = "it is not a file";
	} else if (is_open && !xhprof_core_read(file, &header, sizeof(header), 0)) {
		*why = "it is not an ELF file";
	} else if (is_open && xhprof_core_is_own_machine(&header, why)) {
		size_t size = (size_t)header.e_phnum * sizeof(Elf64_Phdr);
		bool fits = header.e_phentsize == sizeof(Elf64_Phdr) && header.e_phnum <= MAX_HEADERS &&
					(header.e_type == ET_DYN || header.e_type == ET_EXEC);
		library->programs = fits ? malloc(size + 1) : NULL;
		if (!library->programs || !xhprof_core_read(file, library->programs, size, header.e_phoff)) {
			*why = "it is not a program or library";
		}
		library->program_count = header.e_phnum;
		library->size = (uint64_t)about.st_size;
	}
	if (*why && file >= 0) {
		close(file);
		file = -1;
	}
	return file;
}

static void close_library(xhprof_core_library *library)
{
	if (library->file >= 0) {
		close(library->file);
	}
	free(library->programs);
	library->file = -1;
	library->programs = NULL;
	library->program_count = 0;
}

/* Returns whether a file begins as the library did in the process; `known`: its first page is in the core file. */
static bool begins_alike(const xhprof_core *core, const xhprof_core_library *library, int file, bool *known)
{
	char own[PAGE], other[PAGE];
	const xhprof_core_segment *segment = library->base ? xhprof_core_file_segment(&core->file, library->base) : NULL;
	uint64_t at = segment ? library->base - segment->from : 0;
	*known = segment && at < segment->bytes && segment->bytes - at >= PAGE &&
			 xhprof_core_read(core->file.file, own, PAGE, segment->offset + at);
	size_t size = library->size < PAGE ? (size_t)library->size : PAGE;
	return *known && xhprof_core_read(file, other, size, 0) && memcmp(own, other, size) == 0;
}

/* Opens what the core file names, if that is still the same. */
static void open_named(const xhprof_core *core, xhprof_core_library *library)
{
	bool known = false;
	library->file = open_elf(library->path, library, &library->why);
	if (library->file >= 0 && !begins_alike(core, library, library->file, &known)) {
		library->why = known ? replaced : "the core file lacks its first page";
		close_library(library);
	}
}

/* Lists the files that begin somewhere in the memory, each once. */
static bool list_libraries(xhprof_core *core)
{
	core->libraries = calloc(MAX_LIBRARIES, sizeof(*core->libraries));
	for (size_t i = 0; core->libraries && i < core->file.mapped_count && core->library_count < MAX_LIBRARIES; i++) {
		const xhprof_core_mapped *mapped = &core->file.mapped[i];
		if (mapped->offset == 0 && mapped->path[0] == '/' && strncmp(mapped->path, "/dev/", 5) != 0 &&
			strncmp(mapped->path, "/SYSV", 5) != 0) {
			core->libraries[core->library_count++] =
				(xhprof_core_library){.path = mapped->path, .base = mapped->from, .file = -1};
		}
	}
	return core->libraries;
}

/* Returns the library that is the program itself, or NULL: the one that has the headers which the kernel has passed to
 * it, or else the first. */
static xhprof_core_library *find_program(const xhprof_core *core)
{
	for (size_t i = 0; i < core->library_count; i++) {
		if (core->file.program >= core->libraries[i].base && core->file.program - core->libraries[i].base < PAGE) {
			return &core->libraries[i];
		}
	}
	return core->library_count ? &core->libraries[0] : NULL;
}

/* Takes the file that the user names: in place of the one that begins as it does, or of the program, if that is not known. */
static xhprof_exit take_program(xhprof_core *core, const char *path, const char *program, xhprof_failure *failure)
{
	xhprof_core_library given = {0}, *place = NULL, *own = find_program(core);
	const char *why;
	bool known, own_known = false;
	int file = open_elf(program, &given, &why);
	if (file < 0) {
		return xhprof_fail(failure, XHPROF_EXIT_BAD_IMAGE, "cannot read %s: %s", program, why);
	}
	for (size_t i = 0; i < core->library_count && !place; i++) {
		given.base = core->libraries[i].base;
		place = begins_alike(core, &given, file, &known) ? &core->libraries[i] : NULL;
		own_known = &core->libraries[i] == own ? known : own_known;
	}
	if (!place && own && !own_known) {
		place = own;
	}
	if (!place) {
		close(file);
		free(given.programs);
		return xhprof_fail(failure, XHPROF_EXIT_BAD_IMAGE,
						   "%s is not the program of %s, or another build of it: that is of %s", program, path,
						   own ? own->path : "an unknown program");
	}
	close_library(place);
	place->file = file;
	place->programs = given.programs;
	place->program_count = given.program_count;
	place->size = given.size;
	return XHPROF_EXIT_OK;
}

/* ---- Memory ---------------------------------------------------------------------------------------------------------------- */

static const xhprof_core_mapped *find_mapped(const xhprof_core_file *file, uint64_t address)
{
	size_t low = 0, high = file->mapped_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (file->mapped[middle].to <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < file->mapped_count && file->mapped[low].from <= address ? &file->mapped[low] : NULL;
}

/* Returns the library that a part of a file is of: the last one of this name that begins at or before it. */
static const xhprof_core_library *library_of(const xhprof_core *core, const xhprof_core_mapped *mapped)
{
	const xhprof_core_library *found = NULL;
	for (size_t i = 0; i < core->library_count; i++) {
		const xhprof_core_library *library = &core->libraries[i];
		if (library->base <= mapped->from && strcmp(library->path, mapped->path) == 0) {
			found = library;
		}
	}
	return found;
}

/* Returns the rights of a part of a library that the core file does not list: those of the segment that it is of. */
static uint32_t rights_of(const xhprof_core_library *library, uint64_t offset)
{
	const Elf64_Phdr *programs = library->programs;
	uint32_t rights = PF_R;
	for (size_t i = 0; i < library->program_count; i++) {
		uint64_t from = programs[i].p_offset & ~(uint64_t)(PAGE - 1);
		if (programs[i].p_type == PT_LOAD && offset >= from && offset - from < programs[i].p_filesz) {
			rights = programs[i].p_flags;
			if (offset == from) {
				break;
			}
		}
	}
	return rights;
}

static bool is_shared(const char *path)
{
	static const char *const shared[] = {"/dev/zero", "/dev/shm/", "/SYSV", "/memfd:"};
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++) {
		if (strncmp(path, shared[i], strlen(shared[i])) == 0) {
			return true;
		}
	}
	return false;
}

/* Adds a line to the list of memory. False without memory. */
static bool add_line(xhprof_core *core, uint64_t from, uint64_t to, uint32_t rights, const xhprof_core_mapped *mapped)
{
	bool is_stack = !mapped && core->file.stack >= from && core->file.stack < to;
	const char *path = mapped ? mapped->path : is_stack ? "[stack]" : "";
	size_t need = strlen(path) + 128;
	if (core->maps_room - core->maps_length < need) {
		size_t room = 2 * core->maps_room + need + 65536;
		char *more = realloc(core->maps, room);
		if (!more) {
			return false;
		}
		core->maps = more;
		core->maps_room = room;
	}
	core->maps_length += xhprof_print_to(
		core->maps + core->maps_length, core->maps_room - core->maps_length, "%llx-%llx %c%c%c%c %08llx 00:00 0 %s\n",
		(unsigned long long)from, (unsigned long long)to, rights & PF_R ? 'r' : '-', rights & PF_W ? 'w' : '-',
		rights & PF_X ? 'x' : '-', mapped && is_shared(path) ? 's' : 'p',
		(unsigned long long)(mapped ? mapped->offset + (from - mapped->from) : 0), path);
	return true;
}

/* Adds the memory between two addresses, between which nothing begins or ends. False without memory. */
static bool add_piece(xhprof_core *core, uint64_t from, uint64_t to, uint64_t *code)
{
	const xhprof_core_segment *segment = xhprof_core_file_segment(&core->file, from);
	const xhprof_core_mapped *mapped = find_mapped(&core->file, from);
	const xhprof_core_library *library = mapped ? library_of(core, mapped) : NULL;
	if (!segment && !mapped) {
		return true;
	}
	uint64_t offset = mapped ? mapped->offset + (from - mapped->from) : 0;
	uint32_t rights = segment ? segment->rights : library ? rights_of(library, offset) : PF_R;
	xhprof_core_range range = {.from = from, .to = to, .file = -1};
	if (segment && from - segment->from < segment->bytes) {
		range.file = core->file.file;
		range.offset = segment->offset + (from - segment->from);
	} else if (library && library->file >= 0 && offset < library->size) {
		range.file = library->file;
		range.offset = offset;
		range.to = library->size - offset < to - from ? from + (library->size - offset) : to;
	} else if (rights & PF_X && !(rights & PF_W) && to - from < MAX_CODE - *code) {
		*code += to - from; /* it distinguishes libraries from other files */
		return add_line(core, from, to, rights, mapped);
	} else {
		return true;
	}
	core->ranges[core->range_count++] = range;
	return add_line(core, from, to, rights, mapped);
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;
	return *one < *other ? -1 : *one > *other;
}

/* Lists the memory. False without memory. */
static bool list_memory(xhprof_core *core)
{
	const xhprof_core_file *file = &core->file;
	size_t count = 0, room = 3 * file->segment_count + 2 * file->mapped_count;
	uint64_t *bounds = calloc(room + 1, sizeof(*bounds)), code = 0;
	core->ranges = calloc(room + 1, sizeof(*core->ranges));
	bool listed = bounds && core->ranges;
	for (size_t i = 0; listed && i < file->segment_count; i++) {
		const xhprof_core_segment *segment = &file->segments[i];
		bounds[count++] = segment->from;
		bounds[count++] = segment->to;
		bounds[count++] = segment->from + segment->bytes;
	}
	for (size_t i = 0; listed && i < file->mapped_count; i++) {
		bounds[count++] = file->mapped[i].from;
		bounds[count++] = file->mapped[i].to;
	}
	if (listed) {
		qsort(bounds, count, sizeof(*bounds), by_number);
	}
	for (size_t i = 0; listed && i + 1 < count; i++) {
		listed = bounds[i] == bounds[i + 1] || add_piece(core, bounds[i], bounds[i + 1], &code);
	}
	free(bounds);
	return listed;
}

static size_t find_range(const xhprof_core *core, xhprof_addr address)
{
	size_t low = 0, high = core->range_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (core->ranges[middle].to <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static size_t fetch_core(xhprof_remote *remote, xhprof_addr address, void *to, size_t size)
{
	const xhprof_core *core = remote->context;
	size_t done = 0;
	for (size_t i = find_range(core, address); i < core->range_count && done < size; i++) {
		const xhprof_core_range *range = &core->ranges[i];
		if (range->from > address + done) {
			break;
		}
		uint64_t at = address + done - range->from, left = range->to - range->from - at;
		size_t part = left < size - done ? (size_t)left : size - done;
		if (!xhprof_core_read(range->file, (char *)to + done, part, range->offset + at)) {
			break;
		}
		done += part;
		if (range->to % PAGE) { /* the file's last page: zero up to its end */
			size_t rest = PAGE - range->to % PAGE;
			rest = rest < size - done ? rest : size - done;
			memset((char *)to + done, 0, rest);
			done += rest;
		}
	}
	return done;
}

/* ---- Opening --------------------------------------------------------------------------------------------------------------- */

static void take_command(xhprof_core *core)
{
	const xhprof_secret_rules rules = {.fragments = XHPROF_REDACT_NAMES};
	xhprof_redact_process(core->command, sizeof(core->command), core->file.arguments, core->file.arguments_length,
						  &rules);
}

xhprof_exit xhprof_core_open(xhprof_core *core, const char *path, const char *program, xhprof_failure *failure)
{
	memset(core, 0, sizeof(*core));
	const char *problem = xhprof_core_file_open(&core->file, path);
	if (problem) {
		return xhprof_fail(failure, XHPROF_EXIT_BAD_IMAGE, "cannot read %s: %s", path, problem);
	}
	take_command(core);
	if (!list_libraries(core)) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	for (size_t i = 0; i < core->library_count; i++) {
		open_named(core, &core->libraries[i]);
	}
	xhprof_exit code = program ? take_program(core, path, program, failure) : XHPROF_EXIT_OK;
	return code || list_memory(core) ? code : xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
}

void xhprof_core_close(xhprof_core *core)
{
	for (size_t i = 0; i < core->library_count; i++) {
		close_library(&core->libraries[i]);
	}
	free(core->libraries);
	free(core->ranges);
	free(core->maps);
	xhprof_core_file_close(&core->file);
	core->libraries = NULL;
	core->ranges = NULL;
	core->maps = NULL;
	core->library_count = core->range_count = 0;
}

/* Adds to the message that PHP was not found why the program's own file was not read. */
static void explain(const xhprof_core *core, xhprof_failure *failure)
{
	const xhprof_core_library *program = find_program(core);
	if (program && program->file < 0) {
		char found[sizeof(failure->text)];
		memcpy(found, failure->text, sizeof(found));
		xhprof_fail(failure, failure->code,
					"%.300s; its program, %.300s, could not be read (%s): name it by --exe=FILE", found, program->path,
					program->why ? program->why : "unknown");
	}
}

xhprof_exit xhprof_core_target(xhprof_core *core, const char *path, pid_t thread, xhprof_target *target,
							   xhprof_failure *failure)
{
	if (!xhprof_remote_open_with(&target->remote, XHPROF_REMOTE_WALK, XHPROF_REMOTE_CACHE >> XHPROF_REMOTE_WALK,
								 fetch_core, core)) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	target->reading = true;
	const xhprof_php_place place = {
		.pid = core->file.pid            ? core->file.pid
			   : core->file.thread_count ? core->file.threads[0]
										 : 0,
		.maps = core->maps ? core->maps : "",
		.command = core->command,
		.threads = core->file.threads,
		.thread_count = core->file.thread_count,
	};
	xhprof_exit code = xhprof_php_find_in(&target->php, &target->remote, &place, thread, failure);
	if (code) {
		explain(core, failure);
		return code;
	}
	int error = xhprof_reader_parse_maps(&target->remote.reader, place.maps, core->maps_length);
	return error ? xhprof_fail(failure, XHPROF_EXIT_BAD_IMAGE, "cannot read %s: its list of memory: %s", path,
							   strerror(error))
				 : XHPROF_EXIT_OK;
}
