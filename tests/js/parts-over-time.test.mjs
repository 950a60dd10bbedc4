/** Where the time was, from moment to moment: sums are those of the run, whatever is looked at. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TimelineJobs } from '../../xhprof_html/assets/js/timeline/jobs.js';
import { SampleJobs } from '../../xhprof_html/assets/js/timeline/sample-jobs.js';
import { METRICS, random, serveRun } from './support.mjs';

const PARTS = [['cpu', 'Computing', 'cpu'], ['sql', 'SQL', 'waiting'], ['sleep', 'Sleeping', 'waiting'], ['not_running', 'Not running', 'not_running'], ['unknown', 'Not known', 'unknown']]
    .map(([key, label, group]) => ({ key, label, group }));
const KINDS = {
    parts: PARTS, cpu: ['cpu'], rest: 'not_running', metrics: [{ k: 'time_waiting', label: 'Waiting' }],
    functions: { 'PDO::query': { idle: { sql: 1 } }, usleep: { idle: { sleep: 1 } } },
};
const OF_SAMPLES = { ...KINDS, cpu: [], rest: 'unknown' };
const TREE = {
    metrics: METRICS, names: ['main()', 'page', 'PDO::query', 'usleep'], fn: [0, 1, 2, 3], depth: [0, 1, 2, 1], ct: [1, 1, 2, 1],
    self: { wt: [100, 300, 400, 200], cpu: [100, 200, 100, 0] },
};
/** main() 0 to 1000: page 50 to 750 with queries of 200 each, usleep 750 to 950. */
const TIMELINE = { duration: 1000, asked_threshold: 0, threshold: 0, t: [50, 100, 400, 750], d: [700, 200, 200, 200], node: [1, 2, 2, 3] };

const open = async (tree = TREE, timeline = TIMELINE, kinds = KINDS) => {
    serveRun({ tree, timeline });
    const jobs = new TimelineJobs();
    await jobs.open({ url: 'api.php?x' }, () => {});

    return { jobs, where: await jobs.divide(kinds) };
};
const named = (sums, from = 0) => Object.fromEntries(PARTS.map(({ key }, part) => [key, Math.round(sums[from * PARTS.length + part])]).filter(([, ns]) => ns > 0));
const add = (a, b) => Math.round((a + b) * 1000) / 1000;

