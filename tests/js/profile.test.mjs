/** Trees of call paths: golden figures, and random trees against a simple model of objects. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { prunedNote, shownPaths } from '../../xhprof_html/assets/js/paths/frame-table.js';
import { markOfPath } from '../../xhprof_html/assets/js/core/path-mark.js';
import { BadRun, readRun } from '../../xhprof_html/assets/js/profile/run-file.js';
import { Tree, findMark, markOf, pathTo } from '../../xhprof_html/assets/js/profile/tree.js';
import { Merger, calleesOf, callersOf, functionsOf, mergePaths, outermost } from '../../xhprof_html/assets/js/profile/merge.js';
import { matchNames, matchedShare, patternIn } from '../../xhprof_html/assets/js/profile/search.js';
import { Samples } from '../../xhprof_html/assets/js/profile/samples.js';
import { Union, scaleOf } from '../../xhprof_html/assets/js/profile/diff.js';
import { METRICS, fileOf, random, stored, treeJson, treeOf } from './support.mjs';

/** main > a > (b > a > c), b; main > a again; main > c */
const GOLDEN = {
    metrics: METRICS, order: 'preorder', n: 8,
    names: ['main()', 'a', 'b', 'c'],
    fn: [0, 1, 2, 1, 3, 2, 1, 3],
    depth: [0, 1, 2, 3, 4, 2, 1, 1],
    ct: [1, 2, 1, 3, 1, 4, 1, 5],
    self: { wt: [10, 20, 5, 7, 1, 2, 30, 4], mu: [100, -40, 8, 0, -8, 50, 0, 16] },
    corrected: { wt: [9, 19, 4, 6, 0, 1, 29, 3] },
};

const list = (/** @type {ArrayLike<number>} */ column) => Array.from(column);

/** Objects with children, from columns. */
function model(data, metric = 'wt') {
    const open = [];
    for (let i = 0; i < data.fn.length; i++) {
        const node = {
            name: data.names[data.fn[i]], self: metric === 'ct' ? data.ct[i] : data.self[metric][i], ct: data.ct[i], children: [],
        };
        open[data.depth[i]] = node;
        open[data.depth[i] - 1]?.children.push(node);
    }

    return open[0];
}

const sum = (node) => node.self + node.children.reduce((all, child) => all + sum(child), 0);

function walk(node, visit, path = []) {
    const here = [...path, node];
    visit(node, here);
    node.children.forEach((child) => walk(child, visit, here));
}

/** "main()>a>b" => own figure, added up over equal paths */
function byPath(root, add = (node) => node.self) {
    const paths = new Map();
    walk(root, (node, path) => {
        const key = path.map((one) => one.name).join('>');
        paths.set(key, (paths.get(key) ?? 0) + add(node));
    });

    return paths;
}

/** The same of a Tree. */
function pathsOf(tree, metric = 'wt') {
    const paths = new Map();
    for (let node = 0; node < tree.n; node++) {
        const key = pathTo(tree.parent, node).map((at) => tree.names[tree.fn[at]]).join('>');
        assert.ok(!paths.has(key) || tree.unmerged, `met twice: ${key}`);
        paths.set(key, (paths.get(key) ?? 0) + tree.exclusive(metric)[node]);
    }

    return paths;
}

const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

