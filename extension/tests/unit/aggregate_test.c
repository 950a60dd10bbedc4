#include "unit.h"

#include "request/aggregate_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INTERVAL 1000u /* us */

static char folder[256];

/* A request whose samples are counted. */
static void request_begin(xhprof_tracer *profile, uint32_t max_nodes)
{
	xhprof_tracer_options options = {.max_nodes = max_nodes, .clock = XHPROF_CLOCK_MONOTONIC};
	xhprof_tracer_prepare(profile, &options);
	profile->tree.root->calls = 0;
	profile->sample_interval_us = INTERVAL;
	profile->samples.only_counts = true;
}

/* `path`: names with ">" between them. */
static void request_sample(xhprof_tracer *profile, const char *path, uint64_t count)
{
	xhprof_node *node = profile->tree.root;
	while (*path) {
		size_t length = strcspn(path, ">");
		node =
			xhprof_calltree_child(&profile->tree, node, xhprof_symbols_intern(&profile->symbols, path, length, 0, 0));
		path += length + (path[length] == '>');
	}
	xhprof_sample_log_add(&profile->samples, 1, count, node, 0);
}

static void merged_new(xhprof_merged *merged)
{
	memset(merged, 0, sizeof(*merged));
	xhprof_merged_begin(merged, INTERVAL, XHPROF_SAMPLE_WALL, 30000, 4 << 20);
}

static void merged_request(xhprof_merged *merged, const char *route, const xhprof_tracer *profile, uint64_t wall_us)
{
	xhprof_merged_span(merged, 120, 180);
	xhprof_merged_add(merged, xhprof_merged_find(merged, route, strlen(route)), profile, true, wall_us);
}

static const xhprof_node *find_node(const xhprof_merged *merged, const char *path)
{
	const xhprof_node *node = merged->tracer.tree.root;
	while (node && *path) {
		size_t length = strcspn(path, ">");
		for (node = xhprof_node_first_child(node); node; node = xhprof_node_next_sibling(node)) {
			const xhprof_symbol *name = xhprof_symbols_get(&merged->tracer.symbols, XHPROF_SYMBOL_ID(node->symbol));
			if (name->length == length && memcmp(name->name, path, length) == 0) {
				break;
			}
		}
		path += length + (path[length] == '>');
	}
	return node;
}

static uint64_t samples_at(const xhprof_merged *merged, const char *path)
{
	const xhprof_node *node = find_node(merged, path);
	return node ? node->calls : UINT64_MAX;
}

static uint64_t tree_sum(const xhprof_merged *merged)
{
	uint64_t sum = 0;
	for (const xhprof_node *node = merged->tracer.tree.root; node; node = xhprof_calltree_next(node)) {
		sum += node->calls;
	}
	return sum;
}

