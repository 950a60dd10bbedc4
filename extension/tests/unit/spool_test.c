#include "requests.h"

#include "aggregate/spool.h"
#include "aggregate/spool_read.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static bool same_place(const xhprof_merged *a, const xhprof_node *in_a, const xhprof_merged *b, const xhprof_node *in_b)
{
	const xhprof_place *one = &xhprof_symbols_get(&a->tracer.symbols, XHPROF_SYMBOL_ID(in_a->symbol))->place;
	const xhprof_place *other = &xhprof_symbols_get(&b->tracer.symbols, XHPROF_SYMBOL_ID(in_b->symbol))->place;
	return one->file && other->file && one->file->length == other->file->length &&
		   memcmp(one->file->path, other->file->path, one->file->length) == 0 && one->line &&
		   one->line == other->line && one->last_line == other->last_line && *xhprof_node_call_line(in_a) &&
		   *xhprof_node_call_line(in_a) == *xhprof_node_call_line(in_b);
}

static bool same_kept(const xhprof_node_kept *a, const xhprof_node_kept *b, uint64_t times)
{
	return b->kept_bytes == a->kept_bytes * times && b->kept_blocks == a->kept_blocks * times &&
		   b->released_bytes == a->released_bytes * times && b->released_blocks == a->released_blocks * times;
}

static bool same_tree(const xhprof_merged *a, const xhprof_merged *b, uint64_t times)
{
	char path[4096];
	const xhprof_node *stack[16];
	uint32_t depth = 0, nodes = 0;
	for (const xhprof_node *node = a->tracer.tree.root; node; node = xhprof_calltree_next_at(node, &depth)) {
		stack[depth] = node;
		size_t used = 0;
		for (uint32_t i = 1; i <= depth; i++) {
			const xhprof_symbol *name = xhprof_symbols_get(&a->tracer.symbols, XHPROF_SYMBOL_ID(stack[i]->symbol));
			used += (size_t)snprintf(path + used, sizeof(path) - used, "%s%.*s", i > 1 ? ">" : "", (int)name->length,
									 name->name);
		}
		path[used] = '\0';
		nodes++;
		if (a->alloc_bytes &&
			(bytes_at(b, path) != bytes_at(a, path) * times || parts_at(b, path) != parts_at(a, path) * times ||
			 held_at(b, path) != held_at(a, path) * times)) {
			return false;
		}
		if (a->tracer.tree.kept &&
			!same_kept(&a->tracer.tree.kept[node->id], &b->tracer.tree.kept[find_node(b, path)->id], times)) {
			return false;
		}
		if (samples_at(b, path) != node->calls * times ||
			(depth > 1 && !same_place(a, node, b, find_node(b, path)))) { /* routes are no functions */
			return false;
		}
	}
	return nodes == b->tracer.tree.nodes;
}

static bool same_distributions(const xhprof_merged_route *a, const xhprof_merged_route *b, uint64_t times)
{
	for (int measure = 0; measure < XHPROF_MERGED_MEASURES; measure++) {
		const xhprof_distribution *x = &a->distributions[measure], *y = &b->distributions[measure];
		if (x->used != y->used || !x->used) {
			return false;
		}
		for (uint32_t i = 0; i < x->used; i++) {
			if (x->buckets[i].bucket != y->buckets[i].bucket || y->buckets[i].count != times * x->buckets[i].count) {
				return false;
			}
		}
	}
	return true;
}

static void records_keep_allocations(void)
{
	xhprof_merged merged, read, without;
	xhprof_spool_record record;
	uint64_t process = 0;
	merged_new_allocating(&merged);
	merged_new_allocating(&read);
	merged_new(&without);
	fill(&merged, 1);
	merged.tracer.samples.blocks_dropped = 6;
	uint64_t bytes = 0;
	for (uint32_t id = 1; id <= merged.tracer.tree.nodes; id++) {
		bytes += merged.tracer.tree.blocks[id].allocated_bytes;
	}
	CHECK(bytes > 50 << 20);
	CHECK(xhprof_spool_record_make(&record, &merged, 1));
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process) && same_tree(&merged, &read, 1));
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process) && same_tree(&merged, &read, 2));
	CHECK(read.tracer.samples.blocks_dropped == 12);
	CHECK(!xhprof_spool_read_merge(record.bytes, &without, &process) && xhprof_merged_empty(&without));
	xhprof_spool_record_release(&record);
	CHECK(xhprof_spool_record_make(&record, &without, 1) && !xhprof_spool_read_merge(record.bytes, &read, &process));
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
	xhprof_merged_release(&without);
}

