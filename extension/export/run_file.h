/* The one file of a run, docs/formats.md: a head in JSON, and sections of numbers and texts behind it, each at a multiple
 * of 8 bytes.
 *
 * A document is a member of the head and the sections whose names begin with its name. Users add documents and their
 * sections first; what these show is asked for twice, to find the smallest type of each section and to write it, so that
 * no copy of a run is needed. No PHP, no memory. */
#ifndef XHPROF_EXPORT_RUN_FILE_H
#define XHPROF_EXPORT_RUN_FILE_H

#include "json_layout.h"

#include <stdint.h>

#define XHPROF_RUN_FILE_VERSION 1
#define XHPROF_SECTIONS 96 /* more than all documents have together */
#define XHPROF_DOCUMENTS 12
#define XHPROF_SECTION_BLOCK 128 /* values that are asked for at a time, at most */

/* Puts `count` values of a column from the place `first` on. Called in the order of places, from 0 on each time. `field`
 * shows which column of `from` is meant. */
typedef void (*xhprof_section_values)(void *from, unsigned field, size_t first, size_t count, int64_t *values);

/* The text at a place, any bytes, in the order of places. */
typedef const char *(*xhprof_section_text)(void *from, size_t place, size_t *length);

/* Members of a document that are no columns. */
typedef void (*xhprof_document_head)(xhprof_json *json, const void *from);

typedef enum xhprof_section_type {
	XHPROF_SECTION_SAME, /* no bytes: all have one value */
	XHPROF_SECTION_U8,
	XHPROF_SECTION_U16,
	XHPROF_SECTION_U32,
	XHPROF_SECTION_I32,
	XHPROF_SECTION_F64, /* a whole number; beyond 2^53 the nearest that it holds */
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
	int64_t most; /* of a value, where it is known before; 0: not known */
	bool ends;    /* the ends of the texts of the section before */
	xhprof_section_type type;
	int64_t same;   /* the value of a column that has only one */
	uint64_t bytes; /* without those that fill it up */
	uint64_t at;    /* from the end of the head */
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

/* Names are kept, not copied. Sections that follow are of this document. `head` may be NULL. */
void xhprof_run_file_document(xhprof_run_file *file, const char *name, xhprof_document_head head, const void *from);

/* A column in memory, which stays there until the file is written. */
void xhprof_run_file_column(xhprof_run_file *file, const char *name, size_t count, const int64_t *whole);

void xhprof_run_file_values(xhprof_run_file *file, const char *name, size_t count, xhprof_section_values values,
							void *from, unsigned field);

/* The same, of values from 0 to `bound` - 1, nearly all of which are there: they are not looked at to find the type. */
void xhprof_run_file_indexes(xhprof_run_file *file, const char *name, size_t count, xhprof_section_values values,
							 void *from, unsigned field, size_t bound);

void xhprof_run_file_texts(xhprof_run_file *file, const char *name, size_t count, xhprof_section_text text, void *from);

/* Writes all of it. The writer records errors. */
void xhprof_run_file_write(xhprof_run_file *file, xhprof_writer *writer);

#endif
