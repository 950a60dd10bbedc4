/** The timeline of calls: reading, layout, ranges, ruler and memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Timeline } from '../../xhprof_html/assets/js/profile/timeline.js';
import { BadRun } from '../../xhprof_html/assets/js/profile/run-file.js';
import { Tree } from '../../xhprof_html/assets/js/profile/tree.js';
import { TimelineJobs } from '../../xhprof_html/assets/js/timeline/jobs.js';
import { MemoryCurve, levelsOf } from '../../xhprof_html/assets/js/timeline/memory-curve.js';
import { visibleMarks } from '../../xhprof_html/assets/js/timeline/marks.js';
import { restOf } from '../../xhprof_html/assets/js/profile/rest.js';
import { tickDistance, ticks } from '../../xhprof_html/assets/js/timeline/ruler.js';
import { serveRun, stored, treeOf } from './support.mjs';

const TREE = {
    n: 4, names: ['main()', 'a', 'b', 'c'], fn: [0, 1, 2, 3], depth: [0, 1, 2, 1], ct: [1, 2, 3, 1],
    self: { wt: [10, 20, 30, 40] }, metrics: [{ k: 'wt', label: 'Wall time', unit: 'ns' }],
};

/** main() with a (and b in it), c, and a again. */
const TIMELINE = { duration: 100, asked_threshold: 5, threshold: 5, t: [10, 20, 50, 70], d: [30, 10, 10, 20], node: [1, 2, 3, 1] };

const tree = () => treeOf(TREE);
const timelineOf = (/** @type {any} */ data, of = tree(), operations = null) => Timeline.of(stored(data), of, operations === null ? null : stored(operations));
const read = (more = {}) => timelineOf({ ...TIMELINE, ...more });
const pathsOf = (timeline, from, to) => {
    const part = timeline.pathsOf(from, to);

    return Object.fromEntries([...part.fn].map((fn, node) => [`${part.depth[node]} ${part.names[fn]}`, [part.exclusive('wt')[node], part.exclusive('ct')[node]]]));
};
const shown = ({ names, ...timeline }, frames) => [...frames.fn].map((fn, frame) => `${frames.depth[frame]} ${names[fn]} ${frames.x[frame]}+${frames.width[frame]}`);

test('frames lie at their times, callees in their callers', () => {
    const timeline = read();
    assert.deepEqual(shown(timeline, timeline.frames()), ['0 main() 0+100', '1 a 10+30', '2 b 20+10', '1 c 50+10', '1 a 70+20']);
    assert.deepEqual([...timeline.frames().self], [40, 20, 10, 10, 20]);
});

test('a call that reaches out of its caller is cut', () => {
    const timeline = read({ d: [30, 60, 10, 500] });
    assert.deepEqual(shown(timeline, timeline.frames()).slice(1), ['1 a 10+30', '2 b 20+20', '1 c 50+10', '1 a 70+30']);
});

test('a range has the parts of the calls in it', () => {
    const timeline = read();
    assert.deepEqual(pathsOf(timeline, 0, 100), { '0 main()': [40, 1], '1 a': [40, 2], '2 b': [10, 1], '1 c': [10, 1] });
    assert.deepEqual(pathsOf(timeline, 25, 55), { '0 main()': [10, 1], '1 a': [10, 1], '2 b': [5, 1], '1 c': [5, 1] });
    assert.deepEqual(pathsOf(timeline, 92, 96), { '0 main()': [4, 1] });
});

test('a generator is called as often as in the run, however often it ran', () => {
    const timeline = read({ t: [10, 20, 30, 40, 50, 60], d: [9, 9, 9, 9, 9, 9], node: [3, 3, 1, 1, 1, 3], memory: [1, 2, 3, 4, 5, 6] });
    assert.deepEqual(pathsOf(timeline, 0, 100), { '0 main()': [46, 1], '1 a': [27, 2], '1 c': [27, 1] });
    assert.deepEqual(pathsOf(timeline, 20, 35), { '0 main()': [1, 1], '1 a': [5, 1], '1 c': [9, 1] });
    assert.deepEqual([timeline.count, timeline.frames().x.length, timeline.memory()?.bytes.length], [3, 7, 6]);
    const moved = treeOf({ ...TREE, fn: [0, 1, 2, 1], names: ['main()', 'a', 'b'], ct: [1, 2, 3, 0] });
    assert.deepEqual(pathsOf(timelineOf({ ...TIMELINE, node: [3, 2, 3, 3] }, moved), 0, 100), { '0 main()': [40, 1], '1 a': [50, 2], '2 b': [10, 1] },
        'the run counts calls that fibers have moved where they began');
});

