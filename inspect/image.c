#include "image.h"

#include "base/arena.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define BLOCK 65536
#define MAGIC "xhprof-image 1\n"
#define LARGE_FILE ((uint64_t)16 << 20) /* a larger constant file is left out: PHP's memory does not refer to it */
#define MAX_CODE ((uint64_t)4 << 30)    /* of all libraries */
#define PRESENT ((uint64_t)3 << 62)     /* in a page map: in memory, or swapped out */

static void identify_header(xhprof_image_header *header)
{
	memset(header, 0, sizeof(*header));
	memcpy(header->magic, MAGIC, sizeof(MAGIC) - 1);
	header->header_size = sizeof(*header);
	xhprof_php_build(header->build, sizeof(header->build), header->sizes);
}

static bool path_begins(const xhprof_mapping *mapping, const char *text)
{
	size_t length = strlen(text);
	return mapping->path_length >= length && memcmp(mapping->path, text, length) == 0;
}

/* Returns whether a mapping is copied: data of the program, of libraries, heaps, stacks, opcache's memory; neither code
 * nor devices. */
static bool is_copied(const xhprof_mapping *mapping)
{
	if (mapping->rights[0] != 'r' || mapping->rights[2] == 'x' || mapping->from % PAGE || path_begins(mapping, "[v") ||
		mapping->to - mapping->from > XHPROF_COPY_MAPPING) {
		return false;
	}
	if (path_begins(mapping, "/dev/") && !path_begins(mapping, "/dev/zero") && !path_begins(mapping, "/dev/shm/")) {
		return false;
	}
	return mapping->rights[1] == 'w' || mapping->path_length == 0 || mapping->to - mapping->from <= LARGE_FILE;
}

static bool write_all(int file, const void *bytes, size_t size, uint64_t offset)
{
	const char *at = bytes;
	while (size > 0) {
		ssize_t put = pwrite(file, at, size, (off_t)offset);
		if (put < 0 && errno == EINTR) {
			continue;
		}
		if (put <= 0) {
			errno = put == 0 ? ENOSPC : errno;
			return false;
		}
		at += put;
		size -= (size_t)put;
		offset += (uint64_t)put;
	}
	return true;
}

/* Copies the pages of a segment that the process has touched; reading others, except those of files, would allocate
 * them in the process. */
static bool copy_segment(int file, xhprof_remote *remote, const xhprof_image_segment *segment, uint64_t *bytes)
{
	static char block[BLOCK];
	uint64_t entries[BLOCK / PAGE];
	xhprof_reader *reader = &remote->reader;
	for (uint64_t at = segment->from; at < segment->to; at += BLOCK) {
		size_t pages = (segment->to - at < BLOCK ? segment->to - at : BLOCK) / PAGE;
		bool known = !segment->of_file && reader->page_map && reader->page_map(reader, at, entries, pages);
		for (size_t i = 0; i < pages;) {
			size_t count = 0;
			while (i + count < pages && (!known || entries[i + count] & PRESENT)) {
				count++;
			}
			size_t got = count ? remote->fetch(remote, at + i * PAGE, block, count * PAGE) : 0;
			if (got && !write_all(file, block, got, segment->offset + (at - segment->from) + i * PAGE)) {
				return false;
			}
			*bytes += got;
			i += count ? count : 1;
		}
	}
	return true;
}

static size_t list_segments(const char *maps, xhprof_image_segment *segments, size_t max, uint64_t offset)
{
	size_t count = 0;
	xhprof_mapping mapping;
	while (count < max && xhprof_process_mapping(&maps, &mapping)) {
		if (is_copied(&mapping)) {
			bool file = path_begins(&mapping, "/") && !path_begins(&mapping, "/dev/") &&
						!path_begins(&mapping, "/memfd:") && !path_begins(&mapping, "/SYSV");
			segments[count++] = (xhprof_image_segment){mapping.from, mapping.to, offset, file};
			offset += mapping.to - mapping.from;
		}
	}
	return count;
}

