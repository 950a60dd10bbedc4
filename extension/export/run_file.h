/* The file of a run (docs/formats.md): a head in JSON, followed by sections of numbers and texts, each at a multiple of
 * 8 bytes.
 *
 * A document is a member of the head, together with the sections whose names begin with its name. Callers first add
 * documents and their sections. The values of each are then read twice, to find the smallest type of the section and to
 * write it, so that no copy of a run is needed. Uses neither PHP nor memory. */
#ifndef XHPROF_EXPORT_RUN_FILE_H
#define XHPROF_EXPORT_RUN_FILE_H

#include "json_layout.h"

#include <stdint.h>

#define XHPROF_RUN_FILE_VERSION 1
#define XHPROF_SECTIONS 96 /* more than all documents have together */
#define XHPROF_DOCUMENTS 12
#define XHPROF_SECTION_BLOCK 128 /* most values that are read at a time */

/* Gives `count` values of a column, from index `first` on. Called in the order of indexes, from 0 on in each pass.
 * `field`: which column of `from` is meant. */
typedef void (*xhprof_section_values)(void *from, unsigned field, size_t first, size_t count, int64_t *values);

/* Returns the text at an index, which may have any bytes. Called in the order of indexes. */
typedef const char *(*xhprof_section_text)(void *from, size_t place, size_t *length);

/* Writes the members of a document that are no columns. */
typedef void (*xhprof_document_head)(xhprof_json *json, const void *from);

typedef enum xhprof_section_type {
	XHPROF_SECTION_SAME, /* no bytes: all values are the same */
	XHPROF_SECTION_U8,
	XHPROF_SECTION_U16,
	XHPROF_SECTION_U32,
	XHPROF_SECTION_I32,
	XHPROF_SECTION_F64, /* a whole number; beyond 2^53 the nearest one that fits */
	XHPROF_SECTION_TEXT,
	XHPROF_SECTION_TYPES
} xhprof_section_type;

typedef struct xhprof_section {
	const char *document, *name;
	size_t count;
	const int64_t *whole; /* the column, if it is in memory; else it comes from `values` or `text` */
	xhprof_section_values values;
	xhprof_section_text text;
	void *from;
	unsigned field;
	int64_t most; /* largest value, if it is known before; 0: not known */
	bool ends;    /* its values are the ends of the texts of the section before */
	xhprof_section_type type;
	int64_t same;   /* the value of a column whose values are all the same */
	uint64_t bytes; /* bytes without padding */
	uint64_t at;    /* offset from the end of the head */
} xhprof_section;

typedef struct xhprof_run_file {
	xhprof_section sections[XHPROF_SECTIONS];
	size_t section_count;
	struct {
		const char *name;
		xhprof_document_head head;
		const void *from;
	} documents[XHPROF_DOCUMENTS];
	size_t document_count;
} xhprof_run_file;

void xhprof_run_file_init(xhprof_run_file *file);

/* Adds a document; sections that are added later belong to it. Names are not copied and must stay. `head` may be
 * NULL. */
void xhprof_run_file_document(xhprof_run_file *file, const char *name, xhprof_document_head head, const void *from);

/* Adds a column that is in memory and stays there until the file is written. */
void xhprof_run_file_column(xhprof_run_file *file, const char *name, size_t count, const int64_t *whole);

/* Adds a column whose values a function gives. */
void xhprof_run_file_values(xhprof_run_file *file, const char *name, size_t count, xhprof_section_values values,
							void *from, unsigned field);

/* Adds a column of values from 0 to `bound` - 1, nearly all of which occur: its type follows from the bound, without a
 * pass over the values. */
void xhprof_run_file_indexes(xhprof_run_file *file, const char *name, size_t count, xhprof_section_values values,
							 void *from, unsigned field, size_t bound);

/* Adds a section of texts. */
void xhprof_run_file_texts(xhprof_run_file *file, const char *name, size_t count, xhprof_section_text text, void *from);

/* Writes the file. The writer records errors. */
void xhprof_run_file_write(xhprof_run_file *file, xhprof_writer *writer);

#endif