test('fibers are shown while they run', () => {
    const timeline = read({
        t: [0, 10, 20, 40], d: [90, 70, 10, 20], node: [1, 3, 2, 2], fiber: [0, 1, 1, 0],
        fibers: { t: [0, 10, 35, 70], d: [10, 25, 35, 30], fiber: [0, 1, 0, 1] },
    });
    assert.deepEqual(shown(timeline, timeline.frames()), [
        '0 main() 0+100', '1 a 0+10', '1 c 10+25', '2 b 20+10', '1 a 35+35', '2 b 40+20', '1 c 70+10',
    ]);
    assert.deepEqual(pathsOf(timeline, 0, 100), { '0 main()': [20, 1], '1 a': [25, 1], '2 b': [30, 2], '1 c': [25, 1] });
    // A call counts in each range in which it ran, also if its fiber ran before.
    assert.deepEqual(pathsOf(timeline, 60, 80), { '0 main()': [0, 1], '1 a': [10, 1], '1 c': [10, 1] });
    assert.deepEqual(timeline.tracks.map(({ label, texts }) => [label, texts]), [['Fibers', ['No fiber', 'Fiber 1']]]);
});

test('tracks are what the file has', () => {
    const timeline = read({
        gc: { t: [5], d: [2], freed: [12] }, alloc_marks: { t: [1, 2], d: [0, 0], mark: [1, 2] }, spans: { t: [3], d: [50], name: [2] },
    });
    assert.deepEqual(timeline.tracks.map(({ key, texts }) => [key, texts]), [
        ['spans', ['b']], ['gc', ['Garbage collection, 12 freed']], ['marks', ['Mark 1', 'Mark 2']],
    ]);
    assert.equal(read().memory(), null);
    const memory = read({ memory: [7, 8, 9, 10] }).memory();
    assert.deepEqual([[...memory.t], [...memory.bytes]], [[30, 40, 60, 90], [8, 7, 9, 10]]);
});

test('operations are a track of the calls that waited, each once', () => {
    const operations = {
        n: 4, kinds: ['sql', 'gc'], texts: ['SELECT 1', 'SELECT 2', 'collect garbage'], kind_of_text: [0, 0, 1],
        text: [0, 1, 0, 2], node: [1, 1, 2, 3], ct: [1, 1, 1, 1], total: [5, 30, 10, 10],
    };
    const of = (more) => timelineOf(TIMELINE, tree(), { ...operations, ...more }).tracks.map(({ key, t, d, text, texts }) => [key, [...t], [...d], [...text].map((i) => texts[i])]);
    // "b" runs within "a"; collections have a track of their own.
    assert.equal(timelineOf(TIMELINE, tree(), operations).tracks[0]?.count, operations.ct.reduce((sum, ct) => sum + ct), 'as the view Operations counts them');
    assert.deepEqual(of({}), [['operations', [10, 70], [30, 20], ['SELECT 2', 'SELECT 2']]]);
    assert.deepEqual(of({ node: [2, 2, 2, 3] }), [['operations', [20], [10], ['SELECT 2']]]);
    assert.deepEqual(of({ node: [0, 0, 0, 0] }), []);
    for (const wrong of [{ kinds: null }, { texts: null }, { kind_of_text: [0, 0, 2] }, { text: [0, 1, 0, 3] }, { node: [1, 1, 2, 4] }, { total: [1] }]) {
        assert.throws(() => of(wrong), BadRun, JSON.stringify(wrong));
    }
});

