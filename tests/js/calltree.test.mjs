/** The rows of the call tree: golden rows, and random trees against simple sums. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Outline } from '../../xhprof_html/assets/js/calltree/outline.js';
import { BottomUp, TopDown } from '../../xhprof_html/assets/js/calltree/sources.js';
import { TreeJobs } from '../../xhprof_html/assets/js/paths/tree-jobs.js';
import { functionsOf } from '../../xhprof_html/assets/js/profile/merge.js';
import { METRICS, random, serveRun, treeJson, treeOf } from './support.mjs';

/** main > a > (b > a > c), b; main > a again; main > c */
const GOLDEN = {
    metrics: METRICS, order: 'preorder', n: 8,
    names: ['main()', 'a', 'b', 'c'],
    fn: [0, 1, 2, 1, 3, 2, 1, 3],
    depth: [0, 1, 2, 3, 4, 2, 1, 1],
    ct: [1, 2, 1, 3, 1, 4, 1, 5],
    self: { wt: [10, 20, 5, 7, 1, 2, 30, 4] },
};

/**
 * @param {any} data
 * @returns {Promise<import('../../xhprof_html/assets/js/calltree/sources.js').TreeColumns>} as the page gets them
 */
async function columnsOf(data) {
    const jobs = new TreeJobs();
    serveRun({ tree: data });
    await jobs.open({ url: 'run' }, () => {});

    return jobs.columns({ metric: 'wt' }, () => {});
}

const golden = await columnsOf(GOLDEN);

/** Rows in sight, as "a 35/20 ×2", indented. */
function shown(outline, names = GOLDEN.names) {
    return Array.from(outline.rows.subarray(0, outline.count), (row) => {
        const { source } = outline;
        const sign = source.opens(row) ? (outline.isOpen(row) ? '-' : '+') : ' ';

        return `${'  '.repeat(source.level(row))}${sign}${names[source.fn(row)]} ${source.total(row)}/${source.self(row)} ×${source.calls(row)}`;
    });
}

const byTotal = (source) => (/** @type {number} */ a, /** @type {number} */ b) => source.total(b) - source.total(a) || a - b;
const bySelf = (source) => (/** @type {number} */ a, /** @type {number} */ b) => source.self(b) - source.self(a) || a - b;

function topDown(columns = golden) {
    const source = new TopDown(columns);

    return new Outline(source, byTotal(source));
}

function bottomUp(columns = golden) {
    const source = new BottomUp(columns);

    return new Outline(source, bySelf(source));
}

describe('top-down', () => {
    test('rows open, sorted, and close again', () => {
        const outline = topDown();
        assert.deepEqual(shown(outline), ['+main() 79/10 ×1']);
        outline.open(0);
        assert.deepEqual(shown(outline), ['-main() 79/10 ×1', '  +a 35/20 ×2', '   a 30/30 ×1', '   c 4/4 ×5']);
        outline.open(1);
        assert.deepEqual(shown(outline).slice(1, 4), ['  -a 35/20 ×2', '    +b 13/5 ×1', '     b 2/2 ×4']);
        outline.close(0);
        assert.deepEqual(shown(outline), ['+main() 79/10 ×1']);
        outline.open(0);
        assert.equal(outline.count, 6, 'a row below keeps its state');
        outline.sort((a, b) => b - a);
        assert.deepEqual(shown(outline).map((line) => line.trim().split(' ')[0]), ['-main()', 'c', 'a', '-a', 'b', '+b']);
        outline.closeAll();
        assert.equal(outline.count, 1);
    });

    test('the hot path ends where a function costs more by itself than any callee', () => {
        const outline = topDown();
        const end = outline.hotPath(0);
        // a spends 20 of 35 itself; its costliest callee has 13.
        assert.equal(shown(outline)[end], '  +a 35/20 ×2');
        assert.equal(outline.hotPath(end), end);
    });

    test('all below a row opens at once, and a path is revealed by opening what is above it', () => {
        const outline = topDown();
        outline.openAll(0);
        assert.equal(outline.count, 8);
        assert.equal(outline.deepest(), 4);
        outline.closeAll();
        const index = outline.reveal(4);
        assert.equal(shown(outline)[index].trim(), 'c 1/1 ×1');
        assert.equal(outline.parentOf(index), index - 1);
        assert.equal(outline.parentOf(0), -1);
        assert.equal(outline.indexOf(7), outline.count - 1);
    });

    test('a search keeps matches with what is above and below them, and gives the open rows back', () => {
        const outline = topDown();
        outline.open(0);
        const before = shown(outline);
        outline.filter(Uint8Array.of(0, 0, 0, 1));
        assert.deepEqual(shown(outline).map((line) => line.trim().split(' ')[0]), ['-main()', '-a', '-b', '-a', 'c', 'c']);
        outline.filter(Uint8Array.of(0, 0, 1, 0));
        assert.deepEqual(shown(outline).map((line) => line.trim().split(' ')[0]), ['-main()', '-a', '+b', 'b']);
        outline.open(2);
        assert.equal(shown(outline)[3].trim(), '+a 8/7 ×3', 'what a match calls is there');
        assert.equal(outline.next(2, 1, (row) => golden.fn[row] === 2), 4);
        assert.equal(outline.next(4, 1, (row) => golden.fn[row] === 2), 2);
        assert.equal(outline.next(2, -1, (row) => golden.fn[row] === 9), -1);
        outline.filter(Uint8Array.of(0, 0, 0, 0));
        assert.equal(outline.count, 0);
        outline.filter(null);
        assert.deepEqual(shown(outline), before);
    });
});

