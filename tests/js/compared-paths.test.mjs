/** Both sides of a comparison: rows of the call tree, functions, callers and callees. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Changes } from '../../xhprof_html/assets/js/calltree/changes.js';
import { Outline } from '../../xhprof_html/assets/js/calltree/outline.js';
import { sizesOf } from '../../xhprof_html/assets/js/paths/change-list.js';
import { DiffJobs } from '../../xhprof_html/assets/js/paths/diff-jobs.js';
import { runFile } from './support.mjs';

const list = (/** @type {ArrayLike<number>} */ values) => Array.from(values);
const nothing = () => undefined;

/** main() > f 60 > (g 20, f 30 > g 10), x > g 5. */
const BEFORE = {
    names: ['main()', 'f', 'g', 'x'], fn: [0, 1, 2, 1, 2, 3, 2], depth: [0, 1, 2, 2, 3, 1, 2], ct: [1, 2, 2, 1, 1, 1, 1],
    self: { wt: [1, 10, 20, 20, 10, 4, 5] },
};
/** x is gone, f calls itself once more, and a new function calls g. */
const AFTER = {
    names: ['main()', 'f', 'g', 'new'], fn: [0, 1, 2, 1, 2, 1, 3, 2], depth: [0, 1, 2, 2, 3, 3, 1, 2], ct: [1, 2, 4, 1, 1, 1, 1, 3],
    self: { wt: [1, 10, 45, 20, 10, 8, 2, 9] },
};

/**
 * @param {any} a
 * @param {any} b
 * @param {any} [names]
 */
async function opened(a, b, names = { after: {} }) {
    const answers = [runFile({ tree: a }), runFile({ tree: b }), JSON.stringify(names)];
    globalThis.fetch = /** @type {any} */ (async () => new Response(answers.shift()));
    const jobs = new DiffJobs();

    return { jobs, ...await jobs.open({ a: 'a', b: 'b', names: 'n' }, nothing) };
}

describe('the call tree of both', () => {
    test('has the paths of either, with the figures of each', async () => {
        const { jobs, names } = await opened(BEFORE, AFTER);
        const columns = await jobs.columns({ metric: 'wt', by: 'incl' }, nothing);
        assert.deepEqual(list(columns.fn).map((fn) => names[fn]), ['main()', 'f', 'g', 'f', 'g', 'f', 'x', 'g', 'new', 'g']);
        assert.deepEqual(list(columns.a), [70, 60, 20, 30, 10, 0, 9, 5, 0, 0]);
        assert.deepEqual(list(columns.b), [105, 93, 45, 38, 10, 8, 0, 0, 11, 9]);
        assert.deepEqual(list(columns.only), [0, 0, 0, 0, 0, 2, 1, 1, 2, 2]);
        assert.equal(columns.total, 105);
        const rows = new Changes(columns, 'incl');
        assert.deepEqual(list(rows.kids(0)).map((row) => [row, rows.change(row)]), [[1, 33], [6, 9], [8, 11]]);
        assert.deepEqual(list(rows.kids(6)), [7], 'below what is gone is what it called');
        assert.deepEqual([0, 4].map((row) => rows.isNoise(row)), [false, true]);
        const own = new Changes(await jobs.columns({ metric: 'wt', by: 'own' }, nothing), 'own');
        assert.deepEqual([own.a(1), own.b(1), own.a(2), own.b(2)], [10, 10, 20, 45]);
    });

    test('sorted by the change, the hot path follows what changed most, not what takes most', async () => {
        const { jobs } = await opened(BEFORE, AFTER);
        const rows = new Changes(await jobs.columns({ metric: 'wt', by: 'incl' }, nothing), 'incl');
        const outline = new Outline(rows, (a, b) => rows.change(b) - rows.change(a) || a - b);
        outline.open(0);
        assert.deepEqual(list(outline.rows.subarray(0, outline.count)), [0, 1, 8, 6]);
        const end = outline.hotPath(0);
        assert.equal(outline.rows[end], 2, 'main() > f > g');
    });

    test('the machine’s changes are grey, and behind all others', async () => {
        const busy = { ...BEFORE, self: { wt: [1, 500, 20, 20, 10, 4, 15] } };
        const { jobs } = await opened(BEFORE, busy, { after: {}, machine: { words: 'busy', functions: { wt: ['f'] } } });
        const rows = new Changes(await jobs.columns({ metric: 'wt', by: 'incl' }, nothing), 'incl');
        assert.deepEqual([rows.isMachine(1), rows.isNoise(1), rows.isMachine(5)], [true, true, false]);
        assert.ok(rows.change(1) < rows.change(5), 'ten of the program before 490 of the machine');
    });
});