describe('a tree', () => {
    const tree = treeOf(GOLDEN);

    test('hangs together', () => {
        assert.deepEqual(list(tree.parent), [-1, 0, 1, 2, 3, 1, 0, 0]);
        assert.deepEqual(list(tree.end), [8, 6, 5, 5, 5, 6, 7, 8]);
        assert.equal(tree.levels, 5);
        assert.deepEqual(pathTo(tree.parent, 4), [0, 1, 2, 3, 4]);
    });

    test('adds up', () => {
        assert.deepEqual(list(tree.inclusive('wt')), [79, 35, 13, 8, 1, 2, 30, 4]);
        assert.deepEqual(list(tree.inclusive('corrected_wt')), [71, 30, 10, 6, 0, 1, 29, 3]);
        assert.deepEqual(list(tree.inclusive('ct')), [18, 11, 5, 4, 1, 4, 1, 5]);
        assert.deepEqual(list(tree.inclusive('mu')), [126, 10, 0, -8, -8, 50, 0, 16]);
    });

    test('memory is live that was allocated and not freed', () => {
        const allocated = [100, 0, 64, 0, 0, 32, 0, 8], freed = [100, 0, 16, 0, 0, 0, 0, 8];
        const of = treeOf({ ...GOLDEN, self: { allocated_bytes: allocated, freed_bytes: freed } });
        assert.deepEqual(list(of.exclusive('live_bytes')), [0, 0, 48, 0, 0, 32, 0, 0]);
        assert.equal(of.inclusive('live_bytes')[0], 80);
        assert.ok(!of.self.has('live_blocks') && !tree.self.has('live_bytes'));
    });

    test('a frame is as wide as what was taken below it, and never narrower than its callees', () => {
        assert.deepEqual(list(tree.widths('mu')), [174, 58, 8, 0, 0, 50, 0, 16]);
        assert.deepEqual(tree.negative('mu'), { nodes: 2, sum: -48 });
        assert.equal(tree.widths('wt'), tree.inclusive('wt'));
    });

    test('widths look for figures below zero once, and again when the tree has forgotten', () => {
        for (const metric of ['wt', 'mu']) {
            const fresh = treeOf(GOLDEN);
            let asked = 0;
            fresh.exclusive = (key) => {
                asked++;

                return Tree.prototype.exclusive.call(fresh, key);
            };
            for (let round = 0; round < 3; round++) {
                fresh.widths(metric);
                fresh.negative(metric);
            }
            assert.equal(asked, 2, 'one pass to look for figures below zero, one to add up');
            fresh.forget();
            fresh.widths(metric);
            assert.equal(asked, 4);
        }
    });

    test('offers its metrics in the order of the server, and with its words', () => {
        assert.deepEqual(tree.metrics().map((m) => m.k), ['wt', 'corrected_wt', 'mu', 'ct']);
        const metrics = [{ k: 'mu', label: 'Lent', unit: 'bytes' }, { k: 'cpu', label: 'Work', unit: 'ns' }, { k: 'ct', label: 'Times', unit: 'count' }];
        assert.deepEqual(treeOf({ ...GOLDEN, metrics, corrected: {} }).metrics(), [metrics[0], metrics[2], { k: 'wt', label: 'wt', unit: 'count' }]);
        assert.deepEqual(mergePaths(treeOf({ ...GOLDEN, metrics })).metrics()[0], metrics[0]);
        for (const wrong of ['wt', [{ k: 'wt', label: 'Wall', unit: 'minutes' }], [{ k: 'wt', unit: 'ns' }], [null]]) {
            assert.throws(() => treeOf({ ...GOLDEN, metrics: wrong }), /no list of metrics/);
        }
        assert.throws(() => tree.inclusive('nothing'), BadRun);
    });

    test('finds a node by its mark again, in another run of the same paths too', () => {
        const other = treeOf({ ...GOLDEN, names: ['main()', 'x', 'a', 'b', 'c'], fn: GOLDEN.fn.map((f) => (f === 0 ? 0 : f + 1)) });
        for (const node of [0, 1, 2, 3, 4, 7]) {
            assert.equal(findMark(tree.names, tree, markOf(tree.names, tree, node)), node);
            assert.equal(findMark(other.names, other, markOf(tree.names, tree, node)), node);
        }
        assert.equal(markOf(tree.names, tree, 6), markOf(tree.names, tree, 1), 'the same path');
        // tests/html/MemoryPageTest.php expects the same.
        assert.equal(markOfPath(['main()', 'job', 'Registry::keep']), '2-396d5ad4');
        assert.equal(markOfPath(['main()', 'caf\u{e9}']), '1-eec22ce0');
        assert.equal(markOfPath(['main()', '\u{1F600}x']), '1-bf5f22a0');
        assert.equal(markOf(tree.names, tree, 5), markOf(tree.names, tree, 2), 'the same path');
        for (const bad of ['', '0', '1-zz', '99999999999-0', '-1-5', '1-0000000000', '4-12345678']) {
            assert.equal(findMark(tree.names, tree, bad), -1, bad);
        }
    });

    test('two names alike are one function', () => {
        const twice = treeOf({ ...GOLDEN, names: ['main()', 'a', 'b', 'a'] });
        assert.deepEqual(list(twice.fn), [0, 1, 2, 1, 1, 2, 1, 1]);
    });

    test('says how many runs and what was left out', () => {
        const mean = treeOf({ ...GOLDEN, runs: 3, pruned: { nodes: 12, of: 20 }, corrected: [] });
        assert.deepEqual([mean.runs, mean.pruned], [3, { nodes: 12, of: 20, name: '' }]);
        assert.match(prunedNote(mean), /^8 of 20 call paths \(40.0 %\) are shown: .*small paths/);
        assert.equal(prunedNote(treeOf(GOLDEN)) + shownPaths(treeOf(GOLDEN)), '', 'nothing is left out');
    });
});

