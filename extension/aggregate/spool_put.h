/* Writers of the pieces of a spool's record. Each puts one at `to`, which has room for it unless `end` says where
 * the room ends, and returns where the next one goes. */
#ifndef XHPROF_AGGREGATE_SPOOL_PUT_H
#define XHPROF_AGGREGATE_SPOOL_PUT_H

#include "spool_fields.h"

char *xhprof_spool_put_number(char *to, uint64_t number);

/* Puts the files of places. NULL if they do not fit. `files` may be NULL. */
char *xhprof_spool_put_files(char *to, const char *end, const xhprof_file_list *files);
char *xhprof_spool_put_place(char *to, const xhprof_place *place);

char *xhprof_spool_put_numbers(char *to, const uint64_t *numbers, size_t count);

/* Puts a node. `node` NULL: all of its numbers are 0. `blocks`: what it has allocated; NULL in a record without
 * blocks. `kept`: what it has kept; NULL in a record without kept blocks. */
char *xhprof_spool_put_node(char *to, uint32_t depth, uint32_t name, const xhprof_node *node,
							const xhprof_node_blocks *blocks, const xhprof_node_kept *kept);

/* Puts a route. `name`: the id of its name in the record. */
char *xhprof_spool_put_route(char *to, uint32_t name, const xhprof_merged_route *route);
char *xhprof_spool_put_exemplar_numbers(char *to, uint64_t key, const xhprof_exemplar_figures *figures, uint32_t nodes);

/* Puts the head in front of `length` bytes of contents; returns the size of the record. `to`: where the record
 * begins. */
size_t xhprof_spool_put_head(char *to, size_t length);

#endif
