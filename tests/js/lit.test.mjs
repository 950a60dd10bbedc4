/** The calls of findings in trees, against a model that looks at each path; and in timelines. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { markOfPath } from '../../xhprof_html/assets/js/core/path-mark.js';
import { layoutOf } from '../../xhprof_html/assets/js/flame/layout.js';
import { SPECIAL, draw, runningCount } from '../../xhprof_html/assets/js/flame/draw.js';
import { litNodes, litSum } from '../../xhprof_html/assets/js/profile/lit.js';
import { pathTo } from '../../xhprof_html/assets/js/profile/tree.js';
import { TimelineJobs } from '../../xhprof_html/assets/js/timeline/jobs.js';
import { SampleJobs } from '../../xhprof_html/assets/js/timeline/sample-jobs.js';
import { visibleMarks } from '../../xhprof_html/assets/js/timeline/marks.js';
import { random, serveRun, treeJson, treeOf } from './support.mjs';

const lit = (more) => ({ id: 'rule-00000000', functions: [], below: '', prefixes: [], paths: [], ...more });
const list = (/** @type {ArrayLike<number>} */ column) => Array.from(column);

/** The rule in words, for one node. */
function isLit(names, { functions, below, prefixes, paths }) {
    const [own, above] = [names[names.length - 1], names.slice(0, -1)];
    const isOne = functions.includes(own) || prefixes.some((prefix) => own.startsWith(prefix));

    return (isOne && (below === '' || above.includes(below))) || paths.includes(markOfPath(names));
}

describe('calls of a finding', () => {
    for (let seed = 1; seed <= 12; seed++) {
        test(`in a tree as in each of its paths: ${seed}`, () => {
            const tree = treeOf(treeJson(400, { seed, shape: seed, functions: 14, levels: 9 }));
            const pick = random(seed);
            const any = () => tree.names[Math.floor(pick() * tree.names.length)];
            const pathOf = (node) => pathTo(tree.parent, node).map((at) => tree.names[tree.fn[at]]);
            const path = () => markOfPath(pathOf(1 + Math.floor(pick() * (tree.n - 1))));
            let met = 0;
            for (const wanted of [
                lit({ functions: [any(), any()] }), lit({ functions: [any(), any(), any()], below: any() }), lit({ prefixes: ['App\\Module1'], below: any() }),
                lit({ prefixes: ['str_'] }), lit({ paths: [path(), path()] }), lit({ functions: [any()], below: any(), paths: [path()] }),
                lit({ functions: ['none'], below: any() }), lit({ functions: [any()], below: 'none' }), lit({ paths: ['3-deadbeef', 'no mark'] }),
            ]) {
                const found = litNodes(tree.names, tree, wanted);
                assert.deepEqual(list(found), list(tree.fn).map((_, node) => (isLit(pathOf(node), wanted) ? 1 : 0)), JSON.stringify(wanted));
                met += found.includes(1) ? 1 : 0;
            }
            assert.ok(met >= 4, `${met} cases had any`);
        });
    }

    test('a recursion lies within its outermost call, and each call counts', () => {
        const tree = treeOf({
            metrics: [{ k: 'wt', label: 'Wall time', unit: 'ns' }], names: ['main()', 'f', 'g'], fn: [0, 1, 2, 1, 1, 2], depth: [0, 1, 2, 3, 1, 1],
            ct: [1, 2, 3, 4, 5, 6], self: { wt: [0, 10, 20, 30, 40, 50] },
        });
        const found = litNodes(tree.names, tree, lit({ functions: ['f'] }));
        const layout = layoutOf(tree, 'wt', 'time');
        assert.deepEqual(litSum(layout, found), { frames: 3, calls: 11, sum: 100, outer: [1, 4] });
        assert.deepEqual(list(litNodes(tree.names, tree, lit({ functions: ['f'], below: 'f' }))), [0, 0, 0, 1, 0, 0], 'a function is not below itself');
    });

    test('a lit frame shows, however narrow, over the selection and not over a search', () => {
        // 2000 callees, of which one is lit, in 40 pixels.
        const n = 2001;
        const tree = treeOf({
            metrics: [{ k: 'wt', label: 'Wall time', unit: 'ns' }], names: ['main()', 'f', 'one'], fn: [0, ...Array(n - 1).fill(1)].map((fn, node) => (node === 777 ? 2 : fn)),
            depth: [0, ...Array(n - 1).fill(1)], ct: Array(n).fill(1), self: { wt: Array(n).fill(1) },
        });
        const layout = layoutOf(tree, 'wt', 'time');
        const found = litNodes(tree.names, tree, lit({ functions: ['one'] }));
        const draws = (more) => {
            const seen = {};
            const context = {
                setTransform() {}, setLineDash() {}, strokeRect() {}, fillText() {}, fillStyle: '',
                fillRect(left, top, width) {
                    if (top > 0) {
                        (seen[this.fillStyle] ??= []).push([left, width]);
                    }
                },
            };
            draw(/** @type {any} */ (context), layout, { from: 0, to: layout.width[0], width: 40, height: 100, scroll: 0, row: 18, up: false, ratio: 1 }, {
                colour: new Uint8Array(n).fill(3), fills: ['faint', 'hit', 'selected', 'plain'], inks: ['', '', '', ''], ground: 'ground', matches: null, lit: found,
                selected: -1, root: 0, matched: runningCount(layout, (_, node) => found[node] === 1), chosen: null, ...more,
            }, null);

            return seen;
        };
        const { hit, faint } = draws({});
        assert.deepEqual(hit, [[15, 1]]);
        assert.ok(faint.length > 0);
        assert.deepEqual(draws({ selected: 2, chosen: runningCount(layout, (fn) => fn === 2) }).hit, [[15, 1]]);
        const search = { matches: Uint8Array.of(0, 0, 0), matched: runningCount(layout, () => false) };
        assert.equal(draws(search).hit, undefined);
        assert.equal(SPECIAL.hit, 1);
    });
});