describe('damaged and hostile trees', () => {
    const deep = { ...GOLDEN, depth: [0, 1, 2, 4, 4, 2, 1, 1] };
    const cases = /** @type {[string, any, RegExp][]} */ ([
        ['no names', { ...GOLDEN, names: undefined }, /no list of names/],
        ['a name that is no text', { ...GOLDEN, names: ['main()', 'a', 'b', { toString: 1 }] }, /no list of names/],
        ['no nodes', { ...GOLDEN, n: 0, fn: [], depth: [], ct: [], self: { wt: [] }, corrected: {} }, /no nodes/],
        ['other than announced', { ...GOLDEN, n: 9 }, /announces 9 nodes and has 8/],
        ['no columns', { ...GOLDEN, self: null }, /no columns "self"/],
        ['no metrics', { ...GOLDEN, self: [], corrected: [] }, /no metrics/],
        ['a function of no name', { ...GOLDEN, fn: [0, 1, 2, 1, 4, 2, 1, 3] }, /"fn" of the call tree is invalid at 4/],
        ['a negative function', { ...GOLDEN, fn: [0, 1, -2, 1, 3, 2, 1, 3] }, /"fn".* at 2/],
        ['columns that are text', { ...GOLDEN, fn: 'fn' }, /"fn" of the call tree is missing/],
        ['a level left out', deep, /Node 3 of the call tree has no parent/],
        ['two roots', { ...GOLDEN, depth: [0, 1, 2, 3, 4, 2, 0, 1] }, /Node 6 .* has no parent/],
        ['no root', { ...GOLDEN, depth: [1, 1, 2, 3, 4, 2, 1, 1] }, /Node 0 .* has no parent/],
        ['a short column', { ...GOLDEN, ct: [1] }, /"ct" .* wrong length/],
        ['a column cut off', { ...GOLDEN, self: { wt: [1, 2] } }, /"self.wt" .* wrong length/],
        ['text among figures', { ...GOLDEN, self: { wt: [10, 20, '5', 7, 1, 2, 30, 4] } }, /"self\.wt" .* missing/],
        ['null among figures', { ...GOLDEN, self: { wt: [10, 20, 5, 7, 1, 2, 30, null] } }, /"self\.wt" .* missing/],
        ['calls below zero', { ...GOLDEN, ct: [1, 2, 1, -3, 1, 4, 1, 5] }, /"ct" .* at 3/],
        ['figures beyond measure', { ...GOLDEN, self: { wt: [2 ** 52, 2 ** 52, 5, 7, 1, 2, 30, 4] } }, /too large/],
        ['a figure beyond measure', { ...GOLDEN, self: { wt: [2 ** 53, 20, 5, 7, 1, 2, 30, 4] } }, /invalid at 0/],
        ['a name of a metric without end', { ...GOLDEN, self: { ['x'.repeat(1e6)]: [1] } }, /^The column "self\.x{1,40}" of/],
    ]);
    for (const [what, data, message] of cases) {
        test(what, () => assert.throws(() => treeOf(data), (/** @type {any} */ error) => {
            assert.ok(error instanceof BadRun, String(error));
            assert.match(error.message, message);

            return error.message.length < 200;
        }));
    }

    test('no tree', () => assert.throws(() => Tree.of(null), { message: 'This run has no call tree.' }));

    test('a metric that no section can be named after has its figures in the head', () => {
        const tree = treeOf({ ...GOLDEN, self: { ...GOLDEN.self, 'event.x': [1, 2, 3, 4, 5, 6, 7, 0.5] } });
        assert.deepEqual([tree.metrics().at(-1)?.k, tree.inclusive('event.x')[0]], ['event.x', 28.5]);
        assert.throws(() => treeOf({ ...GOLDEN, self: { 'event.x': [1, 2, 3, 4, 5, 6, 7, '8'] } }), /"self\.event\.x" .* missing/);
    });

    test('columns that are the same bytes of the file stay as they are', () => {
        const [names, end, column] = ['main()aa', [6, 7, 8], [0, 1, 2]].map((bytes) => (typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes)));
        const same = { type: 'u8', at: 16, n: 3 };
        const tree = Tree.of(readRun(fileOf({ v: 1, tree: {} }, {
            'tree.names': { type: 'text', n: 3, bytes: 8, data: names },
            'tree.names.end': { type: 'u8', n: 3, data: end },
            'tree.fn': { type: 'u8', n: 3, data: column },
            'tree.depth': same, 'tree.ct': same, 'tree.self.wt': same,
        })).document('tree'));
        assert.deepEqual([tree.fn, tree.depth, tree.exclusive('ct'), tree.exclusive('wt')].map(list), [[0, 1, 1], [0, 1, 2], [0, 1, 2], [0, 1, 2]]);
    });

    test('corrected times that are there do not come later', () => {
        assert.deepEqual([...treeOf({ ...GOLDEN, correctable: ['wt', 'cpu'] }).later], ['corrected_cpu']);
        assert.deepEqual([...treeOf({ ...GOLDEN, corrected: {}, correctable: ['wt'] }).later], ['corrected_wt']);
    });

    test('names have no parts of edges, as in the library', () => {
        const { names, fn } = treeOf({ ...GOLDEN, names: ['main()', 'a==>b==>c', 'f@12', 'f\\x4012'] });
        assert.deepEqual(names.slice(0, 3), ['main()', 'a\\x3D=>b\\x3D=>c', 'f\\x4012']);
        assert.deepEqual(list(fn), [0, 1, 2, 1, 2, 2, 1, 2]);
        assert.deepEqual(treeOf({ ...GOLDEN, names: ['main()', 'a@b', 'c@', '@1x'] }).names, ['main()', 'a@b', 'c@', '@1x']);
    });

    test('a million calls deep', () => {
        const n = 300000;
        const ones = new Array(n).fill(1);
        const tree = treeOf({
            ...GOLDEN, n, fn: ones, depth: ones.map((_, i) => i), ct: ones, self: { wt: ones }, corrected: {},
        });
        assert.equal(tree.inclusive('wt')[0], n);
        assert.equal(findMark(tree.names, tree, markOf(tree.names, tree, n - 1)), n - 1);
        assert.equal(functionsOf(tree, 'wt').inclusive[0], n);
        assert.equal(mergePaths(tree), tree);
        assert.equal(calleesOf(tree, 1, ['wt'])?.n, n);
    });
});

