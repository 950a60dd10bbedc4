/* The fields of a spool's record, for its writers and its reader: numbers of 7 bits a byte, in the orders below. */
#ifndef XHPROF_AGGREGATE_SPOOL_FIELDS_H
#define XHPROF_AGGREGATE_SPOOL_FIELDS_H

#include "merged.h"

#define XHPROF_SPOOL_ALIGN 8u
#define XHPROF_SPOOL_RECORD_MAGIC UINT32_C(0x58415239)   /* "XAR9" */
#define XHPROF_SPOOL_RECORD_MAGIC_8 UINT32_C(0x58415238) /* of the version before, which is read too */
#define XHPROF_SPOOL_NUMBER_ROOM 10                      /* bytes that 64 bits take */
#define XHPROF_SPOOL_LARGEST_NUMBER ((UINT64_C(1) << 53) - 1)

typedef struct xhprof_spool_record_head {
	uint32_t magic;
	uint32_t length; /* of the rest, without the padding */
	uint64_t checksum;
	uint64_t head_checksum; /* of the three above */
} xhprof_spool_record_head;

/* Returns the checksum of a record's head. The seed is the same for all versions: so one does not become another by a
 * flipped bit. */
static inline uint64_t xhprof_spool_head_checksum(const xhprof_spool_record_head *head)
{
	return xhprof_hash_bytes(head, offsetof(xhprof_spool_record_head, head_checksum), XHPROF_SPOOL_RECORD_MAGIC_8);
}

/* Returns the size of a record: its head, `length` bytes and padding. */
static inline size_t xhprof_spool_record_size_of(size_t length)
{
	return (sizeof(xhprof_spool_record_head) + length + XHPROF_SPOOL_ALIGN - 1) & ~(size_t)(XHPROF_SPOOL_ALIGN - 1);
}

/* Numbers of a record. */
enum {
	XHPROF_SPOOL_FIELD_PROCESS,
	XHPROF_SPOOL_FIELD_INTERVAL,
	XHPROF_SPOOL_FIELD_CLOCK,
	XHPROF_SPOOL_FIELD_FROM,
	XHPROF_SPOOL_FIELD_TO,
	XHPROF_SPOOL_FIELD_REQUESTS,
	XHPROF_SPOOL_FIELD_SAMPLES,
	XHPROF_SPOOL_FIELD_TAKEN,
	XHPROF_SPOOL_FIELD_DELAYED,
	XHPROF_SPOOL_FIELD_DROPPED,
	XHPROF_SPOOL_FIELD_NODES_DROPPED,
	XHPROF_SPOOL_FIELD_ALLOC_BYTES, /* 0: nodes have no numbers of blocks */
	XHPROF_SPOOL_FIELD_BLOCKS_DROPPED,
	XHPROF_SPOOL_FIELD_HAS_KEPT, /* 0: nodes of the tree have no numbers of kept blocks */
	XHPROF_SPOOL_FIELD_UNFOLLOWED,
	XHPROF_SPOOL_FIELDS,
	XHPROF_SPOOL_FIELDS_8 = XHPROF_SPOOL_FIELD_HAS_KEPT
};

/* Numbers of a node, of the tree or of an exemplar. */
enum {
	XHPROF_SPOOL_NODE_DEPTH,
	XHPROF_SPOOL_NODE_NAME,
	XHPROF_SPOOL_NODE_CALLS,
	XHPROF_SPOOL_NODE_LINE,
	XHPROF_SPOOL_NODE_ALLOCATED_BYTES,
	XHPROF_SPOOL_NODE_ALLOCATED_BLOCKS, /* in parts */
	XHPROF_SPOOL_NODE_PEAK_BYTES,
	XHPROF_SPOOL_NODE_KEPT_BYTES,  /* never of an exemplar */
	XHPROF_SPOOL_NODE_KEPT_BLOCKS, /* in parts */
	XHPROF_SPOOL_NODE_RELEASED_BYTES,
	XHPROF_SPOOL_NODE_RELEASED_BLOCKS,
	XHPROF_SPOOL_NODE_NUMBERS,
	XHPROF_SPOOL_NODE_SHORT = XHPROF_SPOOL_NODE_ALLOCATED_BYTES, /* numbers of one without blocks */
	XHPROF_SPOOL_NODE_ALLOCATING = XHPROF_SPOOL_NODE_KEPT_BYTES  /* numbers of one without kept blocks */
};

/* Numbers of a route, behind its name, as SUM(NUMBER, field) for those that are added up and OTHER(NUMBER, field). */
#define XHPROF_SPOOL_ROUTE(SUM, OTHER)  \
	SUM(REQUESTS, requests)             \
	SUM(FAILED, failed)                 \
	SUM(ABORTED, aborted)               \
	SUM(SAMPLES, samples)               \
	SUM(WALL, wall_us)                  \
	SUM(CPU, cpu_us)                    \
	OTHER(MAX, max_us)                  \
	OTHER(KEPT_REQUESTS, kept_requests) \
	OTHER(KEPT, kept) /* signed */      \
	SUM(EARLY, early)                   \
	SUM(AFTER, after_us)                \
	SUM(ALLOCATING, allocating)         \
	SUM(CUT, cut)                       \
	SUM(MIXED, mixed)                   \
	SUM(UNSAMPLED, unsampled)           \
	SUM(UNSAMPLED_US, unsampled_us)     \
	SUM(SUSPENDED, suspended)           \
	SUM(SUSPENDED_US, suspended_us)     \
	SUM(FOLLOWED, followed)             \
	SUM(UNHELD, unheld)
#define NUMBER(name, field) XHPROF_SPOOL_ROUTE_##name,
enum {
	XHPROF_SPOOL_ROUTE(NUMBER, NUMBER) XHPROF_SPOOL_ROUTE_NUMBERS,
	XHPROF_SPOOL_ROUTE_NUMBERS_8 = XHPROF_SPOOL_ROUTE_SUSPENDED /* of a record of version 8 */
};
#undef NUMBER

/* Numbers of an exemplar, behind its route's name and its kind. */
enum {
	XHPROF_SPOOL_EXEMPLAR_KEY,
	XHPROF_SPOOL_EXEMPLAR_WALL,
	XHPROF_SPOOL_EXEMPLAR_CPU,
	XHPROF_SPOOL_EXEMPLAR_PEAK,
	XHPROF_SPOOL_EXEMPLAR_ENDED,
	XHPROF_SPOOL_EXEMPLAR_FAILED,
	XHPROF_SPOOL_EXEMPLAR_NODES,
	XHPROF_SPOOL_EXEMPLAR_TRACE,                                  /* four numbers, of 32 bits each */
	XHPROF_SPOOL_EXEMPLAR_SPAN = XHPROF_SPOOL_EXEMPLAR_TRACE + 4, /* two numbers */
	XHPROF_SPOOL_EXEMPLAR_NUMBERS = XHPROF_SPOOL_EXEMPLAR_SPAN + 2,
	XHPROF_SPOOL_EXEMPLAR_NUMBERS_8 = XHPROF_SPOOL_EXEMPLAR_TRACE
};

/* The number of exemplars comes first. XHPROF_SPOOL_ITSELF: the record is of one request, which is its own exemplar. */
#define XHPROF_SPOOL_MOST_EXEMPLARS ((size_t)XHPROF_EXEMPLAR_ROUTES * XHPROF_EXEMPLAR_KINDS)
#define XHPROF_SPOOL_ITSELF (XHPROF_SPOOL_MOST_EXEMPLARS + 1)

#endif