describe('by calls', () => {
    test('a call is split as those of its call path are', async () => {
        const { jobs, where } = await open();
        assert.deepEqual(named(where.sums), { cpu: 400, sql: 300, sleep: 200, not_running: 100 });
        assert.deepEqual([...where.of].map((part) => PARTS[part - 1].key), ['cpu', 'cpu', 'sql', 'sql', 'sleep']);
        assert.deepEqual(named(jobs.parts({ from: 0, to: 1000, count: 1 })), named(where.sums));
        const four = jobs.parts({ from: 0, to: 1000, count: 4 });
        // main() 0 to 50, page 50 to 100 of which 2/3 is computing, a query 100 to 250 of which 3/4 waits.
        assert.deepEqual(named(four, 0), { cpu: Math.round(50 + 50 * 2 / 3 + 150 / 4), sql: Math.round(150 * 0.75), not_running: Math.round(50 / 3) });
        assert.deepEqual(named(four, 3), { cpu: 50, sleep: 200 });
        assert.deepEqual(named(jobs.parts({ from: 800, to: 900, count: 1 })), { sleep: 100 });
    });

    test('what shorter calls did is part of the time of their callers', async () => {
        const { jobs, where } = await open(TREE, { ...TIMELINE, threshold: 300, t: [50], d: [700], node: [1] });
        assert.deepEqual(named(where.sums), { cpu: 400, sql: 300, sleep: 200, not_running: 100 });
        // Page and its queries are one: 300 of 700 compute, 300 wait. The rest of main() is usleep(), and its own time.
        assert.deepEqual(named(jobs.parts({ from: 50, to: 750, count: 1 })), { cpu: 300, sql: 300, not_running: 100 });
        assert.deepEqual(named(jobs.parts({ from: 0, to: 50, count: 1 })), { cpu: 17, sleep: 33 });
    });

    test('call paths of a range are coloured as well', async () => {
        const { jobs } = await open();
        const { layout } = jobs.range({ from: 0, to: 1000, metric: 'wt', order: 'time' });
        assert.deepEqual([...layout.where.of].map((part) => PARTS[part - 1].key), ['cpu', 'cpu', 'sql', 'sleep']);
        assert.deepEqual(named(layout.where.sums), { cpu: 400, sql: 300, sleep: 200, not_running: 100 });
        assert.deepEqual(named(jobs.range({ from: 100, to: 300, metric: 'wt', order: 'time' }).layout.where.sums), { cpu: 50, sql: 150 });
    });

    test('a function has the parts of all that ran in it, in a range too', async () => {
        const { jobs } = await open();
        const of = (name, from = 0, to = 1000) => Object.fromEntries(jobs.partsOf({ name, from, to }).parts.map(({ key, us }) => [key, Math.round(us * 1000)]).filter(([, ns]) => ns > 0));
        assert.deepEqual(of('page'), { cpu: 300, sql: 300, not_running: 100 });
        assert.deepEqual(of('PDO::query'), { cpu: 100, sql: 300 });
        assert.deepEqual(of('PDO::query', 200, 500), { cpu: 50, sql: 150 });
        assert.deepEqual(of('main()', 700, 1000), { cpu: 133 - 50, sleep: 200, not_running: 17 });
        assert.deepEqual([of('nothing'), of('usleep', 0, 700)], [{}, {}]);
        const deep = await open({ ...TREE, fn: [0, 1, 1, 3] });
        assert.equal(Math.round(deep.jobs.partsOf({ name: 'page', from: 0, to: 1000 }).parts.reduce((sum, { us }) => sum + us * 1000, 0)), 700, 'a recursion counts once');
    });

    test('fibers are divided by the times when they ran', async () => {
        const tree = { ...TREE, names: ['main()', 'Fiber::resume', 'usleep', 'work'], fn: [0, 1, 2, 3], depth: [0, 1, 2, 3], ct: [1, 1, 1, 1], self: { wt: [40, 20, 20, 20], cpu: [40, 20, 0, 20] } };
        const { jobs, where } = await open(tree, {
            duration: 100, threshold: 0, t: [0, 10, 20], d: [90, 70, 30], node: [1, 2, 3], fiber: [0, 1, 1], fibers: { t: [0, 10, 40, 50], d: [10, 30, 10, 50], fiber: [0, 1, 0, 1] },
        });
        const whole = named(jobs.parts({ from: 0, to: 100, count: 1 }));
        assert.equal(Object.values(whole).reduce(add), 100);
        assert.deepEqual(whole, named(where.sums));
        assert.deepEqual(named(jobs.parts({ from: 10, to: 20, count: 1 })), { sleep: 10 });
        assert.deepEqual(named(jobs.parts({ from: 40, to: 50, count: 1 })), { cpu: 10 });
    });

    test('buckets add up to the whole, on timelines by chance', async () => {
        const pick = random(11);
        for (let round = 0; round < 30; round++) {
            const [t, d, node] = [[], [], []];
            for (let at = Math.floor(pick() * 50); at < 900; at += 1 + Math.floor(pick() * 90)) {
                const length = Math.floor(pick() * 80);
                t.push(at);
                d.push(length);
                node.push(1 + Math.floor(pick() * 3));
                at += length;
            }
            const self = { wt: [1, 2, 3, 4].map(() => Math.floor(pick() * 500)), cpu: [1, 2, 3, 4].map(() => Math.floor(pick() * 500)) };
            const { jobs, where } = await open({ ...TREE, depth: [0, 1, 1, 1], ct: [1, 99, 99, 99], self }, { ...TIMELINE, t, d, node });
            for (const count of [1, 3, 7, 500, 1999]) {
                const sums = jobs.parts({ from: 0, to: 1000, count });
                PARTS.forEach((_, part) => {
                    let sum = 0;
                    for (let at = part; at < sums.length; at += PARTS.length) {
                        sum += sums[at];
                    }
                    assert.ok(Math.abs(sum - where.sums[part]) < 0.01, `${round}, ${count}: ${sum}, not ${where.sums[part]}`);
                });
                for (let bucket = 0; bucket < count; bucket++) {
                    const sum = sums.subarray(bucket * PARTS.length, (bucket + 1) * PARTS.length).reduce((all, ns) => all + ns, 0);
                    assert.ok(Math.abs(sum - 1000 / count) < 0.01, `${round}, bucket ${bucket} of ${count}: ${sum}`);
                }
            }
        }
    });

    test('a run without CPU time is not split', async () => {
        const { jobs, where } = await open({ ...TREE, self: { wt: TREE.self.wt } });
        assert.equal(where, null);
        assert.equal(jobs.parts({ from: 0, to: 1000, count: 4 }).length, 0);
        assert.equal(jobs.range({ from: 0, to: 1000, metric: 'wt', order: 'time' }).layout.where, undefined);
    });
});

describe('by samples', () => {
    const stacks = { names: ['main()', 'page', 'PDO::query'], stacks: { fn: [0, 1, 2], parent: [-1, 0, 1] }, stack: [1, 2, -1, 2, 0], t: [10, 20, 30, 40, 50], metric: { k: 'wt', label: 'Wall time' } };
    const openSamples = async (kinds, more = {}) => {
        serveRun({ stacks: { ...stacks, ...more } });
        const jobs = new SampleJobs();
        await jobs.open({ url: 'api.php?x' }, () => {});

        return { jobs, where: await jobs.divide(kinds) };
    };

    test('a sample is what its innermost function waits for', async () => {
        const { jobs, where } = await openSamples(OF_SAMPLES);
        assert.deepEqual(named(where.sums), { sql: 60000, unknown: 60000 });
        assert.deepEqual(named(jobs.parts({ from: 0, to: 30000, count: 1 })), { sql: 20000, unknown: 10000 });
        assert.deepEqual(named(jobs.range({ from: 0, to: 150000, metric: 'wt', order: 'heavy' }).layout.where.sums), { sql: 60000, unknown: 60000 });
    });

    test('nothing ran, nothing is divided', async () => {
        const { jobs } = await openSamples(OF_SAMPLES);
        assert.deepEqual(named(jobs.parts({ from: 30000, to: 60000, count: 1 })), {});
    });

    test('samples of CPU time do not meet what waits', async () => {
        assert.equal((await openSamples(OF_SAMPLES, { metric: { k: 'cpu', label: 'CPU time' } })).where, null);
        assert.equal((await openSamples({ ...OF_SAMPLES, metrics: [] })).where, null);
    });
});