static bool write_parts(int file, const xhprof_image_header *header, const char *maps, xhprof_image_segment *segments,
						xhprof_remote *remote, uint64_t *bytes)
{
	uint64_t at = sizeof(*header), end = 0;
	if (!write_all(file, header, sizeof(*header), 0) || !write_all(file, maps, header->maps_length, at) ||
		!write_all(file, segments, header->segment_count * sizeof(*segments), at + header->maps_length)) {
		return false;
	}
	for (size_t i = 0; i < header->segment_count; i++) {
		if (!copy_segment(file, remote, &segments[i], bytes)) {
			return false;
		}
		end = segments[i].offset + (segments[i].to - segments[i].from);
	}
	return ftruncate(file, (off_t)end) == 0;
}

xhprof_exit xhprof_image_write(int file, xhprof_target *target, bool stopped, uint64_t *bytes, xhprof_failure *failure)
{
	const xhprof_php *php = &target->php;
	xhprof_exit code = XHPROF_EXIT_OK;
	xhprof_image_header header;
	size_t length = 0, max = 0;
	char *maps = target->copy.maps ? strdup(target->copy.maps) : xhprof_process_file(php->pid, "maps", &length);
	length = maps ? strlen(maps) : 0;
	for (size_t i = 0; maps && i < length; i++) {
		max += maps[i] == '\n';
	}
	xhprof_image_segment *segments = calloc(max + 1, sizeof(*segments));
	if (!maps || !segments) {
		code = maps ? xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory") : xhprof_process_gone(php->pid, failure);
	} else {
		identify_header(&header);
		header.maps_length = length;
		header.time = (int64_t)time(NULL);
		header.stopped = stopped;
		header.php = *php;
		memcpy(header.command, target->command, sizeof(header.command));
		gethostname(header.host, sizeof(header.host) - 1);
		uint64_t data = sizeof(header) + length;
		size_t count = list_segments(maps, segments, max, 0);
		data = (data + count * sizeof(*segments) + PAGE - 1) / PAGE * PAGE;
		header.segment_count = list_segments(maps, segments, max, data);
		if (!write_parts(file, &header, maps, segments, &target->remote, bytes)) {
			code = xhprof_fail(failure, XHPROF_EXIT_ERROR, "cannot write the image: %s", strerror(errno));
		} else if (xhprof_target_is_lost(target)) {
			code = xhprof_process_gone(php->pid, failure);
		}
	}
	free(segments);
	free(maps);
	return code;
}

/* ---- Reading ------------------------------------------------------------------------------------------------------------ */