describe('over time', () => {
    const tree = {
        names: ['main()', 'list', 'execute', 'other'], fn: [0, 1, 2, 3, 2], depth: [0, 1, 2, 1, 2], ct: [1, 1, 150, 1, 7], self: { wt: [1e6, 1e6, 150, 1e6, 7] },
        metrics: [{ k: 'wt', label: 'Wall time', unit: 'ns' }],
    };
    const calls = Array.from({ length: 150 }, (_, i) => [1000 + i * 10, 1, 2]);
    const timeline = {
        duration: 1e6, threshold: 0, t: [1000, ...calls.map(([t]) => t), 500000, 500100], d: [1500, ...calls.map(([, d]) => d), 1000, 1],
        node: [1, ...calls.map(([, , node]) => node), 3, 4],
    };

    test('each call has a tick, also where all are in a few pixels', async () => {
        serveRun({ tree, timeline });
        const jobs = new TimelineJobs();
        const opened = await jobs.open({ url: 'api.php?x' }, () => {});
        const { frames, track } = await jobs.lit(lit({ functions: ['execute'], below: 'list' }));
        assert.equal(frames.length, opened.layout.fn.length);
        assert.equal(frames.reduce((sum, one) => sum + one, 0), 150, 'not those of other()');
        assert.deepEqual([track.t.length, track.count, track.label], [150, 150, 'Lit: 150']);
        // 1000 pixels for a tenth of a pixel per tick, and one for each.
        assert.equal(visibleMarks(track, 0, 1e6, 1000).length, 1);
        assert.equal(visibleMarks(track, 1000, 2500, 1000).length, 150);
        assert.equal((await jobs.lit(lit({ functions: ['execute'] }))).track.t.length, 151);
        assert.equal((await jobs.lit(lit({ functions: ['nothing'] }))).track.t.length, 0);
    });

    test("a fiber's calls are lit by their path, though its frames stand alone", async () => {
        serveRun({
            tree: { ...tree, names: ['main()', 'Fiber::resume', 'work', 'execute'], fn: [0, 1, 2, 3], depth: [0, 1, 2, 3], ct: [1, 1, 1, 2], self: { wt: [1, 1, 1, 1] } },
            timeline: {
                duration: 100, threshold: 0, t: [0, 10, 20, 60], d: [90, 70, 10, 10], node: [1, 2, 3, 3], fiber: [0, 1, 1, 1],
                fibers: { t: [0, 10, 40, 50], d: [10, 30, 10, 50], fiber: [0, 1, 0, 1] },
            },
        });
        const jobs = new TimelineJobs();
        await jobs.open({ url: 'api.php?x' }, () => {});
        const { track } = await jobs.lit(lit({ functions: ['execute'], below: 'Fiber::resume' }));
        assert.deepEqual(list(track.t), [20, 60]);
    });

    test('of samples too', async () => {
        serveRun({ stacks: { names: ['main()', 'f', 'g'], stacks: { fn: [0, 1, 2, 2], parent: [-1, 0, 1, 0] }, stack: [1, 2, 3, 2], t: [10, 20, 30, 40], metric: { k: 'wt', label: 'Wall time' } } });
        const jobs = new SampleJobs();
        await jobs.open({ url: 'api.php?x' }, () => {});
        const { track } = await jobs.lit(lit({ functions: ['g'], below: 'f' }));
        assert.deepEqual([list(track.t), list(track.d), track.count], [[10000, 60000], [20000, 40000], 2]);
    });
});