static void requests_are_merged(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	merged_new(&merged);
	CHECK(xhprof_merged_empty(&merged));
	request_begin(&profile, 1000);
	request_sample(&profile, "a>b>c", 3);
	request_sample(&profile, "", 2);
	request_sample(&profile, "a>x", 0);
	request_sample(&profile, "a>b", 1);
	request_sample(&profile, "d>b", 4);
	merged_request(&merged, "GET /x", &profile, 500);
	CHECK(samples_at(&merged, "GET /x") == 2 && samples_at(&merged, "GET /x>a>b>c") == 3);
	CHECK(samples_at(&merged, "GET /x>a") == 0 && samples_at(&merged, "GET /x>a>b") == 1);
	CHECK(samples_at(&merged, "GET /x>d>b") == 4 && !find_node(&merged, "GET /x>a>x"));
	request_begin(&profile, 1000);
	request_sample(&profile, "d", 1);
	request_sample(&profile, "a>b>c", 5);
	merged_request(&merged, "GET /x", &profile, 700);
	merged_request(&merged, "GET /y", &profile, 100);
	merged_request(&merged, "GET /y", NULL, 50); /* that was too short */
	CHECK(samples_at(&merged, "GET /x>a>b>c") == 8 && samples_at(&merged, "GET /y>a>b>c") == 5);
	CHECK(samples_at(&merged, "GET /x>d") == 1 && samples_at(&merged, "GET /x>d>b") == 4);
	CHECK(merged.requests == 4 && merged.tracer.samples.samples == 22 && tree_sum(&merged) == 22);
	CHECK(merged.routes[0].requests == 2 && merged.routes[0].samples == 16 && merged.routes[0].wall_us == 1200 &&
		  merged.routes[0].max_us == 700);
	CHECK(merged.routes[1].requests == 2 && merged.routes[1].samples == 6 && merged.routes[1].wall_us == 150);
	CHECK(merged.from == 120 && merged.to == 180 && !xhprof_merged_empty(&merged));
	xhprof_merged_finish(&merged);
	CHECK(merged.tracer.stopped && merged.tracer.duration_ns == UINT64_C(22000000));
	CHECK(find_node(&merged, "GET /x>a>b>c")->self_wall == UINT64_C(8000000));
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 1000, 1 << 20);
	CHECK(xhprof_merged_empty(&merged) && merged.requests == 0 && tree_sum(&merged) == 0);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void merging_is_bounded(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	char name[3000];
	memset(&merged, 0, sizeof(merged));
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 50, 1 << 20);
	request_begin(&profile, 1000);
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "f%d>g", i);
		request_sample(&profile, name, 1);
	}
	CHECK(xhprof_merged_full(&merged, profile.tree.nodes) && !xhprof_merged_full(&merged, 10));
	merged_request(&merged, "r", &profile, 1);
	CHECK(merged.tracer.tree.nodes <= 50 + 50 / 16 + 16 && tree_sum(&merged) == 100 && merged.tracer.tree.dropped > 0);
	CHECK(find_node(&merged, "r>(truncated)") != NULL);

	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 30000, 1 << 20);
	for (int i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "GET /%d", i);
		merged_request(&merged, name, NULL, 1);
	}
	CHECK(merged.route_count == XHPROF_MERGED_ROUTES && merged.requests == 3000);
	CHECK(merged.routes[XHPROF_MERGED_ROUTES].requests == 2500 && merged.routes[499].requests == 1);
	CHECK(find_node(&merged, "(other routes)") && merged.tracer.tree.nodes == XHPROF_MERGED_ROUTES + 2);
	CHECK(merged.tracer.symbols.count < 600); /* names of what is no route are not kept */
	merged_request(&merged, "(other routes)", NULL, 1);
	merged_request(&merged, "GET /7", NULL, 1);
	CHECK(merged.routes[XHPROF_MERGED_ROUTES].requests == 2501 && merged.routes[7].requests == 2);

	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 30000, 1 << 20);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	request_begin(&profile, 1000);
	request_sample(&profile, name, 1);
	merged_request(&merged, "", &profile, 1);
	name[XHPROF_MERGED_NAME_MAX] = '\0';
	char path[4000];
	snprintf(path, sizeof(path), "(no name)>%s", name);
	CHECK(samples_at(&merged, path) == 1);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void deep_paths(void)
{
	xhprof_tracer profile = {0};
	xhprof_merged merged;
	merged_new(&merged);
	request_begin(&profile, 30000);
	xhprof_node *node = profile.tree.root;
	for (int i = 0; i < 20000; i++) {
		node = xhprof_calltree_child(&profile.tree, node, xhprof_symbols_intern(&profile.symbols, "f", 1, 0, 0));
	}
	xhprof_sample_log_add(&profile.samples, 1, 1, node, 0);
	merged_request(&merged, "r", &profile, 1);
	CHECK(merged.tracer.tree.nodes == 20002 && tree_sum(&merged) == 1);
	CHECK(merged.scratch_size <= 256 * 1024);
	xhprof_merged_release(&merged);
	xhprof_tracer_release(&profile);
}

static void without_memory(void)
{
	xhprof_tracer profile = {0};
	request_begin(&profile, 30000);
	for (int i = 0; i < 3000; i++) {
		char path[64];
		snprintf(path, sizeof(path), "f%d>g%d>h", i, i % 7);
		request_sample(&profile, path, 1);
	}
	unsigned bad = 0;
	for (int mmaps = 0; mmaps < 24; mmaps++) {
		xhprof_merged merged;
		memset(&merged, 0, sizeof(merged));
		unit_mmaps = mmaps;
		if (xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 30000, 4 << 20)) {
			xhprof_merged_route *route = xhprof_merged_find(&merged, "r", 1);
			if (route) {
				xhprof_merged_add(&merged, route, &profile, true, 5);
				bad += route->requests != 1 || route->samples != 3000 || tree_sum(&merged) != 3000;
			}
			xhprof_spool_record record;
			if (xhprof_spool_record_make(&record, &merged, 1)) {
				xhprof_spool_record_release(&record);
			}
		}
		unit_mmaps = -1;
		xhprof_merged_release(&merged);
	}
	CHECK(bad == 0);
	xhprof_tracer_release(&profile);
}