/* Returns the first segment that ends behind an address; their count if there is no such segment. */
static size_t find_segment(const xhprof_image *image, xhprof_addr address)
{
	size_t low = 0, high = image->header.segment_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (image->segments[middle].to <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static size_t fetch_image(xhprof_remote *remote, xhprof_addr address, void *to, size_t size)
{
	const xhprof_image *image = remote->context;
	size_t done = 0;
	for (size_t i = find_segment(image, address); i < image->header.segment_count && done < size; i++) {
		const xhprof_image_segment *segment = &image->segments[i];
		if (segment->from > address + done) {
			break;
		}
		size_t at = address + done - segment->from, part = segment->to - segment->from - at;
		part = part < size - done ? part : size - done;
		ssize_t got = pread(image->file, (char *)to + done, part, (off_t)(segment->offset + at));
		done += got > 0 ? (size_t)got : 0;
		if (got < 0 || (size_t)got < part) {
			break;
		}
	}
	return done;
}

static bool read_exactly(int file, void *to, size_t size, uint64_t offset)
{
	char *at = to;
	while (size > 0) {
		ssize_t got = pread(file, at, size, (off_t)offset);
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

static void terminate_text(char *text, size_t size)
{
	text[size - 1] = '\0';
}

/* Removes everything from the list of memory except the image's, and code, which distinguishes libraries from other
 * files: searches of all of it must end. */
static void keep_copied(xhprof_image *image)
{
	const char *text = image->maps, *line = text;
	char *to = image->maps;
	size_t next = 0;
	uint64_t code = 0;
	xhprof_mapping mapping;
	while (xhprof_process_mapping(&text, &mapping)) {
		while (next < image->header.segment_count && image->segments[next].to <= mapping.from) {
			next++;
		}
		size_t length = (size_t)(text - line);
		bool copied = next < image->header.segment_count && image->segments[next].from == mapping.from &&
					  image->segments[next].to == mapping.to;
		if (!copied && mapping.rights[2] == 'x' && mapping.rights[1] != 'w' && mapping.to - mapping.from < MAX_CODE) {
			code += mapping.to - mapping.from;
			copied = code < MAX_CODE;
		}
		if (copied) {
			memmove(to, line, length);
			to += length;
		}
		line = text;
	}
	*to = '\0';
}

/* Reads the parts of an image. Returns NULL, or the fault of the file. */
static const char *read_parts(xhprof_image *image, uint64_t size)
{
	xhprof_image_header own, *header = &image->header;
	if (!read_exactly(image->file, header, sizeof(*header), 0) ||
		memcmp(header->magic, MAGIC, sizeof(MAGIC) - 1) != 0) {
		return "it is not an image of xhprof-inspect";
	}
	identify_header(&own);
	if (header->header_size != sizeof(*header) || memcmp(header->build, own.build, sizeof(own.build)) != 0 ||
		memcmp(header->sizes, own.sizes, sizeof(own.sizes)) != 0) {
		return "another version of PHP or of xhprof-inspect made it";
	}
	terminate_text(header->php.version, sizeof(header->php.version));
	terminate_text(header->php.sapi, sizeof(header->php.sapi));
	terminate_text(header->php.path, sizeof(header->php.path));
	terminate_text(header->command, sizeof(header->command));
	terminate_text(header->host, sizeof(header->host));
	uint64_t at = sizeof(*header), segments = header->segment_count * sizeof(*image->segments);
	if (header->segment_count > XHPROF_IMAGE_SEGMENTS || header->maps_length > size || segments > size ||
		at + header->maps_length + segments > size) {
		return "it is cut short or damaged";
	}
	image->maps = calloc(1, header->maps_length + 1);
	image->segments = calloc(header->segment_count + 1, sizeof(*image->segments));
	if (!image->maps || !image->segments) {
		return "not enough memory for its lists";
	}
	if (!read_exactly(image->file, image->maps, header->maps_length, at) ||
		!read_exactly(image->file, image->segments, segments, at + header->maps_length)) {
		return "it is cut short";
	}
	uint64_t end = 0;
	for (size_t i = 0; i < header->segment_count; i++) {
		const xhprof_image_segment *segment = &image->segments[i];
		uint64_t length = segment->to - segment->from;
		if (segment->to <= segment->from || segment->from % PAGE || (i && segment->from < segment[-1].to) ||
			segment->offset < end || segment->offset > size || length > size - segment->offset) {
			return "it is cut short or damaged";
		}
		end = segment->offset + length;
	}
	keep_copied(image);
	return NULL;
}

xhprof_exit xhprof_image_open(xhprof_image *image, const char *path, xhprof_remote *remote, xhprof_failure *failure)
{
	struct stat about;
	memset(image, 0, sizeof(*image));
	image->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (image->file < 0 || fstat(image->file, &about) != 0) {
		return xhprof_fail(failure, XHPROF_EXIT_BAD_IMAGE, "cannot read %s: %s", path, strerror(errno));
	}
	const char *problem = S_ISREG(about.st_mode) ? read_parts(image, (uint64_t)about.st_size) : "it is not a file";
	if (problem) {
		return xhprof_fail(failure, XHPROF_EXIT_BAD_IMAGE, "cannot read %s: %s", path, problem);
	}
	if (!xhprof_remote_open_with(remote, XHPROF_REMOTE_WALK, XHPROF_REMOTE_CACHE >> XHPROF_REMOTE_WALK, fetch_image,
								 image)) {
		return xhprof_fail(failure, XHPROF_EXIT_ERROR, "no memory");
	}
	return XHPROF_EXIT_OK;
}

void xhprof_image_close(xhprof_image *image)
{
	free(image->maps);
	free(image->segments);
	if (image->file >= 0) {
		close(image->file);
	}
}