/* Adds up a tree's figures. */
typedef struct tree_sums {
	uint64_t samples, bytes, kept, released;
} tree_sums;

static tree_sums sums_of(const xhprof_merged *merged)
{
	tree_sums sums = {0};
	const xhprof_calltree *tree = &merged->tracer.tree;
	for (uint32_t id = 1; id <= tree->nodes; id++) {
		sums.samples += xhprof_calltree_node(tree, id)->calls;
		sums.bytes += tree->blocks[id].allocated_bytes;
		sums.kept += tree->kept ? tree->kept[id].kept_bytes : 0;
		sums.released += tree->kept ? tree->kept[id].released_bytes : 0;
	}
	return sums;
}

static void records_keep_what_is_kept(void)
{
	xhprof_merged merged, read;
	xhprof_spool_record record;
	uint64_t process = 0;
	merged_new_allocating(&merged);
	merged_new_allocating(&read);
	fill(&merged, 1);
	CHECK(!merged.tracer.tree.kept && xhprof_spool_record_make(&record, &merged, 1));
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process) && !read.tracer.tree.kept);
	size_t without = record.size;
	xhprof_merged_release(&read);
	merged_new_allocating(&read);
	xhprof_spool_record_release(&record);
	merged.routes[1].followed = 30;
	merged.unfollowed = 4;
	for (uint32_t id = 2; id <= merged.tracer.tree.nodes; id++) {
		const xhprof_node_kept kept = {id * 1000, id, id * 100, 1};
		xhprof_merged_add_kept(&merged, xhprof_calltree_node(&merged.tracer.tree, id), &kept);
	}
	tree_sums sums = sums_of(&merged);
	CHECK(sums.kept > 0 && sums.kept == 10 * sums.released);
	CHECK(xhprof_spool_record_make(&record, &merged, 1) && record.size > without);
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process));
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process) && same_tree(&merged, &read, 2));
	CHECK(sums_of(&read).kept == 2 * sums.kept && sums_of(&read).released == 2 * sums.released);
	CHECK(read.routes[1].followed == 60 && read.unfollowed == 8);
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
}

/* A record that version 8 has made of 20 requests. */
static void older_records_are_read(void)
{
	static char bytes[8192];
	xhprof_merged read;
	uint64_t process = 0;
	FILE *file = fopen("tests/unit/golden/spool.record-8", "rb");
	size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
	CHECK(size == 3280 && xhprof_spool_read_size(bytes, size) == size);
	merged_new_allocating(&read);
	CHECK(xhprof_spool_read_merge(bytes, &read, &process) && process == 77);
	tree_sums sums = sums_of(&read);
	CHECK(read.requests == 20 && read.route_count == 6 && sums.samples == 182 && sums.bytes >> 20 == 209);
	CHECK(read.tracer.samples.blocks_dropped == 6 && !read.tracer.tree.kept && !read.unfollowed);
	bytes[100] ^= 1;
	CHECK(!xhprof_spool_read_merge(bytes, &read, &process));
	bytes[0] = '7'; /* an older one */
	CHECK(xhprof_spool_read_size(bytes, size) == 0);
	xhprof_merged_release(&read);
	if (file) {
		fclose(file);
	}
}