/* A tree of some routes, paths and odd names. */
static void fill(xhprof_merged *merged, unsigned seed)
{
	xhprof_tracer profile = {0};
	char path[128], route[32];
	srand(seed);
	for (int request = 0; request < 20; request++) {
		request_begin(&profile, 10000);
		for (int i = 0; i < 10; i++) {
			snprintf(path, sizeof(path), "f%d>g\xff%d>h%d", rand() % 5, rand() % 5, rand() % 5);
			request_sample(&profile, path, (uint64_t)(rand() % 3));
		}
		snprintf(route, sizeof(route), "GET /%d", rand() % 6);
		merged_request(merged, route, &profile, (uint64_t)(rand() % 1000));
	}
	xhprof_tracer_release(&profile);
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
		if (samples_at(b, path) != node->calls * times) {
			return false;
		}
	}
	return nodes == b->tracer.tree.nodes;
}

static void records_tell_all(void)
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
	CHECK(xhprof_spool_record_size(record.bytes, record.size) == record.size);
	CHECK(xhprof_spool_record_size(record.bytes, record.size - 8) == 0);
	CHECK(xhprof_spool_record_merge(record.bytes, &read, &process) && process == UINT64_MAX);
	CHECK(same_tree(&merged, &read, 1) && read.requests == merged.requests && read.from == 120 && read.to == 180);
	CHECK(read.tracer.samples.samples == merged.tracer.samples.samples &&
		  read.tracer.samples.taken == merged.tracer.samples.taken && read.tracer.samples.delayed == 3 &&
		  read.tracer.samples.dropped == 4 && read.tracer.tree.dropped == 5);
	CHECK(xhprof_spool_record_merge(record.bytes, &read, &process) && same_tree(&merged, &read, 2));
	bool same = read.route_count == merged.route_count;
	for (uint32_t i = 0; i < merged.route_count; i++) {
		const xhprof_merged_route *a = &merged.routes[i], *b = &read.routes[i];
		same = same && b->requests == 2 * a->requests && b->samples == 2 * a->samples && b->wall_us == 2 * a->wall_us &&
			   b->max_us == a->max_us;
	}
	CHECK(same);
	read.tracer.sample_interval_us = INTERVAL + 1;
	CHECK(!xhprof_spool_record_merge(record.bytes, &read, &process));
	read.tracer.sample_interval_us = INTERVAL;
	read.tracer.samples.clock = XHPROF_SAMPLE_CPU;
	CHECK(!xhprof_spool_record_merge(record.bytes, &read, &process));
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
}

/* Records that say they are whole, of whatever an attacker may write. */
static void hostile_records(void)
{
	xhprof_merged merged, read;
	xhprof_spool_record record;
	unsigned taken = 0, refused = 0, bad = 0;
	merged_new(&merged);
	merged_new(&read);
	fill(&merged, 2);
	xhprof_spool_record_make(&record, &merged, 1);
	uint64_t *bytes = malloc(record.size); /* so that a read past the end is seen */
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
		head.length -= rand() % 8 ? 0 : (uint32_t)rand() % head.length;
		head.checksum = xhprof_hash_bytes(contents, head.length, 0);
		head.head_checksum = xhprof_hash_bytes(&head, offsetof(xhprof_spool_record_head, head_checksum), head.magic);
		memcpy(bytes, &head, sizeof(head));
		uint64_t process;
		size_t size = xhprof_spool_record_size(bytes, record.size);
		bad += size == 0 || size > record.size;
		bool good = xhprof_spool_record_merge(bytes, &read, &process);
		taken += good;
		refused += !good;
		if (xhprof_merged_full(&read, 1000)) {
			xhprof_merged_begin(&read, INTERVAL, XHPROF_SAMPLE_WALL, 30000, 4 << 20);
		}
	}
	printf("# %u taken, %u refused\n", taken, refused);
	CHECK(bad == 0 && taken > 100 && refused > 1000);
	CHECK(read.route_count <= XHPROF_MERGED_ROUTES && read.tracer.tree.nodes <= 32000);
	/* And without the checksums. */
	taken = 0;
	for (unsigned i = 0; i < 20000; i++) {
		memcpy(bytes, record.bytes, record.size);
		srand(i);
		((unsigned char *)bytes)[(size_t)rand() % record.size] ^= (unsigned char)(1 << rand() % 8);
		uint64_t process;
		taken += xhprof_spool_record_size(bytes, record.size) && memcmp(bytes, record.bytes, record.size - 8) != 0 &&
				 xhprof_spool_record_merge(bytes, &read, &process);
	}
	CHECK(taken == 0);
	free(bytes);
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
}