describe('merging', () => {
    const tree = treeOf(GOLDEN);

    test('paths met twice become one', () => {
        const merged = mergePaths(tree);
        assert.deepEqual(merged.names, tree.names);
        assert.deepEqual(list(merged.fn), [0, 1, 2, 1, 3, 3]);
        assert.deepEqual(list(merged.depth), [0, 1, 2, 3, 4, 1]);
        assert.deepEqual(list(merged.inclusive('wt')), [79, 65, 15, 8, 1, 4]);
        assert.deepEqual(list(merged.exclusive('ct')), [1, 3, 5, 3, 1, 5]);
        assert.equal(mergePaths(merged), merged);
    });

    test('a function in itself is counted once', () => {
        assert.deepEqual(outermost(tree, 1), { nodes: [1, 6], inner: 1 });
        const callees = calleesOf(tree, 1, ['wt', 'ct']);
        assert.equal(callees?.inclusive('wt')[0], 65);
        assert.deepEqual(sorted(pathsOf(callees)), [['a', 50], ['a>b', 7], ['a>b>a', 7], ['a>b>a>c', 1]]);
        const callers = callersOf(tree, 1, ['wt', 'ct']);
        assert.deepEqual(list(callers.inclusive('wt')), [65, 65]);
        assert.deepEqual(list(callers.inclusive('ct')), [3, 3]);
        const ofC = callersOf(tree, 3, ['wt']);
        assert.deepEqual(list(ofC.fn).map((fn) => ofC.names[fn]), ['c', 'a', 'b', 'a', 'main()', 'main()']);
        assert.deepEqual(list(ofC.inclusive('wt')), [5, 1, 1, 1, 1, 4]);
        assert.equal(calleesOf(tree, 17, ['wt']), null);
    });

    test('functions', () => {
        const rows = functionsOf(tree, 'wt');
        assert.deepEqual(list(rows.fn), [0, 1, 2, 3]);
        assert.deepEqual(list(rows.exclusive), [10, 57, 7, 5]);
        assert.deepEqual(list(rows.inclusive), [79, 65, 15, 5]);
        assert.deepEqual(list(rows.ct), [1, 6, 5, 6]);
        assert.deepEqual(list(functionsOf(tree, 'wt', 2).fn), [1, 2, 3]);
        assert.deepEqual(list(functionsOf(tree, 'wt', 2).inclusive), [8, 13, 1]);
    });

    test('the table grows past what it began with, and keeps what it had', () => {
        const merger = new Merger(1);
        for (let i = 0; i < 5000; i++) {
            merger.values[0][merger.node(i === 0 ? -1 : (i - 1) >> 1, i)] += i;
        }
        for (let i = 0; i < 5000; i++) {
            assert.equal(merger.node(i === 0 ? -1 : (i - 1) >> 1, i), i);
        }
        const { values, position } = merger.finish();
        assert.equal(values[0][position[4999]], 4999);
        assert.equal(new Set(position).size, 5000);
    });
});