static void records_keep_every_number(void)
{
	xhprof_merged merged, read;
	xhprof_spool_record record;
	uint64_t process = 0;
	merged_new(&merged);
	merged_new(&read);
	fill(&merged, 1);
	merged.tracer.samples.delayed = 3;
	merged.tracer.samples.dropped = 4;
	merged.tracer.tree.dropped = 5;
	CHECK(xhprof_spool_record_make(&record, &merged, UINT64_MAX));
	CHECK(record.size % XHPROF_SPOOL_ALIGN == 0 && record.size < 8000);
	CHECK(xhprof_spool_read_size(record.bytes, record.size) == record.size);
	CHECK(xhprof_spool_read_size(record.bytes, record.size - 8) == 0);
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process) && process == UINT64_MAX);
	CHECK(same_tree(&merged, &read, 1) && read.requests == merged.requests && read.from == 120 && read.to == 180);
	CHECK(read.tracer.samples.samples == merged.tracer.samples.samples &&
		  read.tracer.samples.taken == merged.tracer.samples.taken && read.tracer.samples.delayed == 3 &&
		  read.tracer.samples.dropped == 4 && read.tracer.tree.dropped == 5);
	CHECK(xhprof_spool_read_merge(record.bytes, &read, &process) && same_tree(&merged, &read, 2));
	uint64_t early = 0, suspended = 0;
	bool same = read.route_count == merged.route_count, grew = false, shrank = false, unknown = false;
	for (uint32_t i = 0; i < merged.route_count; i++) {
		const xhprof_merged_route *a = &merged.routes[i], *b = &read.routes[i];
		same = same && b->requests == 2 * a->requests && b->samples == 2 * a->samples && b->wall_us == 2 * a->wall_us &&
			   b->max_us == a->max_us && b->failed == 2 * a->failed && b->aborted == 2 * a->aborted &&
			   b->cpu_us == 2 * a->cpu_us && same_distributions(a, b, 2) && b->kept_requests == 2 * a->kept_requests &&
			   b->kept == 2 * a->kept && b->early == 2 * a->early && b->after_us == 2 * a->after_us &&
			   b->cut == 2 * a->cut && b->mixed == 2 * a->mixed && b->unsampled == 2 * a->unsampled &&
			   b->unsampled_us == 2 * a->unsampled_us && b->suspended == 2 * a->suspended &&
			   b->suspended_us == 2 * a->suspended_us;
		suspended += a->suspended_us;
		early += a->early;
		grew = grew || a->kept > 0;
		shrank = shrank || a->kept < 0;
		unknown = unknown || a->kept_requests < a->requests;
	}
	CHECK(same && early > 0 && suspended > 0 && grew && shrank && unknown);
	xhprof_merged_keep(&merged.routes[0], 1, INT64_MIN);
	xhprof_merged_keep(&merged.routes[1], 1, INT64_MAX);
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&read);
	merged_new(&read);
	CHECK(xhprof_spool_record_make(&record, &merged, 1) && xhprof_spool_read_merge(record.bytes, &read, &process));
	CHECK(merged.routes[0].kept < -(INT64_C(1) << 52) && read.routes[0].kept == merged.routes[0].kept);
	CHECK(merged.routes[1].kept > INT64_C(1) << 52 && read.routes[1].kept == merged.routes[1].kept);
	read.tracer.sample_interval_us = INTERVAL + 1;
	CHECK(!xhprof_spool_read_merge(record.bytes, &read, &process));
	read.tracer.sample_interval_us = INTERVAL;
	read.tracer.samples.clock = XHPROF_SAMPLE_CPU;
	CHECK(!xhprof_spool_read_merge(record.bytes, &read, &process));
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
}

