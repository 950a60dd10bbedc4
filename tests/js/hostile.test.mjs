/** Names and metrics that every object answers to, and calls in circles. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { random } from './support.mjs';

const JS = new URL('../../xhprof_html/assets/js/', import.meta.url);
const { FunctionsModel } = await import(new URL('table/functions-model.js', JS).href);
const { Tree } = await import(new URL('profile/tree.js', JS).href);
const { functionsOf, mergePaths } = await import(new URL('profile/merge.js', JS).href);
const { around, build, foldRecursion, hide, union } = await import(new URL('graph/model.js', JS).href);
const { select } = await import(new URL('graph/select.js', JS).href);
const { layered } = await import(new URL('graph/layered.js', JS).href);

const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', '__defineGetter__', 'then', 'length', 'name'];

/** @param {Record<string, unknown>} columns as JSON has them: "__proto__" is a key like any other */
const json = (columns) => JSON.parse(JSON.stringify(columns).replaceAll('proto', '__proto__'));

describe('what objects inherit is nobody\'s', () => {
    test('metrics', () => {
        const keys = INHERITED.filter((key) => key !== '__proto__');
        const self = json({ ...Object.fromEntries(keys.map((key) => [key, [1, 2]])), proto: [1, 2] });
        const tree = Tree.fromJson({ names: INHERITED, fn: [0, 4], depth: [0, 1], ct: [1, 1], self });
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

test('graphs of calls in circles are chosen, folded and laid out', () => {
    const names = ['main()', ...INHERITED, 'a', 'a@1', 'a@2', 'b@1', '<b>', '', '0', '12', '\u202E', '@1', 'main()@1'];
    const figures = [0, 1, -1, 5, 1e15, -1e15, 0.5];
    for (let seed = 1; seed <= 300; seed++) {
        const next = random(seed);
        const any = (/** @type {any[]} */ list) => list[Math.floor(next() * list.length)];
        const data = () => {
            const edges = Array.from({ length: Math.floor(next() * 60) }, () => [
                Math.floor(next() * (names.length + 1)) - 1, Math.floor(next() * names.length), any(figures), any([0, 1, 7, 1e15]),
            ]);
            const column = (/** @type {number} */ at) => edges.map((edge) => edge[at] ?? 0);

            return json({ names, total: { wt: any(figures), ct: 1 }, p: column(0), c: column(1), m: { wt: column(2), ct: column(3) } });
        };
        let model = build(data(), 'wt');
        model = next() < 0.5 ? foldRecursion(model) : model;
        model = next() < 0.3 ? hide(model, (/** @type {string} */ name) => INHERITED.includes(name)) : model;
        model = next() < 0.3 && model.names.length > 0 ? around(model, Math.floor(next() * model.names.length)) : model;
        model = next() < 0.3 ? union(model, foldRecursion(build(data(), 'wt'))) : model;
        const graph = select(model, { threshold: any([0, 0.01, 1]), maxNodes: any([1, 5, 120]), critical: next() < 0.5 });
        for (const edge of graph.edges) {
            assert.ok(graph.nodes[edge.from] !== undefined && graph.nodes[edge.to] !== undefined, `seed ${seed}`);
        }
        const layout = layered({
            nodes: graph.nodes.map(() => ({ width: 10, height: 5 })), edges: graph.edges.map(({ from, to }) => ({ from, to, weight: next() * 2 })), isAcross: next() < 0.5,
        });
        assert.equal(layout.nodes.length, graph.nodes.length);
        assert.ok(layout.nodes.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)), `seed ${seed}`);
    }
});