static const char *in_folder(const char *name)
{
	static char path[512];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
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

static void spools(void)
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
	/* One that was never finished. */
	CHECK(pwrite(spool.fd, "garbage", 7, (off_t)head.end) == 7);
	CHECK(spool_requests(&other, &processes, &damaged) == 60 && damaged == 0);
	/* A damaged one in the middle: its contents, and then its head. */
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
	/* A file of nothing but noise. */
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

static void who_has_data(void)
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
	/* A forked child that has the file open, and gives it up, does not let go for its parent. */
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
	if (child == 0) { /* it lives on with the file */
		pause();
		_exit(0);
	}
	xhprof_spool_close(&b);
	CHECK(!xhprof_spool_awaited(&a, UINT32_MAX));
	kill(child, SIGKILL);
	wait(NULL);
	/* Who is killed has no data. */
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

static void files_of_others(void)
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
	/* A program that closes all descriptors, and uses the numbers for files of its own. */
	path = in_folder("spool");
	CHECK(xhprof_spool_open(&spool, path, NULL) == 0);
	int number = spool.fd, mine = open("/dev/null", O_RDONLY);
	CHECK(dup2(mine, number) == number);
	xhprof_spool_hold(&spool, 5);
	CHECK(!spool.holds && xhprof_spool_open(&spool, path, NULL) == 0 && spool.fd != number);
	CHECK(fcntl(number, F_GETFD) >= 0);
	/* Someone has removed the file. */
	xhprof_spool_hold(&spool, 6);
	unlink(path);
	bool made;
	CHECK(xhprof_spool_open(&spool, path, &made) == 0 && made && spool.holds && spool.window == 6);
	xhprof_spool_close(&spool);
	close(number);
	close(mine);
	unlink(path);
}

static void no_room_on_disk(void)
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
	CHECK(xhprof_spool_append(&spool, &head, &record, 1000) == EFBIG); /* and no signal has ended this */
	setrlimit(RLIMIT_FSIZE, &before);
	CHECK(spool_requests(&spool, &processes, &damaged) == 20 && damaged == 0);
	CHECK(xhprof_spool_append(&spool, &head, &record, 1000) == 0);
	CHECK(spool_requests(&spool, &processes, &damaged) == 40);
	xhprof_spool_record_release(&record);
	xhprof_merged_release(&merged);
	xhprof_spool_close(&spool);
	unlink(in_folder("spool"));
}

static unsigned runs_saved;

static void count_run(const xhprof_aggregate_place *place, uint64_t bytes)
{
	runs_saved += place->seconds && bytes;
}

static const xhprof_run_engine engine = {.sapi = "unit", .php = "0", .version = "0"};

static xhprof_aggregate_place place_here(uint32_t seconds)
{
	xhprof_aggregate_place place = {.source = "t", .seconds = seconds, .interval_us = INTERVAL};
	memcpy(place.directory, folder, strlen(folder) + 1);
	return place;
}

static uint64_t number_after(const char *text, const char *what)
{
	const char *at = strstr(text, what);
	return at ? strtoull(at + strlen(what), NULL, 10) : UINT64_MAX;
}

/* What all runs in the folder say together; they are removed. */
typedef struct totals {
	unsigned runs, files, spools;
	uint64_t requests, processes, damaged, from, to;
	char meta[65536]; /* of the last */
} totals;