/* What an extension wrote before requests could be suspended: of GET /a, whose samples are known, and GET /b. */
static const unsigned char record_of_version_8[] = {
	0x38, 0x52, 0x41, 0x58, 0xf6, 0x00, 0x00, 0x00, 0x98, 0x93, 0xa4, 0x44, 0x7c, 0xc8, 0xf3, 0x6c, 0xb8, 0x2e, 0x43,
	0xd1, 0xe6, 0xf9, 0xcf, 0x74, 0x07, 0xe8, 0x07, 0x00, 0x78, 0xb4, 0x01, 0x02, 0x05, 0x02, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x02, 0x06, 0x2f, 0x61, 0x70, 0x70, 0x2f, 0x72, 0x06, 0x2f, 0x61, 0x70, 0x70, 0x2f, 0x6c, 0x06, 0x00, 0x06,
	0x6d, 0x61, 0x69, 0x6e, 0x28, 0x29, 0x00, 0x00, 0x00, 0x00, 0x0b, 0x28, 0x74, 0x72, 0x75, 0x6e, 0x63, 0x61, 0x74,
	0x65, 0x64, 0x29, 0x00, 0x00, 0x00, 0x00, 0x06, 0x47, 0x45, 0x54, 0x20, 0x2f, 0x61, 0x00, 0x00, 0x00, 0x00, 0x03,
	0x72, 0x75, 0x6e, 0x01, 0x03, 0x04, 0x00, 0x04, 0x6c, 0x6f, 0x61, 0x64, 0x02, 0x04, 0x05, 0x00, 0x06, 0x47, 0x45,
	0x54, 0x20, 0x2f, 0x62, 0x00, 0x00, 0x00, 0x02, 0x03, 0x01, 0x01, 0x00, 0x05, 0x88, 0x27, 0xb8, 0x17, 0x88, 0x27,
	0x01, 0x91, 0x4e, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0xbc, 0x05, 0x01, 0x87, 0x02, 0x01, 0x01, 0xee, 0x01, 0x01,
	0x01, 0x80, 0x04, 0x01, 0x06, 0x01, 0x00, 0x01, 0x00, 0xa8, 0x46, 0x64, 0xa8, 0x46, 0x01, 0x91, 0x4e, 0x01, 0x28,
	0x00, 0x00, 0x01, 0x01, 0x84, 0x07, 0x01, 0xa3, 0x02, 0x01, 0x01, 0x52, 0x01, 0x01, 0x80, 0x02, 0x01, 0x05, 0x00,
	0x01, 0x00, 0x00, 0x01, 0x06, 0x00, 0x00, 0x01, 0x03, 0x00, 0x00, 0x02, 0x04, 0x02, 0x0d, 0x03, 0x05, 0x03, 0x0e,
	0x02, 0x03, 0x00, 0x88, 0x27, 0x88, 0x27, 0xb8, 0x17, 0x80, 0x80, 0x40, 0xaa, 0x01, 0x01, 0x03, 0x00, 0x03, 0x00,
	0x00, 0x01, 0x04, 0x02, 0x0d, 0x02, 0x05, 0x03, 0x0e, 0x03, 0x01, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01,
	0x88, 0x27, 0xb8, 0x17, 0x80, 0x80, 0x40, 0xaa, 0x01, 0x01, 0x03, 0x00, 0x03, 0x00, 0x00, 0x01, 0x04, 0x02, 0x0d,
	0x02, 0x05, 0x03, 0x0e, 0x00, 0x00,
};

