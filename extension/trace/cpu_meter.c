#include "cpu_meter.h"

static uint64_t meter_event(xhprof_cpu_meter *meter, uint64_t now)
{
	if (!meter->on) {
		return xhprof_cpu_clock_thread_ns();
	}
	xhprof_cpu_reading reading = xhprof_cpu_clock_read(&meter->cpu, &meter->wall, meter->last, now);
	meter->last = reading.now;
	meter->total += reading.passed;
	return meter->total;
}

void xhprof_cpu_meter_begin(xhprof_cpu_meter *meter, const char *choice, xhprof_cpu_owner owner, uint64_t now)
{
	if (meter->used && !meter->on) {
		meter->on = true;
		meter->wall = (xhprof_clock){.source = XHPROF_CLOCK_MONOTONIC, .ns_per_tick = UINT64_C(1) << 32};
		xhprof_cpu_clock_start(&meter->cpu, &meter->wall, xhprof_cpu_clock_choose(choice), owner);
		meter->total = xhprof_cpu_clock_thread_ns(); /* what began before goes on */
		now = meter->last = xhprof_clock_monotonic_ns();
	}
	meter->used = true;
	meter->before = meter_event(meter, now);
}

uint64_t xhprof_cpu_meter_total(xhprof_cpu_meter *meter, uint64_t now)
{
	return meter_event(meter, now);
}

uint64_t xhprof_cpu_meter_end(xhprof_cpu_meter *meter, uint64_t now)
{
	uint64_t after = meter_event(meter, now);
	return after > meter->before ? after - meter->before : 0;
}

void xhprof_cpu_meter_close(xhprof_cpu_meter *meter)
{
	if (meter->on) {
		xhprof_cpu_clock_stop(&meter->cpu);
	}
	*meter = (xhprof_cpu_meter){0};
}

void xhprof_cpu_meter_forked(xhprof_cpu_meter *meter)
{
	xhprof_cpu_meter_close(meter);
	meter->before = xhprof_cpu_clock_thread_ns();
}