describe('search', () => {
    const tree = treeOf(GOLDEN);

    test('every word, any case, anywhere', () => {
        const names = ['App\\Http\\Kernel::handle', 'App\\Cache::get', 'handle', 'İstanbul'];
        assert.deepEqual(list(matchNames(names, 'APP handle')), [1, 0, 0, 0]);
        assert.deepEqual(list(matchNames(names, '  ')), [0, 0, 0, 0]);
        assert.deepEqual(list(matchNames(names, '[(.*')), [0, 0, 0, 0]);
    });
    test('a text between slashes is a regular expression', () => {
        const names = ['pStmt_If', 'pStmt_For', 'pExpr_If', 'App\\Kernel::handle'];
        assert.deepEqual(list(matchNames(names, '/pStmt_(If|For)/')), [1, 1, 0, 0]);
        assert.deepEqual(list(matchNames(names, '/pstmt/')), [0, 0, 0, 0]);
        assert.deepEqual(list(matchNames(names, '/pstmt|^app/i')), [1, 1, 0, 1]);
        assert.deepEqual(list(matchNames(names, '/(/')), [0, 0, 0, 0]);
        assert.match(patternIn('/(/')?.problem ?? '', /^This is no regular expression: Unterminated group$/);
        assert.equal(patternIn('run_init::a/b'), null);
        assert.equal(patternIn('//'), null);
    });

    test('a path counts once', () => {
        assert.deepEqual(matchedShare(tree, matchNames(tree.names, 'a'), tree.inclusive('wt')), { nodes: 4, sum: 79 });
        const onlyA = Uint8Array.of(0, 1, 0, 0);
        assert.deepEqual(matchedShare(tree, onlyA, tree.inclusive('wt')), { nodes: 3, sum: 65 });
        assert.deepEqual(matchedShare(tree, onlyA, tree.inclusive('wt'), 2), { nodes: 1, sum: 8 });
    });
});