static void records_of_version_8_are_read(void)
{
	uint64_t bytes[sizeof(record_of_version_8) / 8], process = 0;
	xhprof_merged read;
	xhprof_spool_record record;
	memcpy(bytes, record_of_version_8, sizeof(bytes));
	merged_new(&read);
	CHECK(xhprof_spool_read_size(bytes, sizeof(bytes)) == sizeof(bytes));
	CHECK(xhprof_spool_read_merge(bytes, &read, &process) && process == 7);
	CHECK(read.requests == 2 && read.route_count == 2 && read.from == 120 && read.to == 180);
	CHECK(samples_at(&read, "GET /a>run") == 2 && samples_at(&read, "GET /a>run>load") == 3);
	const xhprof_merged_route *a = &read.routes[0], *b = &read.routes[1];
	CHECK(a->requests == 1 && a->failed == 1 && a->wall_us == 5000 && a->cpu_us == 3000 && a->samples == 5);
	CHECK(a->cut == 1 && a->unsampled == 1 && a->unsampled_us == 700 && a->kept == -5000 && !a->mixed);
	CHECK(b->requests == 1 && b->aborted == 1 && b->wall_us == 9000 && b->max_us == 9000 && b->after_us == 40);
	CHECK(b->mixed == 1 && b->unsampled == 1 && b->unsampled_us == 900 && !b->cut);
	CHECK(!a->suspended && !a->suspended_us && !b->suspended && !b->suspended_us);
	CHECK(read.exemplars.count == 1 && read.exemplars.routes[0].by_kind[0].figures.wall_us == 5000);
	/* Beside a record of today's version: what it has of the same routes is added. */
	merged_request(&read, "GET /b", NULL, 1001);
	CHECK(b->suspended == 1 && b->suspended_us == 200 && xhprof_spool_record_make(&record, &read, 7));
	CHECK(((xhprof_spool_record_head *)record.bytes)->magic == XHPROF_SPOOL_RECORD_MAGIC);
	xhprof_merged_begin(&read, INTERVAL, XHPROF_SAMPLE_WALL, 0, 30000, 4 << 20);
	CHECK(xhprof_spool_read_merge(bytes, &read, &process) && xhprof_spool_read_merge(record.bytes, &read, &process));
	CHECK(read.requests == 5 && b->requests == 3 && b->suspended == 1 && b->suspended_us == 200);
	xhprof_spool_record_release(&record);
	/* Any other version is refused, as are its numbers in one of these; and a flipped bit makes none of another. */
	xhprof_spool_record_head head;
	memcpy(&head, bytes, sizeof(head));
	for (unsigned bit = 0; bit < 32; bit++) {
		head.magic ^= UINT32_C(1) << bit;
		CHECK(xhprof_spool_read_size(memcpy(bytes, &head, sizeof(head)), sizeof(bytes)) == 0);
		head.magic ^= UINT32_C(1) << bit;
	}
	for (uint32_t version = 0x30; version <= 0x3a; version++) {
		head.magic = (XHPROF_SPOOL_RECORD_MAGIC & ~UINT32_C(0xff)) | version;
		head.head_checksum = xhprof_spool_head_checksum(&head);
		memcpy(bytes, &head, sizeof(head));
		CHECK((xhprof_spool_read_size(bytes, sizeof(bytes)) != 0) == (version == 0x38 || version == 0x39));
		CHECK(version != 0x39 || !xhprof_spool_read_merge(bytes, &read, &process));
	}
	xhprof_merged_release(&read);
}

/* Records with valid checksums and contents as an attacker may write them. */
static void hostile_records_are_refused_or_bounded(uint64_t alloc_bytes)
{
	xhprof_merged merged, read;
	xhprof_spool_record record;
	unsigned taken = 0, refused = 0, bad = 0;
	(alloc_bytes ? merged_new_allocating : merged_new)(&merged);
	(alloc_bytes ? merged_new_allocating : merged_new)(&read);
	fill(&merged, 2);
	xhprof_spool_record_make(&record, &merged, 1);
	uint64_t *bytes = malloc(record.size); /* so that a read past the end is detected */
	for (unsigned i = 0; i < 60000; i++) {
		unsigned char *contents = (unsigned char *)bytes + sizeof(xhprof_spool_record_head);
		xhprof_spool_record_head head;
		memcpy(bytes, record.bytes, record.size);
		memcpy(&head, bytes, sizeof(head));
		srand(i);
		for (int changes = rand() % 4 + 1; changes; changes--) {
			size_t at = (size_t)rand() % (rand() % 2 ? 64 : head.length);
			static const unsigned char odd[] = {0, 1, 0x7f, 0x80, 0xff};
			contents[at] = rand() % 2 ? odd[rand() % 5] : (unsigned char)rand();
		}
		head.magic = rand() % 8 ? head.magic : XHPROF_SPOOL_RECORD_MAGIC_8;
		head.length -= rand() % 8 ? 0 : (uint32_t)rand() % head.length;
		head.checksum = xhprof_hash_bytes(contents, head.length, 0);
		head.head_checksum = xhprof_spool_head_checksum(&head);
		memcpy(bytes, &head, sizeof(head));
		uint64_t process;
		size_t size = xhprof_spool_read_size(bytes, record.size);
		bad += size == 0 || size > record.size;
		bool good = xhprof_spool_read_merge(bytes, &read, &process);
		taken += good;
		refused += !good;
		if (xhprof_merged_full(&read, 1000)) {
			xhprof_merged_begin(&read, INTERVAL, XHPROF_SAMPLE_WALL, alloc_bytes, 30000, 4 << 20);
		}
	}
	printf("# %u taken, %u refused\n", taken, refused);
	CHECK(bad == 0 && taken > 100 && refused > 1000);
	CHECK(read.route_count <= XHPROF_MERGED_ROUTES && read.tracer.tree.nodes <= 32000);
	/* The same without corrected checksums. */
	taken = 0;
	for (unsigned i = 0; i < 20000; i++) {
		memcpy(bytes, record.bytes, record.size);
		srand(i);
		((unsigned char *)bytes)[(size_t)rand() % record.size] ^= (unsigned char)(1 << rand() % 8);
		uint64_t process;
		taken += xhprof_spool_read_size(bytes, record.size) && memcmp(bytes, record.bytes, record.size - 8) != 0 &&
				 xhprof_spool_read_merge(bytes, &read, &process);
	}
	CHECK(taken == 0);
	free(bytes);
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
}