static totals read_runs(bool keep_spools)
{
	static totals sum;
	memset(&sum, 0, sizeof(sum));
	DIR *files = opendir(folder);
	const struct dirent *entry;
	while ((entry = readdir(files))) {
		const char *path = in_folder(entry->d_name);
		bool spool = strstr(entry->d_name, ".spool") != NULL;
		if (entry->d_type == DT_DIR) {
			continue;
		}
		sum.files++;
		sum.spools += spool;
		if (strstr(entry->d_name, ".meta.json")) {
			int fd = open(path, O_RDONLY);
			ssize_t length = read(fd, sum.meta, sizeof(sum.meta) - 1);
			close(fd);
			sum.meta[length > 0 ? length : 0] = '\0';
			const char *aggregate = strstr(sum.meta, "\"aggregate\":{");
			sum.runs++;
			sum.requests += aggregate ? number_after(aggregate, "\"requests\":") : 0;
			sum.processes += aggregate ? number_after(aggregate, "\"processes\":") : 0;
			sum.damaged += aggregate ? number_after(aggregate, "\"damaged\":") : 0;
			sum.from = aggregate ? number_after(aggregate, "\"from\":") : 0;
			sum.to = aggregate ? number_after(aggregate, "\"to\":") : 0;
		}
		if (!spool || !keep_spools) {
			unlink(path);
		}
	}
	closedir(files);
	return sum;
}

/* One process's window: its data go to the spool at a time of our choosing. */
static int flush_at(xhprof_spool *spool, const xhprof_aggregate_place *place, uint64_t window, xhprof_flush why,
					uint64_t now_ms, uint64_t process)
{
	xhprof_aggregate_saver saver = {&engine, count_run, process, now_ms};
	xhprof_merged merged;
	int save_error;
	memset(&merged, 0, sizeof(merged));
	xhprof_merged_begin(&merged, INTERVAL, XHPROF_SAMPLE_WALL, 30000, 4 << 20);
	if (window != UINT64_MAX) {
		fill(&merged, 1);
		merged.from = window * place->seconds;
		merged.to = merged.from + place->seconds;
	}
	int error = xhprof_aggregate_flush(place, spool, &merged, window, why, &saver, &save_error);
	xhprof_merged_release(&merged);
	return error ? error : save_error;
}

static void hold_window(xhprof_spool *spool, const xhprof_aggregate_place *place, uint64_t window)
{
	xhprof_aggregate_saver saver = {&engine, count_run, 0, 0};
	xhprof_aggregate_open(place, spool, &saver);
	xhprof_spool_hold(spool, window);
}