describe('two trees', () => {
    test('laid over each other', () => {
        const b = {
            ...GOLDEN, n: 4, names: ['main()', 'c', 'a', 'new'], fn: [0, 2, 3, 1], depth: [0, 1, 2, 1], ct: [1, 2, 9, 5],
            self: { wt: [12, 20, 6, 1] }, corrected: {},
        };
        const tree = new Union(treeOf(GOLDEN), treeOf(b));
        tree.figures(['wt', 'ct']);
        assert.deepEqual(tree.common, METRICS.filter(({ k }) => ['wt', 'ct'].includes(k)).map(({ k, label, unit }) => ({ k, label, unit })));
        assert.deepEqual(list(tree.fn).map((fn) => tree.names[fn]), ['main()', 'a', 'b', 'a', 'c', 'new', 'c']);
        assert.deepEqual(list(tree.only), [0, 0, 1, 1, 1, 2, 0]);
        assert.deepEqual(list(tree.inclusive('a.wt')), [79, 65, 15, 8, 1, 0, 4]);
        assert.deepEqual(list(tree.inclusive('b.wt')), [39, 26, 0, 0, 0, 6, 1]);
        assert.deepEqual(list(tree.exclusive('max.wt')), [12, 50, 7, 7, 1, 6, 4]);
        assert.deepEqual(list(tree.exclusive('b.ct')), [1, 2, 0, 0, 0, 9, 5]);
    });

    test('functions of another name before are the same', () => {
        const side = (names, wt) => treeOf({ ...GOLDEN, n: 3, names, fn: [0, 1, 2], depth: [0, 1, 2], ct: [1, 1, 1], self: { wt }, corrected: {} });
        const a = side(['main()', '{closure:a/x.php:5}', 'b'], [1, 2, 3]);
        const b = side(['main()', '{closure:a/x.php:12}', 'b'], [4, 5, 6]);
        assert.equal(new Union(a, b).only.filter((side) => side > 0).length, 4);
        const tree = new Union(a, b, new Map([['{closure:a/x.php:5}', '{closure:a/x.php:12}']]));
        tree.figures(['wt']);
        assert.deepEqual(list(tree.only), [0, 0, 0]);
        assert.deepEqual(list(tree.fn).map((fn) => tree.names[fn]), ['main()', '{closure:a/x.php:12}', 'b']);
        assert.deepEqual(list(tree.exclusive('a.wt')), [1, 2, 3]);
    });

    test('the scale of changes ends where one in a hundred of those one can see is larger', () => {
        const seen = (/** @type {number} */ n) => [new Float64Array(n).fill(7), new Float64Array(n)];
        assert.equal(scaleOf((i) => (i % 2 ? i : -i), seen(200)), 198);
        assert.equal(scaleOf((i) => (i === 5 ? 1e9 : -3), seen(1000)), 3);
        assert.equal(scaleOf(() => 0, seen(5)), 0);
        const large = Float64Array.from({ length: 5000 }, (_, i) => (i < 3 ? 1e6 : 10));
        assert.equal(scaleOf((i) => large[i] / 10, [large, new Float64Array(5000)]), 1e5, 'the small ones do not count');
    });
});