static void spool_add(xhprof_spool *spool, xhprof_spool_head *head, unsigned seed, uint64_t process)
{
	xhprof_merged merged;
	xhprof_spool_record record;
	merged_new(&merged);
	fill(&merged, seed);
	xhprof_spool_record_make(&record, &merged, process);
	CHECK(xhprof_spool_append(spool, head, &record, 1000) == 0);
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
}

/* Requests, or UINT64_MAX after an error. */
static uint64_t spool_requests(const xhprof_spool *spool, uint64_t *processes, uint64_t *damaged)
{
	xhprof_spool_head head;
	xhprof_merged merged;
	merged_new(&merged);
	uint64_t requests = UINT64_MAX;
	if (xhprof_spool_read_head(spool, &head) == 0 &&
		xhprof_spool_merge(spool, &head, &merged, processes, damaged) == 0) {
		requests = merged.requests;
	}
	xhprof_merged_release(&merged);
	return requests;
}

static void spool_counts_damaged_records(void)
{
	xhprof_spool spool = XHPROF_SPOOL_CLOSED, other = XHPROF_SPOOL_CLOSED;
	xhprof_spool_head head;
	uint64_t processes, damaged;
	bool made;
	CHECK(xhprof_spool_open(&spool, in_folder("spool"), &made) == 0 && made && spool.fd > 2);
	CHECK(xhprof_spool_open(&spool, in_folder("spool"), &made) == 0 && !made);
	CHECK(xhprof_spool_open(&other, in_folder("spool"), &made) == 0 && !made);
	CHECK(xhprof_spool_lock(&spool, 0) == 0 && xhprof_spool_lock(&other, 2) == EAGAIN);
	CHECK(xhprof_spool_read_head(&spool, &head) == 0 && xhprof_spool_empty(&head) && head.damaged == 0);
	CHECK(spool_requests(&spool, &processes, &damaged) == 0 && processes == 0 && damaged == 0);
	spool_add(&spool, &head, 1, 7);
	uint64_t second = head.end;
	spool_add(&spool, &head, 2, 0);
	uint64_t third = head.end;
	spool_add(&spool, &head, 3, 7);
	CHECK(head.begun_ms == 1000 && !xhprof_spool_empty(&head));
	xhprof_spool_unlock(&spool);
	CHECK(xhprof_spool_lock(&other, 0) == 0);
	CHECK(spool_requests(&other, &processes, &damaged) == 60 && processes == 2 && damaged == 0);
	/* An unfinished record. */
	CHECK(pwrite(spool.fd, "garbage", 7, (off_t)head.end) == 7);
	CHECK(spool_requests(&other, &processes, &damaged) == 60 && damaged == 0);
	/* A damaged record in the middle: its contents, and then its head. */
	char byte;
	CHECK(pread(spool.fd, &byte, 1, (off_t)second + 40) == 1);
	byte ^= 1;
	CHECK(pwrite(spool.fd, &byte, 1, (off_t)second + 40) == 1);
	CHECK(spool_requests(&other, &processes, &damaged) == 40 && processes == 1 && damaged == 1);
	CHECK(pwrite(spool.fd, "xxxx", 4, (off_t)second) == 4);
	CHECK(spool_requests(&other, &processes, &damaged) == 40 && damaged == 1);
	CHECK(pwrite(spool.fd, "xxxx", 4, (off_t)third + 4) == 4);
	CHECK(spool_requests(&other, &processes, &damaged) == 20 && damaged == 1);
	/* A damaged head of the file. */
	CHECK(pwrite(spool.fd, "xxxx", 4, 8) == 4);
	CHECK(spool_requests(&other, &processes, &damaged) == 20 && damaged == 2);
	CHECK(xhprof_spool_clear(&other, &head, 5) == 0 && xhprof_spool_empty(&head));
	CHECK(spool_requests(&other, &processes, &damaged) == 0 && damaged == 5);
	/* A file of noise only. */
	char noise[5000];
	for (unsigned i = 0; i < 200; i++) {
		srand(i);
		size_t length = (size_t)rand() % sizeof(noise);
		for (size_t at = 0; at < length; at++) {
			noise[at] = (char)rand();
		}
		if (ftruncate(spool.fd, 0) != 0 || pwrite(spool.fd, noise, length, 0) != (ssize_t)length ||
			spool_requests(&other, &processes, &damaged) != 0 || damaged > 2) {
			CHECK(!"noise is nothing");
		}
	}
	xhprof_spool_close(&spool);
	xhprof_spool_close(&other);
	CHECK(spool.fd == -1);
	unlink(in_folder("spool"));
}

