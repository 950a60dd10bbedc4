/** A tree that is too large comes part by part, with the server's own code: in the end it is the whole tree. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TopDown } from '../../xhprof_html/assets/js/calltree/sources.js';
import { Outline } from '../../xhprof_html/assets/js/calltree/outline.js';
import { grafted, partFor } from '../../xhprof_html/assets/js/profile/graft.js';
import { restOf } from '../../xhprof_html/assets/js/profile/rest.js';
import { BadRun } from '../../xhprof_html/assets/js/profile/run-file.js';
import { Tree, pathTo } from '../../xhprof_html/assets/js/profile/tree.js';
import { random, stored, treeJson, treeOf } from './support.mjs';

const AUTOLOAD = fileURLToPath(new URL('../../xhprof_lib/autoload.php', import.meta.url));

/**
 * @param {any} json of the whole tree
 * @param {number} most nodes of a part
 * @returns {(part?: string) => any} the documents "tree" of api.php
 */
function server(json, most) {
    const whole = { ...json, metrics: undefined };

    return (part = '') => {
        const answer = JSON.parse(execFileSync(process.env.PHP_BINARY ?? 'php', ['-r', `require $argv[1];
            $tree = XHProf\\Profile\\CallTree::fromArray(json_decode(stream_get_contents(STDIN), true));
            $part = XHProf\\Profile\\TreePart::select($tree, (int) $argv[2], $argv[3]);
            echo json_encode(['pruned' => ['nodes' => $part->nodes, 'of' => $tree->count(), 'origin' => $part->runs()]] + $part->tree->toArray());`,
        '--', AUTOLOAD, String(most), part], { input: JSON.stringify(whole), encoding: 'utf8' }));

        return stored({ metrics: json.metrics, ...answer, ...(part === '' ? {} : { names: [] }) });
    };
}

/** @param {any} data */
function opened(data) {
    const tree = Tree.of(data);
    tree.rest = restOf(data.pruned, tree.n);

    return tree;
}

/**
 * @param {Tree} tree
 * @returns {Record<string, string[]>} figures by path
 */
function paths(tree) {
    return Object.fromEntries([...tree.fn.keys()].map((node) => [
        // Paths of one name and caller are several here.
        `${pathTo(tree.parent, node).map((at) => tree.names[tree.fn[at]]).join('>')}#${tree.rest === null ? node : tree.rest.origin[node]}`,
        [...tree.self.keys()].map((metric) => `${metric} ${tree.exclusive(metric)[node]} ${tree.inclusive(metric)[node]}`),
    ]));
}