describe('random trees against the model', () => {
    for (let seed = 1; seed <= 25; seed++) {
        test(`seed ${seed}`, () => {
            const n = 1 + Math.floor(random(seed)() * 400);
            const data = treeJson(n, { seed, shape: seed, functions: 12, levels: 14, memory: true });
            const tree = treeOf(data);
            for (const metric of ['wt', 'mu', 'ct']) {
                const root = model(data, metric);
                const nodes = [];
                walk(root, (node) => nodes.push(node));
                assert.deepEqual(list(tree.inclusive(metric)), nodes.map(sum));
                const wide = (node) => Math.max(0, node.self) + node.children.reduce((all, child) => all + wide(child), 0);
                assert.deepEqual(list(tree.widths(metric)), nodes.map(wide));

                const merged = mergePaths(tree);
                assert.deepEqual(sorted(pathsOf(merged, metric)), sorted(byPath(root)));

                const rows = functionsOf(tree, metric);
                const matches = matchNames(tree.names, '3');
                let matched = 0;
                walk(root, (node, path) => {
                    if (node.name.includes('3') && !path.slice(0, -1).some((above) => above.name.includes('3'))) {
                        matched += sum(node);
                    }
                });
                assert.equal(matchedShare(tree, matches, tree.inclusive(metric)).sum, matched);

                list(rows.fn).forEach((fn, row) => {
                    const name = tree.names[fn];
                    const below = new Map();
                    const above = new Map();
                    let all = 0;
                    let own = 0;
                    let above_all = 0;
                    walk(root, (node, path) => {
                        own += node.name === name ? node.self : 0;
                        const first = path.findIndex((one) => one.name === name);
                        if (first < 0) {
                            return;
                        }
                        const key = path.slice(first).map((one) => one.name).join('>');
                        below.set(key, (below.get(key) ?? 0) + node.self);
                        if (first === path.length - 1) {
                            const figure = metric === 'ct' ? node.self : sum(node);
                            const outwards = path.map((one) => one.name).reverse();
                            all += sum(node);
                            above_all += figure;
                            outwards.forEach((_, i) => {
                                const part = outwards.slice(0, i + 1).join('>');
                                above.set(part, (above.get(part) ?? 0) + figure);
                            });
                        }
                    });
                    assert.equal(rows.inclusive[row], all, name);
                    assert.equal(rows.exclusive[row], own, name);
                    const callees = calleesOf(tree, fn, [metric]);
                    assert.deepEqual(sorted(pathsOf(callees, metric)), sorted(below));
                    assert.equal(callees.inclusive(metric)[0], all);
                    const callers = callersOf(tree, fn, [metric]);
                    const shown = new Map(Array.from(callers.inclusive(metric), (value, node) => [
                        pathTo(callers.parent, node).map((at) => callers.names[callers.fn[at]]).join('>'), value]));
                    assert.deepEqual(sorted(shown), sorted(above));
                    assert.equal(callers.inclusive(metric)[0], above_all);
                });
            }
            const other = treeJson(1 + (n >> 1), { seed: seed + 50, shape: seed + 9, functions: 12, levels: 9 });
            const both = new Union(tree, treeOf(other));
            both.figures(['wt']);
            const a = byPath(model(data));
            const b = byPath(model(other));
            assert.deepEqual([...pathsOf(both, 'a.wt').keys()].sort(), [...new Set([...a.keys(), ...b.keys()])].sort());
            for (const [path, value] of pathsOf(both, 'a.wt')) {
                assert.equal(value, a.get(path) ?? 0, path);
            }
            let node = 0;
            for (const [path, value] of pathsOf(both, 'b.wt')) {
                assert.equal(value, b.get(path) ?? 0, path);
                assert.equal(both.only[node++], a.has(path) ? (b.has(path) ? 0 : 1) : 2, path);
            }
        });
    }
});