static void windows(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED, b = XHPROF_SPOOL_CLOSED, c = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place place = place_here(60);
	/* Three processes with data of window 100; when the last has brought them there is a run. */
	hold_window(&a, &place, 100);
	hold_window(&b, &place, 100);
	hold_window(&c, &place, 100);
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_WINDOW, 6060100, 1) == 0);
	hold_window(&a, &place, 101);
	CHECK(flush_at(&b, &place, 100, XHPROF_FLUSH_WINDOW, 6060900, 2) == 0);
	hold_window(&b, &place, 101);
	CHECK(read_runs(true).runs == 0);
	CHECK(flush_at(&c, &place, 100, XHPROF_FLUSH_WINDOW, 6062000, 3) == 0);
	totals seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 60 && seen.processes == 3 && seen.from == 6000 && seen.to == 6060);
	CHECK(seen.files == 4 && strstr(seen.meta, "\"start\":\"aggregate\"") &&
		  strstr(seen.meta, "\"mode\":\"aggregate\""));
	CHECK(strstr(seen.meta, "\"routes\":{\"GET /") && strstr(seen.meta, "\"seconds\":60"));
	/* One that is idle is waited for until the middle of the next window; what it brings later waits for the next run. */
	hold_window(&c, &place, 101);
	CHECK(flush_at(&a, &place, 101, XHPROF_FLUSH_WINDOW, 6120100, 1) == 0);
	hold_window(&a, &place, 102);
	CHECK(read_runs(true).runs == 0);
	CHECK(flush_at(&b, &place, 101, XHPROF_FLUSH_WINDOW, 6151000, 2) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20);
	hold_window(&b, &place, 102);
	CHECK(flush_at(&c, &place, 101, XHPROF_FLUSH_WINDOW, 6155000, 3) == 0 && read_runs(true).runs == 0);
	hold_window(&c, &place, 102);
	CHECK(flush_at(&a, &place, 102, XHPROF_FLUSH_WINDOW, 6180100, 1) == 0);
	CHECK(flush_at(&b, &place, 102, XHPROF_FLUSH_WINDOW, 6180200, 2) == 0);
	CHECK(flush_at(&c, &place, 102, XHPROF_FLUSH_WINDOW, 6180300, 3) == 0);
	CHECK(read_runs(true).runs == 0); /* one in this period is enough */
	CHECK(flush_at(&a, &place, 103, XHPROF_FLUSH_END, 6211000, 1) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 100 && seen.from == 6060 && seen.to == 6180);
	/* The last process of those that have seen more than one window saves what is left. */
	hold_window(&b, &place, 103);
	CHECK(flush_at(&c, &place, 103, XHPROF_FLUSH_LAST, 6212000, 3) == 0 && read_runs(true).runs == 0);
	CHECK(flush_at(&b, &place, 103, XHPROF_FLUSH_LAST, 6213000, 2) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 60);
	/* Short ones, one after the other: the first has a run, the others are gathered. */
	for (uint64_t i = 0; i < 10; i++) {
		flush_at(&a, &place, 110, XHPROF_FLUSH_END, 6600000 + i * 1000, i);
		xhprof_spool_close(&a);
	}
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20);
	CHECK(flush_at(&a, &place, UINT64_MAX, XHPROF_FLUSH_END, 6690000, 1) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 180 && seen.processes == 9);
	/* The clock goes back by a day. */
	CHECK(flush_at(&a, &place, 200, XHPROF_FLUSH_EARLY, 12000000, 1) == 0);
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_EARLY, 6000000, 1) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20 && seen.from == 12000);
	xhprof_spool_close(&a);
	xhprof_spool_close(&b);
	xhprof_spool_close(&c);
	read_runs(false);
}

static void other_settings(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED, b = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place minute = place_here(60), hour = place_here(3600), cpu = place_here(60);
	cpu.clock = XHPROF_SAMPLE_CPU;
	CHECK(flush_at(&a, &minute, 100, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
	CHECK(flush_at(&b, &hour, 1, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
	totals seen = read_runs(true);
	CHECK(seen.runs == 0 && seen.spools == 2);
	xhprof_spool_close(&a); /* that server is gone; with other settings it comes again */
	xhprof_aggregate_saver saver = {&engine, count_run, 0, 6061000};
	CHECK(xhprof_aggregate_open(&cpu, &a, &saver) == 0 && read_runs(true).runs == 0); /* not yet */
	xhprof_spool_close(&a);
	cpu.interval_us = 50;
	saver.now_ms = 6200000;
	CHECK(xhprof_aggregate_open(&cpu, &a, &saver) == 0);
	seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20 && strstr(seen.meta, "\"seconds\":60"));
	xhprof_spool_close(&a);
	xhprof_spool_close(&b);
	read_runs(false);
}

static void folders_that_refuse(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place place = place_here(60);
	strcat(place.directory, "/missing");
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_END, 6060000, 1) == ENOENT);
	place = place_here(60);
	memset(place.directory, '/', sizeof(place.directory) - 1);
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_END, 6060000, 1) == ENOENT ||
		  flush_at(&a, &place, 100, XHPROF_FLUSH_END, 6060000, 1) == ENAMETOOLONG || geteuid() == 0);
	xhprof_spool_close(&a);
	/* A run that cannot be written stays in the spool. */
	place = place_here(60);
	struct rlimit before, limit;
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	CHECK(flush_at(&a, &place, 100, XHPROF_FLUSH_EARLY, 6060000, 1) == 0);
	limit.rlim_cur = 100;
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(flush_at(&a, &place, UINT64_MAX, XHPROF_FLUSH_END, 6120000, 1) == EFBIG);
	setrlimit(RLIMIT_FSIZE, &before);
	CHECK(flush_at(&a, &place, UINT64_MAX, XHPROF_FLUSH_END, 6121000, 1) == 0 && read_runs(true).runs == 0);
	CHECK(flush_at(&a, &place, UINT64_MAX, XHPROF_FLUSH_END, 6180000, 1) == 0);
	totals seen = read_runs(true);
	CHECK(seen.runs == 1 && seen.requests == 20 && seen.damaged == 0);
	xhprof_spool_close(&a);
	read_runs(false);
}