test('what may be chance is grey on paths of both sides; what one side alone has is not', async () => {
    const { jobs, names } = await opened(BEFORE, AFTER, { after: {}, chance: { wt: ['g'] } });
    const rows = new Changes(await jobs.columns({ metric: 'wt', by: 'incl' }, nothing), 'incl');
    assert.deepEqual([rows.isNoise(2), rows.isNoise(9), rows.isMachine(2)], [true, false, false]);
    assert.ok(rows.change(2) < rows.change(3), '25 that may be chance behind 8 that is not');
    const { fn, chance } = await jobs.functions({ metric: 'wt', by: 'incl' }, nothing);
    assert.deepEqual(list(fn).filter((_, row) => chance[row] === 1).map((one) => names[one]), ['g']);
    assert.ok(!(await jobs.functions({ metric: 'wt', by: 'own' }, nothing)).chance.includes(1), 'of that column alone');
});

describe('functions of both', () => {
    test('an inner call counts once, and sides that have them not are known without calls', async () => {
        const sampled = { ...BEFORE, ct: BEFORE.ct.map(() => 0) };
        for (const [a, b] of [[BEFORE, AFTER], [sampled, { ...AFTER, ct: AFTER.ct.map(() => 0) }]]) {
            const { jobs, names } = await opened(a, b);
            const { fn, a: before, b: after, only } = await jobs.functions({ metric: 'wt', by: 'incl' }, nothing);
            assert.deepEqual(list(fn).map((one, row) => `${names[one]} ${before[row]} ${after[row]} ${only[row]}`), [
                'main() 70 105 0', 'f 60 93 0', 'g 35 64 0', 'x 9 0 1', 'new 0 11 2',
            ]);
        }
    });

    test('by the size of their change', () => {
        const rows = { fn: Int32Array.of(0, 1, 2), a: Float64Array.of(5, 9, 0), b: Float64Array.of(5, 1, 100), machine: Uint8Array.of(0, 0, 1), chance: Uint8Array.of(0, 0, 0) };
        assert.deepEqual(list(sizesOf(/** @type {any} */ (rows))), [0, 8, -1 / 101]);
        assert.deepEqual(list(sizesOf(/** @type {any} */ ({ ...rows, chance: Uint8Array.of(0, 1, 0) }))), [0, -1 / 9, -1 / 101]);
    });
});

describe('the sandwich of both', () => {
    test('callers have the change of the function on their paths; callees theirs', async () => {
        const { jobs, names } = await opened(BEFORE, AFTER);
        const { callers, callees, calls, inner } = await jobs.sandwich({ fn: names.indexOf('g'), metric: 'wt', order: 'time', by: 'own' }, nothing);
        const frames = (/** @type {any} */ { fn, depth, a, b, ctA, ctB, only }) => list(fn).map((one, node) => (
            `${'> '.repeat(depth[node])}${names[one]} ${a[node]} ${b[node]} (${ctA[node]} ${ctB[node]}) ${only[node]}`));
        assert.deepEqual([calls, inner], [4, 0]);
        assert.deepEqual(frames(callers), [
            'g 35 64 (4 8) 0', '> f 30 55 (3 5) 0', '> > main() 20 45 (2 4) 0', '> > f 10 10 (1 1) 0', '> > > main() 10 10 (1 1) 0',
            '> x 5 0 (1 0) 1', '> > main() 5 0 (1 0) 1', '> new 0 9 (0 3) 2', '> > main() 0 9 (0 3) 2',
        ]);
        assert.deepEqual(frames(callees), ['g 35 64 (4 8) 0']);
        assert.deepEqual(list(callers?.width ?? []), [69, 55, 45, 10, 10, 5, 5, 9, 9], 'the larger of both at each outer end');
    });

    test('recursion counts with the outermost call; a function of one side shows', async () => {
        const { jobs, names } = await opened(BEFORE, AFTER);
        const ofF = await jobs.sandwich({ fn: names.indexOf('f'), metric: 'wt', order: 'time', by: 'own' }, nothing);
        assert.deepEqual([ofF.calls, ofF.inner, ofF.callees?.totals], [1, 2, { a: 60, b: 93 }]);
        const gone = await jobs.sandwich({ fn: names.indexOf('x'), metric: 'wt', order: 'time', by: 'incl' }, nothing);
        assert.deepEqual([list(gone.callees?.only ?? []), list(gone.callees?.width ?? []), gone.callees?.totals], [[1, 1], [9, 5], { a: 9, b: 0 }]);
        const none = await jobs.sandwich({ fn: -1, metric: 'wt', order: 'time', by: 'incl' }, nothing);
        assert.deepEqual([none.callers, none.callees], [null, null]);
    });

    test('the figures of the whole are as before after it', async () => {
        const { jobs, names } = await opened(BEFORE, AFTER);
        const how = /** @type {const} */ ({ metric: 'wt', order: 'time', side: 'max', by: 'own' });
        const first = await jobs.layout(how, nothing);
        await jobs.sandwich({ fn: names.indexOf('g'), metric: 'ct', order: 'heavy', by: 'incl' }, nothing);
        assert.deepEqual(await jobs.layout(how, nothing), first);
    });
});