describe('samples', () => {
    /** main > a > b for two samples, main > a for one, nothing, main > a > b again, main > c */
    const data = {
        names: ['main()', 'a', 'b', 'c'],
        t: [100, 100, 50, 100, 200, 10], stack: [2, 2, 1, -1, 2, 3],
        stacks: { fn: [0, 1, 2, 3], parent: [-1, 0, 1, 0] },
    };
    const samples = Samples.of(stored(data));

    test('what stays on the stack is one frame', () => {
        const frames = samples.frames();
        assert.equal(samples.duration, 560000);
        assert.deepEqual(list(frames.fn), [0, 1, 2, 1, 2, 3]);
        assert.deepEqual(list(frames.depth), [0, 1, 2, 1, 2, 1]);
        assert.deepEqual(list(frames.x), [0, 0, 0, 350000, 350000, 550000]);
        assert.deepEqual(list(frames.width), [560000, 250000, 200000, 200000, 200000, 10000]);
        assert.deepEqual(list(frames.self), [0, 50000, 200000, 0, 200000, 10000], 'when nothing was met, main() did not run');
        assert.deepEqual(list(frames.ct), [5, 3, 2, 1, 1, 1]);
    });

    test('a range of time', () => {
        const all = samples.pathsOf(0, samples.duration);
        assert.deepEqual(list(all.inclusive('wt')), [460000, 450000, 400000, 10000]);
        assert.deepEqual(list(all.inclusive('ct')), [5, 4, 3, 1]);
        assert.equal(samples.count, 5);
        const part = samples.pathsOf(150000, 300000);
        assert.deepEqual(list(part.inclusive('wt')), [100000, 100000, 50000]);
        assert.deepEqual(list(part.fn), [0, 1, 2]);
        assert.equal(samples.pathsOf(9e9, 9e9).inclusive('wt')[0], 0);
    });

    test('an entry stands for several samples', () => {
        const several = Samples.of(stored({ ...data, n: [4, 1, 1, 0, 2, 1] }));
        assert.equal(several.count, 9);
        assert.deepEqual(list(several.frames().ct), [9, 6, 5, 2, 2, 1]);
        assert.deepEqual(list(several.pathsOf(0, several.duration).inclusive('ct')), [9, 8, 7, 1]);
        assert.deepEqual(list(several.pathsOf(20000, 60000).inclusive('ct')), [2, 2, 2], '40 of 100 µs of four samples');
        assert.deepEqual(list(several.pathsOf(0, 12000).inclusive('wt')), [12000, 12000, 12000], 'of half a sample there is no count');
        assert.deepEqual(list(several.pathsOf(0, 12000).inclusive('ct')), [0, 0, 0]);
    });

    test('damaged ones are recognized', () => {
        for (const [change, message] of /** @type {[any, RegExp][]} */ ([
            [{ n: [1, 1] }, /"n" .* wrong length/],
            [{ n: [1, 1, 1, 0, -2, 1] }, /"n" .* at 4/],
            [{ names: null }, /no list of names/],
            [{ t: [1] }, /"t" .* wrong length/],
            [{ t: [100, 100, 50, 100, 200, -1] }, /"t" .* at 5/],
            [{ stack: [2, 2, 1, -1, 2, 4] }, /"stack" .* at 5/],
            [{ stacks: null }, /"stacks.fn" .* missing/],
            [{ stacks: { fn: [0, 1, 2, 9], parent: [-1, 0, 1, 0] } }, /"stacks.fn" .* at 3/],
            [{ stacks: { fn: [0, 1, 2, 3], parent: [-1, 2, 1, 0] } }, /Stack 1 .* has no parent/],
            [{ stacks: { fn: [0, 1, 2, 3], parent: [-1, -1, 1, 0] } }, /Stack 1 .* has no parent/],
            [{ t: [], stack: [] }, /no samples/],
        ])) {
            assert.throws(() => Samples.of(stored({ ...data, ...change })), (error) => error instanceof BadRun && message.test(error.message), String(message));
        }
    });

    test('a deep stack costs what it is deep, not its square', () => {
        const n = 100000;
        const deep = Samples.of(stored({
            ...data, t: [1, 1], stack: [n - 1, 0], stacks: { fn: new Array(n).fill(0), parent: Array.from({ length: n }, (_, i) => i - 1) },
        }));
        assert.equal(deep.frames().fn.length, n);
        assert.equal(deep.pathsOf(0, 1e9).n, n);
    });
});