describe('the rest of a tree', () => {
    const json = treeJson(900, { functions: 40, levels: 12, memory: true });
    const whole = treeOf(json);

    test('all of it comes by its frames "(small paths)"', () => {
        const ask = server(json, 90);
        let tree = opened(ask());
        assert.ok(tree.n < 200 && tree.pruned.of === 900);
        const next = random(5);
        for (;;) {
            const { origin } = /** @type {import('../../xhprof_html/assets/js/profile/rest.js').Rest} */ (tree.rest);
            const rests = [...origin.keys()].filter((node) => origin[node] < 0);
            assert.deepEqual(tree.pruned, { nodes: 900 - tree.n, of: 900, name: '' });
            assert.deepEqual([...tree.inclusive('wt').slice(0, 1)], [whole.inclusive('wt')[0]]);
            if (rests.length === 0) {
                break;
            }
            const node = rests[Math.floor(next() * rests.length)];
            const part = partFor(tree, node, tree.widths('wt'));
            const before = tree.n;
            const { tree: larger, change } = grafted(tree, node, part, ask(part));
            assert.deepEqual([change.at, change.removed, change.root, larger.n], [node, 1, tree.parent[node], before - 1 + change.added]);
            tree = larger;
        }
        assert.deepEqual(paths(tree), paths(whole));
    });

    test('a frame with much that was left out below it is loaded whole, once', () => {
        const ask = server(json, 90);
        const tree = opened(ask());
        const width = tree.widths('wt');
        const found = [...tree.fn.keys()].filter((node) => /^\d+$/.test(partFor(tree, node, width)));
        assert.ok(found.length > 0 && !found.includes(0));
        const node = found[found.length - 1];
        const part = partFor(tree, node, width);
        const { tree: larger, change } = grafted(tree, node, part, ask(part));
        assert.deepEqual([change.at, change.root], [node, node]);
        assert.ok(larger.n > tree.n);
        assert.equal(larger.inclusive('wt')[node], tree.inclusive('wt')[node]);
        assert.equal(partFor(larger, node, larger.widths('wt')), '');
        // The other parts of a frame are not thrown away.
        const above = tree.parent[node];
        assert.equal(partFor(larger, above, larger.widths('wt')), '');
        const known = paths(whole);
        for (const [path, figures] of Object.entries(paths(larger)).filter(([key]) => !key.includes('(small'))) {
            assert.deepEqual([figures.length, path in known], [known[path].length, true]);
        }
    });

    test('nothing is loaded for what cannot be seen, and for a whole tree', () => {
        const tree = opened(server(json, 890)());
        const width = tree.widths('wt');
        const rests = [...tree.fn.keys()].filter((node) => tree.names[tree.fn[node]] === '(small paths)');
        const narrow = rests.map((node) => pathTo(tree.parent, node).find((at) => at > 0 && width[node] < width[at] / 1000 && width[at] > 0))
            .filter((node) => node !== undefined);
        for (const node of narrow) {
            const below = rests.filter((rest) => rest > node && rest < tree.end[node] && width[rest] >= width[node] / 1000);
            assert.equal(partFor(tree, node, width) === '', below.length === 0);
        }
        assert.equal(partFor(whole, 5, whole.widths('wt')), '');
        assert.equal(restOf(undefined, 5), null);
    });

    test('damaged answers are refused', () => {
        const ask = server(json, 90);
        const tree = opened(ask());
        const origin = tree.rest?.origin ?? new Int32Array(0);
        const node = origin.findIndex((one) => one < 0);
        const other = origin.findLastIndex((one) => one < 0);
        const part = partFor(tree, node, tree.widths('wt'));
        const data = ask(part);
        for (const wrong of [
            { ...data, pruned: { ...data.pruned, origin: [0, 1] } }, { ...data, pruned: {} }, { ...data, self: {} },
            { ...data, self: { wt: data.self.wt } }, ask(partFor(tree, other, tree.widths('wt'))),
        ]) {
            assert.throws(() => grafted(tree, node, part, wrong), BadRun);
        }
        for (const runs of [[0], [0, 5, 0, 1], [0, -1], [0, 1e9], [5, 86]]) {
            assert.throws(() => restOf({ origin: Int32Array.from(runs), of: 90 }, 90), BadRun);
        }
    });

    test('rows that were open stay open when others come', () => {
        const ask = server(json, 90);
        const tree = opened(ask());
        const columnsOf = (/** @type {Tree} */ of) => ({
            fn: of.fn, depth: of.depth, parent: of.parent, end: of.end, levels: of.levels, ct: of.exclusive('ct'), self: of.exclusive('wt'),
            inclusive: of.inclusive('wt'), total: of.inclusive('wt')[0], origin: of.rest?.origin,
        });
        const source = new TopDown(columnsOf(tree));
        const outline = new Outline(source, (a, b) => a - b);
        outline.openAll(0);
        const rests = [...outline.rows.subarray(0, outline.count)].filter((row) => source.isRest(row));
        assert.ok(rests.length > 0 && rests.every((row) => source.opens(row) && source.kids(row).length === 0));
        const node = rests[0];
        const part = partFor(tree, node, tree.widths('wt'));
        const { tree: larger, change } = grafted(tree, node, part, ask(part));
        const after = new Outline(new TopDown(columnsOf(larger)), (a, b) => a - b);
        after.goOn(outline, change);
        const shown = [...after.rows.subarray(0, after.count)];
        const moved = [...outline.rows.subarray(0, outline.count)].filter((row) => row !== node)
            .map((row) => row < node ? row : row - change.removed + change.added);
        const come = [...larger.fn.keys()].filter((row) => row >= node && row < node + change.added && larger.parent[row] === change.root);
        assert.deepEqual(shown, [...moved, ...come].sort((a, b) => a - b));
    });
});