describe('bottom-up', () => {
    test('functions by their own cost, and their callers below them', () => {
        const outline = bottomUp();
        // The inner call of a is within an outer one: 35 + 30.
        assert.deepEqual(shown(outline), ['+a 65/57 ×6', ' main() 79/10 ×1', '+b 15/7 ×5', '+c 5/5 ×6']);
        outline.open(0);
        assert.deepEqual(shown(outline).slice(0, 3), ['-a 65/57 ×6', '   main() 65/50 ×3', '  +b 8/7 ×3']);
        outline.openAll(0);
        assert.deepEqual(shown(outline).slice(2, 4), ['  -b 8/7 ×3', '    +a 8/7 ×3']);
    });

    test('the hot path follows the callers that have at least half of the cost', () => {
        const outline = bottomUp();
        outline.hotPath(2);
        assert.deepEqual(shown(outline).slice(2, 5), ['-b 15/7 ×5', '  -a 15/7 ×5', '     main() 15/7 ×5']);
    });

    test('a search keeps the functions that match, with all their callers', () => {
        const outline = bottomUp();
        outline.filter(Uint8Array.of(0, 0, 1, 0));
        outline.open(0);
        assert.deepEqual(shown(outline), ['-b 15/7 ×5', '  +a 15/7 ×5']);
    });
});

describe('any tree', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
        test(`sums and rows hold (seed ${seed})`, async () => {
            const data = treeJson(2000, { seed, shape: seed, functions: 12, levels: 9 });
            const columns = await columnsOf(data);
            const functions = functionsOf(treeOf(data), 'wt');
            const up = bottomUp(columns);
            for (const root of up.source.roots) {
                const at = functions.fn.indexOf(up.source.fn(root));
                assert.deepEqual(
                    [up.source.self(root), up.source.total(root), up.source.calls(root)],
                    [functions.exclusive[at], functions.inclusive[at], functions.ct[at]],
                );
                // What does not come from a caller comes from main() itself.
                const kids = [...up.source.kids(root)];
                const own = kids.reduce((sum, kid) => sum + up.source.self(kid), 0);
                assert.equal(own, up.source.fn(root) === 0 ? 0 : up.source.self(root));
                assert.equal(up.source.opens(root), kids.length > 0);
            }
            const chance = random(seed);
            for (const outline of [topDown(columns), up]) {
                for (let step = 0; step < 200; step++) {
                    const index = Math.floor(chance() * outline.count);
                    if (outline.isOpen(outline.rows[index]) && chance() < 0.4) {
                        outline.close(index);
                    } else {
                        outline.open(index);
                    }
                }
                const spliced = shown(outline, data.names);
                outline.sort(outline.compare);
                assert.deepEqual(shown(outline, data.names), spliced, 'opening and closing one by one is the same as arranging anew');
            }
        });
    }

    test('a million rows open at once', async () => {
        const columns = await columnsOf(treeJson(1e6, { functions: 5000, levels: 50 }));
        const outline = topDown(columns);
        outline.openAll(0);
        assert.equal(outline.count, 1e6);
        const deep = columns.depth.indexOf(columns.levels - 1);
        assert.equal(outline.rows[outline.indexOf(deep)], deep);
    });
});