static void spool_awaits_processes_that_hold_a_window(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED, b = XHPROF_SPOOL_CLOSED;
	const char *path = in_folder("spool");
	xhprof_spool_open(&a, path, NULL);
	xhprof_spool_open(&b, path, NULL);
	CHECK(!xhprof_spool_awaited(&a, UINT32_MAX));
	xhprof_spool_hold(&b, 100);
	CHECK(xhprof_spool_awaited(&a, 100) && xhprof_spool_awaited(&a, 101) && !xhprof_spool_awaited(&a, 99));
	CHECK(!xhprof_spool_awaited(&b, 100)); /* its own do not count */
	xhprof_spool_hold(&b, 101);
	CHECK(!xhprof_spool_awaited(&a, 100) && xhprof_spool_awaited(&a, 101));
	/* A forked child that has the file open, and closes it, does not release its parent's lock. */
	if (fork() == 0) {
		xhprof_spool_forget(&b);
		_exit(0);
	}
	wait(NULL);
	CHECK(xhprof_spool_awaited(&a, 101));
	xhprof_spool_let_go(&b);
	CHECK(!xhprof_spool_awaited(&a, 101));
	xhprof_spool_hold(&b, 102);
	pid_t child = fork();
	if (child == 0) { /* it stays alive with the file open */
		pause();
		_exit(0);
	}
	xhprof_spool_close(&b);
	CHECK(!xhprof_spool_awaited(&a, UINT32_MAX));
	kill(child, SIGKILL);
	wait(NULL);
	/* A killed process has no data. */
	child = fork();
	if (child == 0) {
		xhprof_spool_open(&b, path, NULL);
		xhprof_spool_hold(&b, 5);
		xhprof_spool_lock(&b, 0);
		kill(getpid(), SIGKILL);
	}
	waitpid(child, NULL, 0);
	CHECK(!xhprof_spool_awaited(&a, UINT32_MAX) && xhprof_spool_lock(&a, 0) == 0);
	xhprof_spool_close(&a);
	unlink(path);
}

static void files_of_others_are_not_opened(void)
{
	xhprof_spool spool = XHPROF_SPOOL_CLOSED;
	const char *path = in_folder("spool");
	CHECK(symlink("/etc/passwd", path) == 0 && xhprof_spool_open(&spool, path, NULL) == ELOOP);
	unlink(path);
	CHECK(mkfifo(path, 0600) == 0 && xhprof_spool_open(&spool, path, NULL) == EPERM);
	unlink(path);
	CHECK(mkdir(path, 0700) == 0 && xhprof_spool_open(&spool, path, NULL) == EISDIR);
	rmdir(path);
	CHECK(xhprof_spool_open(&spool, in_folder("missing/spool"), NULL) == ENOENT && spool.fd == -1);
	/* A program that closes all descriptors, and reuses the numbers for files of its own. */
	path = in_folder("spool");
	CHECK(xhprof_spool_open(&spool, path, NULL) == 0);
	int number = spool.fd, mine = open("/dev/null", O_RDONLY);
	CHECK(dup2(mine, number) == number);
	xhprof_spool_hold(&spool, 5);
	CHECK(!spool.holds && xhprof_spool_open(&spool, path, NULL) == 0 && spool.fd != number);
	CHECK(fcntl(number, F_GETFD) >= 0);
	/* The file was removed. */
	xhprof_spool_hold(&spool, 6);
	unlink(path);
	bool made;
	CHECK(xhprof_spool_open(&spool, path, &made) == 0 && made && spool.holds && spool.window == 6);
	xhprof_spool_close(&spool);
	close(number);
	close(mine);
	unlink(path);
}

