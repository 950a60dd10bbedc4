/* A file with the memory of a process that PHP can reach, and what is known of the process. Such a file may be damaged or
 * forged: all its contents are checked, and read as memory is. */
#ifndef XHPROF_INSPECT_IMAGE_H
#define XHPROF_INSPECT_IMAGE_H

#include "target.h"

#define XHPROF_IMAGE_SEGMENTS 1000000

typedef struct xhprof_image_header {
	char magic[16];
	char build[64]; /* of the PHP: only a program for the same build reads it */
	uint64_t header_size, sizes[4];
	uint64_t maps_length,
		segment_count; /* they follow the header, in this order; the memory is behind them, by pages */
	int64_t time;
	uint64_t stopped;
	xhprof_php php;
	char command[512], host[256];
} xhprof_image_header;

typedef struct xhprof_image_segment {
	uint64_t from, to, offset; /* addresses, and the place in the file; missing pages are zero */
	uint64_t of_file;          /* 1: untouched pages are those of a file */
} xhprof_image_segment;

typedef struct xhprof_image {
	int file;
	xhprof_image_header header;
	char *maps;
	xhprof_image_segment *segments; /* by address */
} xhprof_image;

/* Writes the readable memory of `target` to `file`; the output contains nothing else. `bytes`: of memory that was
 * copied. */
xhprof_exit xhprof_image_write(int file, xhprof_target *target, bool stopped, uint64_t *bytes, xhprof_failure *failure);

/* Opens a file; `remote` reads its memory until it is closed. */
xhprof_exit xhprof_image_open(xhprof_image *image, const char *path, xhprof_remote *remote, xhprof_failure *failure);
void xhprof_image_close(xhprof_image *image);

#endif
