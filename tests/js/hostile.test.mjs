/** Names and metrics that every object answers to, and calls in circles. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { random, treeOf } from './support.mjs';

const JS = new URL('../../xhprof_html/assets/js/', import.meta.url);
const { FunctionsModel } = await import(new URL('table/functions-model.js', JS).href);
const { functionsOf, mergePaths } = await import(new URL('profile/merge.js', JS).href);
const { fromPlain, toDot } = await import(new URL('graph/geometry.js', JS).href);
const GRAPHVIZ = new URL('../vendor/graphviz/graphviz.js', JS);

const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__', 'then', 'length', 'name'];

/** @param {Record<string, unknown>} columns as JSON has them: "__proto__" is a key like any other */
const json = (columns) => JSON.parse(JSON.stringify(columns).replaceAll('proto', '__proto__'));

describe('names that objects inherit are no entries', () => {
    test('metrics', () => {
        const keys = INHERITED.filter((key) => key !== '__proto__');
        const self = json({ ...Object.fromEntries(keys.map((key) => [key, [1, 2]])), proto: [1, 2] });
        const tree = treeOf({ names: INHERITED, fn: [0, 4], depth: [0, 1], ct: [1, 1], self });
        assert.deepEqual(new Set(tree.metrics().map(({ k }) => k)), new Set([...INHERITED, 'ct']));
        assert.ok(tree.metrics().every(({ k, label, unit }) => label === k && unit === 'count'));
        assert.equal(tree.inclusive('__proto__')[0], 3);
        assert.deepEqual([...functionsOf(tree, 'constructor').inclusive], [3, 2]);
        assert.equal(mergePaths(tree).n, 2);
    });

    test('columns to sort by', () => {
        const model = new FunctionsModel({ names: INHERITED, metrics: [], total: { ct: 9 }, m: { ct: INHERITED.map((_, at) => at) } });
        for (const key of INHERITED) {
            assert.equal(model.has(key) || model.has(`per_${key}`), false, key);
        }
        model.sort('ct', true);
        assert.equal(model.rows[0], INHERITED.length - 1);
        model.filter('PROTO');
        assert.deepEqual([...model.rows], [4]);
    });
});

test('graphs of calls in circles are laid out', { skip: !existsSync(GRAPHVIZ) && 'Graphviz is not there (make assets)' }, async () => {
    const program = await (await import(GRAPHVIZ.href)).Graphviz.load();
    for (let seed = 1; seed <= 300; seed++) {
        const next = random(seed);
        const size = 1 + Math.floor(next() * 20);
        const edges = Array.from({ length: Math.floor(next() * 60) }, () => ({
            from: Math.floor(next() * size), to: Math.floor(next() * size), weight: next() * 2,
        })).filter(({ from, to }) => from !== to);
        const spec = { nodes: Array.from({ length: size }, () => ({ width: 10, height: 5 })), edges, isAcross: next() < 0.5 };
        const layout = fromPlain(program.layout(toDot(spec), 'plain', 'dot'), spec);
        assert.equal(layout.nodes.length, size);
        assert.ok(layout.nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)), `seed ${seed}`);
        assert.ok(layout.edges.every((points) => points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))), `seed ${seed}`);
    }
});