test('a track has no more marks than pixels, however many there are', () => {
    const n = 1e6;
    const [t, d] = [Float64Array.from({ length: n }, (_, i) => i * 10), new Float64Array(n).fill(4)];
    d[500000] = 9; // still beside the next one
    const track = { key: '', label: '', t, d, nested: false, text: new Uint32Array(n), texts: [''] };
    let reads = 0;
    const counted = new Proxy(t, { get: (of, key) => { reads++; const value = Reflect.get(of, key); return typeof value === 'function' ? value.bind(of) : value; } });
    const all = visibleMarks({ ...track, t: /** @type {any} */ (counted) }, 0, 1e7, 1000);
    assert.deepEqual(all, [{ left: 0, right: 1000, mark: -1 }]);
    assert.ok(reads < 60000, `${reads} reads of a million marks`);
    // Each alone where there is room.
    assert.deepEqual(visibleMarks(track, 5000000, 5000030, 30), [
        { left: 0, right: 9, mark: 500000 }, { left: 10, right: 14, mark: 500001 }, { left: 20, right: 24, mark: 500002 }, { left: 30, right: 30, mark: 500003 },
    ]);
    for (const [from, to] of [[0, 1e7], [0, 1e5], [333, 20333], [9e6, 1e7]]) {
        const shown = visibleMarks(track, from, to, 1000);
        assert.ok(shown.length <= 1000 && shown.every(({ left, right }, i) => left <= right && (i === 0 || left >= shown[i - 1].right)), `${from}`);
    }
    // A short mark before a long one; one within another one.
    const some = { ...track, t: Float64Array.of(0, 1, 500), d: Float64Array.of(1, 400, 100) };
    assert.deepEqual(visibleMarks(some, 0, 1000, 100).map(({ left, right, mark }) => [left, right, mark]), [[0, 2, 0], [2, 40.1, 1], [50, 60, 2]]);
    const spans = { ...track, nested: true, t: Float64Array.of(0, 100, 150), d: Float64Array.of(600, 50, 850) };
    assert.deepEqual(visibleMarks(spans, 0, 1000, 100).map(({ left, right, mark }) => [left, right, mark]), [[0, 60, 0], [60, 100, 2]]);
});

test('what goes to the page are columns, however many calls there are', async () => {
    const n = 50000;
    const t = Array.from({ length: n }, (_, i) => i * 10);
    const operations = { n: 4, kinds: ['sql'], texts: ['SELECT 1'], kind_of_text: [0], text: [0], node: [3], ct: [1], total: [9] };
    const timeline = {
        ...TIMELINE, duration: n * 10, threshold: 0, t, d: t.map(() => 5), node: t.map((_, i) => 1 + 2 * (i % 2)), memory: t,
        fiber: t.map(() => 0), fibers: { t, d: t.map(() => 10), fiber: t.map((_, i) => i % 2) },
        gc: { t, d: t.map(() => 1), freed: t.map(() => 3) },
    };
    const jobs = new TimelineJobs();
    serveRun({ tree: TREE, timeline, operations });
    const opened = await jobs.open({ url: 'run' }, () => {});
    assert.deepEqual(opened.tracks.map(({ key }) => key), ['operations', 'fibers', 'gc']);
    let columns = 0;
    const walk = (value, path) => {
        if (ArrayBuffer.isView(value)) {
            columns += value.length >= n / 2 ? 1 : 0;
        } else if (value !== null && typeof value === 'object') {
            const parts = Object.entries(value);
            assert.ok(parts.length < 100, `${path} has ${parts.length} entries`);
            parts.forEach(([key, part]) => walk(part, `${path}.${key}`));
        }
    };
    walk(opened, 'opened');
    walk(jobs.range({ from: 0, to: n * 5, metric: 'wt', order: 'heavy' }), 'range');
    assert.ok(columns > 10);
});

test('damaged timelines are refused', () => {
    const wrong = [
        { ...TIMELINE, t: undefined }, { ...TIMELINE, t: [10, 5, 50, 70] }, { ...TIMELINE, d: [1] },
        { ...TIMELINE, node: [1, 2, 3, 4] }, { ...TIMELINE, node: [1, 2, 3, -1] }, { ...TIMELINE, d: 'd' },
        { ...TIMELINE, duration: -1 }, { ...TIMELINE, duration: undefined }, { ...TIMELINE, fiber: [0, 0, 0, 0] },
        { ...TIMELINE, gc: { t: [1], d: [], freed: [1] } }, { ...TIMELINE, spans: { t: [2, 1], d: [0, 0], name: [0, 0] } },
    ];
    for (const data of wrong) {
        assert.throws(() => timelineOf(data), BadRun);
    }
    assert.throws(() => Timeline.of(null, tree()), { message: 'This run has no timeline.' });
});

