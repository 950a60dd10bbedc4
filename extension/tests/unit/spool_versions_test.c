/* Records of the spool and of the journal: what is new in this version, and that those of the version before are read. */
#include "requests.h"

#include "aggregate/spool_part.h"
#include "aggregate/spool_read.h"
#include "aggregate/spool_record.h"

#define ROUTES 3

/* A window of a few requests, the same with any C library. */
static void fill_evenly(xhprof_merged *merged, xhprof_tracer *profile, bool contexts)
{
	static const char *const routes[ROUTES] = {"GET /", "GET /a", "POST /b"};
	for (uint64_t i = 0; i < 2 * ROUTES; i++) {
		request_begin(profile, 1000);
		request_sample(profile, i % 2 ? "f>g" : "f>h", 5 + i);
		request_sample(profile, "f", 2);
		const char *route = routes[i % ROUTES];
		xhprof_merged_span(merged, 120, 180);
		xhprof_merged_request request = {
			.values = {1000 * (i + 1), 500, 4096}, .whole = true, .ended = 150 + i, .random = (i + 1) << 20};
		if (contexts) {
			memset(request.context.trace, (int)(0xf0 + i), sizeof(request.context.trace));
			memset(request.context.span, (int)(0x80 + i), sizeof(request.context.span));
		}
		xhprof_merged_route *into = xhprof_merged_find(merged, route, strlen(route));
		xhprof_merged_add(merged, into, profile, &request);
		xhprof_merged_offer(merged, into, profile, &request);
	}
	xhprof_tracer_release(profile);
}

/* Returns whether the slowest request of each route is the last one, with its ids or without any. */
static bool slowest_are(const xhprof_merged *merged, bool contexts)
{
	bool good = merged->exemplars.count == ROUTES;
	for (uint32_t i = 0; good && i < ROUTES; i++) {
		const xhprof_exemplar *slowest = &merged->exemplars.routes[i].by_kind[XHPROF_EXEMPLAR_SLOWEST];
		const xhprof_exemplar_figures *figures = &slowest->figures;
		uint64_t number = figures->ended - 150;
		good = slowest->key && slowest->used == 3 && number >= ROUTES && figures->wall_us == 1000 * (number + 1) &&
			   figures->cpu_us == 500 && figures->peak == 4096 && slowest->nodes[2].calls == 5 + number &&
			   xhprof_trace_ids_any(&figures->context) == contexts;
		for (size_t j = 0; good && contexts && j < sizeof(figures->context.trace); j++) {
			good = figures->context.trace[j] == 0xf0 + number && figures->context.span[j / 2] == 0x80 + number;
		}
	}
	return good;
}

static bool same_sums(const xhprof_merged *merged)
{
	return merged->requests == 2 * ROUTES && merged->tracer.samples.samples == 2 * 2 * ROUTES + 5 * 2 * ROUTES + 15 &&
		   samples_at(merged, "GET /a>f>g") == 6 && samples_at(merged, "GET /a>f>h") == 9 &&
		   samples_at(merged, "POST /b>f") == 4 && merged->from == 120 && merged->to == 180;
}

static void exemplars_keep_their_ids(void)
{
	xhprof_merged merged, read;
	xhprof_tracer profile = {0};
	xhprof_spool_record record;
	uint64_t process;
	for (int contexts = 0; contexts < 2; contexts++) {
		merged_new(&merged);
		merged_new(&read);
		fill_evenly(&merged, &profile, contexts);
		CHECK(same_sums(&merged) && slowest_are(&merged, contexts));
		CHECK(xhprof_spool_record_make(&record, &merged, 7));
		CHECK(xhprof_spool_read_merge(record.bytes, &read, &process) && process == 7);
		CHECK(same_sums(&read) && slowest_are(&read, contexts));
		xhprof_spool_record_release(&record);
		xhprof_merged_release(&merged);
		xhprof_merged_release(&read);
	}
}

/* A record of a single request, as the journal has it, is its own exemplar. */
static void single_requests_keep_their_ids(void)
{
	static uint64_t bytes[4096];
	xhprof_merged merged, read;
	xhprof_tracer profile = {0};
	uint64_t process;
	merged_new(&merged);
	merged_new(&read);
	request_begin(&profile, 1000);
	request_sample(&profile, "f>g", 3);
	xhprof_merged_request request = {
		.values = {1000, 500, 4096}, .whole = true, .ended = 150, .random = 1 << 20, .context = {{1, 2}, {3}}};
	xhprof_merged_route *route = xhprof_merged_find(&merged, "GET /", 5);
	xhprof_merged_span(&merged, 120, 180);
	xhprof_merged_add(&merged, route, &profile, &request);
	xhprof_spool_part part = {.route = route, .profile = &profile, .request = &request, .from = 120};
	size_t size = xhprof_spool_part_put((char *)bytes, sizeof(bytes), &part, &merged, 7);
	CHECK(size && xhprof_spool_read_size(bytes, size) == size && xhprof_spool_read_merge(bytes, &read, &process));
	const xhprof_exemplar *slowest = &read.exemplars.routes[0].by_kind[XHPROF_EXEMPLAR_SLOWEST];
	CHECK(read.exemplars.count == 1 && slowest->used == 3 && slowest->figures.wall_us == 1000);
	CHECK(memcmp(&slowest->figures.context, &request.context, sizeof(request.context)) == 0);
	xhprof_tracer_release(&profile);
	xhprof_merged_release(&merged);
	xhprof_merged_release(&read);
}

/* The file was written by the version before, of the same window without ids. */
static void records_of_version_8_are_read(void)
{
	static uint64_t bytes[4096];
	xhprof_merged read;
	uint64_t process;
	FILE *file = fopen("tests/unit/golden/spool8.record", "rb");
	size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
	CHECK(file && size > 100);
	merged_new(&read);
	CHECK(xhprof_spool_read_size(bytes, size) == size);
	CHECK(xhprof_spool_read_merge(bytes, &read, &process) && process == 7);
	CHECK(same_sums(&read) && slowest_are(&read, false));
	xhprof_merged_release(&read);
	/* A flipped bit does not make one version of the other. */
	((unsigned char *)bytes)[0] ^= 1;
	CHECK(xhprof_spool_read_size(bytes, size) == 0);
	if (file) {
		fclose(file);
	}
}

int main(void)
{
	exemplars_keep_their_ids();
	single_requests_keep_their_ids();
	records_of_version_8_are_read();
	return unit_end();
}