/* A window whose data are more than a spool holds. */
static void too_much(void)
{
	xhprof_spool a = XHPROF_SPOOL_CLOSED;
	xhprof_aggregate_place place = place_here(60);
	xhprof_aggregate_saver saver = {&engine, count_run, 1, 6000000};
	xhprof_merged merged;
	merged_new(&merged);
	xhprof_tracer profile = {0};
	request_begin(&profile, 30000);
	for (int i = 0; i < 3000; i++) {
		char path[1200];
		snprintf(path, sizeof(path), "%d%01000d", i, i);
		request_sample(&profile, path, 1);
	}
	merged_request(&merged, "r", &profile, 1);
	runs_saved = 0;
	int save_error, errors = 0;
	for (int i = 0; i < 8; i++) { /* of 3 MB */
		errors += xhprof_aggregate_flush(&place, &a, &merged, 100, XHPROF_FLUSH_EARLY, &saver, &save_error) != 0;
		errors += save_error != 0;
	}
	CHECK(errors == 0 && runs_saved == 1);
	totals seen = read_runs(true);
	CHECK(seen.requests == 5 && seen.damaged == 0);
	xhprof_tracer_release(&profile);
	xhprof_merged_release(&merged);
	xhprof_spool_close(&a);
	read_runs(false);
}

/* Processes that write, end and are killed at any moment: no request is lost but those of who was killed. */
static void many_processes(void)
{
	enum { PROCESSES = 6, ROUNDS = 30 };
	xhprof_aggregate_place place = place_here(1);
	pid_t children[PROCESSES];
	for (int process = 0; process < PROCESSES; process++) {
		children[process] = fork();
		if (children[process] == 0) {
			xhprof_spool spool = XHPROF_SPOOL_CLOSED;
			int failures = 0;
			for (uint64_t round = 0; round < ROUNDS; round++) {
				struct timespec now;
				clock_gettime(CLOCK_REALTIME, &now);
				uint64_t now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
				bool last = round + 1 == ROUNDS;
				hold_window(&spool, &place, now_ms / 1000);
				while (flush_at(&spool, &place, now_ms / 1000, last ? XHPROF_FLUSH_LAST : XHPROF_FLUSH_WINDOW, now_ms,
								(uint64_t)getpid()) == EAGAIN) {
					failures++;
					usleep(1000);
				}
				usleep((useconds_t)(rand() % 100000));
			}
			_exit(failures > 1000);
		}
	}
	int status, failed = 0;
	for (int process = 0; process < PROCESSES; process++) {
		waitpid(children[process], &status, 0);
		failed += status != 0;
	}
	xhprof_spool spool = XHPROF_SPOOL_CLOSED;
	CHECK(flush_at(&spool, &place, UINT64_MAX, XHPROF_FLUSH_LAST, (uint64_t)time(NULL) * 1000 + 5000, 1) == 0);
	totals seen = read_runs(true);
	printf("# %u runs\n", seen.runs);
	CHECK(failed == 0 && seen.requests == 20 * PROCESSES * ROUNDS && seen.damaged == 0 && seen.runs < 60);
	xhprof_spool_close(&spool);
	read_runs(false);
}

int main(void)
{
	const char *temporary = getenv("TMPDIR");
	snprintf(folder, sizeof(folder), "%s/xhprof-unit-XXXXXX", temporary ? temporary : "/tmp");
	CHECK(mkdtemp(folder) != NULL);
	requests_are_merged();
	merging_is_bounded();
	deep_paths();
	without_memory();
	records_tell_all();
	hostile_records();
	spools();
	who_has_data();
	files_of_others();
	no_room_on_disk();
	windows();
	other_settings();
	folders_that_refuse();
	too_much();
	many_processes();
	CHECK(rmdir(folder) == 0);
	return unit_end();
}