test('the worker opens a timeline and its ranges', async () => {
    const jobs = new TimelineJobs();
    serveRun({ tree: TREE, timeline: TIMELINE });
    const opened = await jobs.open({ url: 'run' }, () => {});
    assert.deepEqual([opened.count, opened.duration, opened.threshold, opened.layout.fn.length], [4, 100, 5, 5]);
    const range = jobs.range({ from: 0, to: 100, metric: 'wt', order: 'heavy' });
    assert.equal(range.samples, 4);
    assert.deepEqual([...range.rows.fn].length, 4);
    serveRun({ tree: { ...TREE, pruned: { nodes: 2, of: 9 } }, timeline: TIMELINE });
    await assert.rejects(jobs.open({ url: 'run' }, () => {}), BadRun);
});

test('ticks are round times', () => {
    assert.deepEqual([tickDistance(100, 10), tickDistance(95, 10), tickDistance(1e9, 7), tickDistance(3, 10)], [10, 10, 2e8, 1]);
    assert.deepEqual(ticks(0, 2.5e6, 5).map(({ text }) => text), ['0.0 ms', '0.5 ms', '1.0 ms', '1.5 ms', '2.0 ms', '2.5 ms']);
    assert.deepEqual(ticks(3000000100, 3000000400, 4).map(({ text }) => text), ['3.0000001 s', '3.0000002 s', '3.0000003 s', '3.0000004 s']);
    for (const [from, to] of [[0, 1], [5, 1e10], [1e9 - 3, 1e9 + 3]]) {
        const found = ticks(from, to, 10);
        assert.ok(found.length > 0 && found.length <= 11);
        assert.ok(found.every(({ at }) => at >= from && at <= to));
        assert.equal(new Set(found.map(({ text }) => text)).size, found.length);
    }
});

test('the memory curve keeps the peaks, at the cost of its pixels', () => {
    const n = 100000;
    const t = Float64Array.from({ length: n }, (_, i) => i);
    const bytes = Float64Array.from({ length: n }, (_, i) => (i === 54321 ? 1e6 : i % 100));
    const curve = new MemoryCurve(levelsOf(t, bytes));
    const parts = curve.parts(0, n, 500);
    assert.ok(parts.length <= 500 && parts.length > 20);
    assert.equal(Math.max(...parts.map(({ most }) => most)), 1e6);
    assert.equal(curve.top, 1e6);
    assert.deepEqual(curve.parts(54320, 54322, 500).map(({ most }) => most), [20, 1e6, 22, 23]);
    assert.deepEqual(new MemoryCurve(levelsOf(new Float64Array(0), new Float64Array(0))).parts(0, 1, 10), []);
});

test('a tree that lacks paths which the timeline has not opens as well', () => {
    // Node 1 of the run has been left out, with others; they stand behind.
    const n = TREE.fn.length;
    const shifted = (/** @type {number[]} */ column, value = 0) => [...column, value];
    const larger = {
        ...TREE, n: n + 1, names: [...TREE.names, '(small paths)'], fn: shifted(TREE.fn, TREE.names.length), depth: shifted(TREE.depth, 1), ct: shifted(TREE.ct),
        self: Object.fromEntries(Object.entries(TREE.self).map(([key, column]) => [key, shifted(column)])),
        pruned: { nodes: 3, of: n + 4, name: '(small paths)', origin: [0, 1, 5, n - 1, -1, 1] },
    };
    const of = (/** @type {any} */ data) => {
        const document = stored(data);
        const made = Tree.of(document);
        made.rest = restOf(document.pruned, made.n);

        return made;
    };
    const timeline = { ...TIMELINE, node: TIMELINE.node.map((/** @type {number} */ node) => node === 0 ? 0 : node + 4) };
    const [cut, whole] = [timelineOf(timeline, of(larger)), timelineOf(TIMELINE)];
    const frames = (/** @type {Timeline} */ made) => {
        const { fn, depth, x, width } = made.frames();

        return [[...fn].map((index) => made.names[index]), [...depth], [...x], [...width]];
    };
    assert.deepEqual(frames(cut), frames(whole));
    assert.throws(() => timelineOf({ ...timeline, node: timeline.node.map(() => 2) }, of(larger)), /not in the call tree/);
});