/* What a file may hold: a full disk refuses to write more, not to make the file longer without writing. */
static off_t room = INT64_MAX;

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
	if (length && offset >= room) {
		errno = ENOSPC;
		return -1;
	}
	length = (off_t)length > room - offset ? (size_t)(room - offset) : length;
	return syscall(SYS_pwrite64, fd, bytes, length, offset);
}

static int append_within(xhprof_spool *spool, xhprof_spool_head *head, const xhprof_spool_record *record, size_t bytes)
{
	room = (off_t)bytes;
	int error = xhprof_spool_append(spool, head, record, 1000);
	room = INT64_MAX;
	return error;
}

static void full_disk_loses_one_record(void)
{
	xhprof_spool spool = XHPROF_SPOOL_CLOSED;
	xhprof_spool_head head;
	uint64_t processes, damaged;
	xhprof_merged merged;
	xhprof_spool_record record;
	merged_new(&merged);
	fill(&merged, 2);
	xhprof_spool_record_make(&record, &merged, 1);
	size_t whole = sizeof(head) + record.size;
	const size_t rooms[] = {0, 8, sizeof(head) - 8, sizeof(head), sizeof(head) + 8, whole - 8, whole, whole + 8};
	xhprof_spool_open(&spool, in_folder("spool"), NULL);
	for (size_t i = 0; i < sizeof(rooms) / sizeof(*rooms); i++) {
		xhprof_spool_read_head(&spool, &head);
		CHECK(append_within(&spool, &head, &record, rooms[i]) == (rooms[i] == whole ? 0 : ENOSPC));
		CHECK(spool_requests(&spool, &processes, &damaged) == (rooms[i] < whole ? 0 : 20) && damaged == 0);
	}
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_spool_close(&spool);
	unlink(in_folder("spool"));
}

static void record_that_does_not_fit_is_refused(void)
{
	xhprof_spool spool = XHPROF_SPOOL_CLOSED;
	xhprof_spool_head head;
	uint64_t processes, damaged;
	xhprof_spool_open(&spool, in_folder("spool"), NULL);
	xhprof_spool_read_head(&spool, &head);
	spool_add(&spool, &head, 1, 1);
	struct rlimit before, limit;
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = head.end + 100;
	setrlimit(RLIMIT_FSIZE, &limit);
	xhprof_merged merged;
	xhprof_spool_record record;
	merged_new(&merged);
	fill(&merged, 2);
	xhprof_spool_record_make(&record, &merged, 1);
	int refused = xhprof_spool_append(&spool, &head, &record, 1000);
	setrlimit(RLIMIT_FSIZE, &before); /* of stdout too */
	CHECK(refused == EFBIG);          /* and no signal has ended this process */
	CHECK(spool_requests(&spool, &processes, &damaged) == 20 && damaged == 0);
	CHECK(xhprof_spool_append(&spool, &head, &record, 1000) == 0);
	CHECK(spool_requests(&spool, &processes, &damaged) == 40);
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_spool_close(&spool);
	unlink(in_folder("spool"));
}

int main(void)
{
	CHECK(folder_make());
	records_keep_every_number();
	records_keep_allocations();
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) { /* as it was on the machine that wrote it */
		records_of_version_8_are_read();
	}
	records_keep_what_is_kept();
	older_records_are_read();
	hostile_records_are_refused_or_bounded(0);
	hostile_records_are_refused_or_bounded(ALLOC_BYTES);
	spool_counts_damaged_records();
	spool_awaits_processes_that_hold_a_window();
	files_of_others_are_not_opened();
	record_that_does_not_fit_is_refused();
	full_disk_loses_one_record();
	CHECK(rmdir(folder) == 0);
	return unit_end();
}
