/** The run in an exported HTML file: XHProf\Export\JsonRun writes it, standalone/run.js answers in api.php's place. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const JS = new URL('../../xhprof_html/assets/js/', import.meta.url);
const { Run } = await import(new URL('standalone/run.js', JS).href);
const { FunctionsModel } = await import(new URL('table/functions-model.js', JS).href);
const { Tree } = await import(new URL('profile/tree.js', JS).href);

/** @param {string} name of a golden file of tests/lib/ExportTest.php */
const golden = (name) => JSON.parse(readFileSync(new URL(`../lib/golden/export/${name}.run.json`, import.meta.url), 'utf8'));

test('functions are those of api.php, without corrected times', () => {
    const data = new Run(golden('small')).functions();
    assert.deepEqual(data.metrics.map((/** @type {{ k: string, unit: string }} */ { k, unit }) => `${k} ${unit}`), ['wt us', 'cpu us', 'mu bytes', 'pmu bytes', 'ct count']);
    const model = new FunctionsModel(data);
    model.sort('excl_wt', true);
    const [first, second] = model.rows;
    assert.equal(data.names[first], 'App\\Price::sum');
    assert.equal(model.column('excl_wt')[first], 350, 'levels of recursion are one');
    assert.equal(data.names[second], 'App\\Shop::order');
    assert.equal(model.column('excl_wt')[second], 280);
    assert.equal(data.total.wt, 1076);
});

test('a function knows who calls it and what it calls', () => {
    const symbol = new Run(golden('small')).symbol('App\\Shop::order');
    assert.equal(symbol.row.wt, 676);
    assert.deepEqual(symbol.callers.map((/** @type {any} */ { name, ct, wt }) => [name, ct, wt]), [['main()', 2, 676]]);
    assert.deepEqual(symbol.callees.map((/** @type {any} */ { name, ct, wt }) => [name, ct, wt]), [['App\\Price::sum', 4, 200], ['array_map', 3, 196]]);
    assert.equal(new Run(golden('small')).symbol('main()').callers.length, 0);
    assert.throws(() => new Run(golden('small')).symbol('none'), /no such function/);
});

test('names that are words of JavaScript are names', () => {
    const json = golden('edgesOnly');
    json.names = json.names.map((/** @type {string} */ name) => ({ a: '__proto__', b: 'constructor' })[name] ?? name);
    const run = new Run(json);
    assert.equal(run.symbol('__proto__').row.wt, 600);
    assert.deepEqual(run.symbol('__proto__').callees.map((/** @type {any} */ { name }) => name), ['constructor', 'c']);
});

test('the call tree is one for the flame graph', () => {
    const tree = Tree.fromJson(golden('small').tree);
    assert.equal(tree.n, 9);
    assert.equal(tree.inclusive('wt')[0], 1076000);
    assert.deepEqual(tree.metrics().find((/** @type {{ k: string }} */ { k }) => k === 'corrected_wt'), { k: 'corrected_wt', label: 'Corrected wall time', unit: 'ns' });
    assert.equal(golden('edgesOnly').tree, null);
});

test('another JSON is no run', () => {
    assert.throws(() => new Run(/** @type {any} */ ({})), /holds no run/);
});

test('levels of recursion are one function, as on the pages (tests/lib/RecursionTest.php)', () => {
    const names = ['main()', 'a', 'b', 'a@1', 'b@1', 'c', '@1'];
    const edges = [
        // main() > a > b > a > (b, a > c); main() > c; c > "@1"
        [-1, 0, 1, 100], [0, 1, 1, 80], [1, 2, 1, 60], [2, 3, 2, 50], [3, 4, 1, 10], [3, 5, 3, 6], [0, 5, 1, 4], [5, 6, 1, 1], [3, 3, 5, 9],
    ];
    const run = new Run({
        kind: 'xhprof-run', metrics: [{ k: 'wt', unit: 'us', label: 'Wall time' }], total: { wt: 100, ct: 16 }, names, tree: null,
        functions: { fn: [0, 1, 2, 3, 4, 5, 6], m: { ct: [1, 1, 1, 7, 1, 4, 1], wt: [100, 80, 60, 50, 10, 10, 1], excl_wt: [16, 20, 10, 34, 10, 9, 1] } },
        edges: { p: edges.map(([p]) => p), c: edges.map(([, c]) => c), m: { ct: edges.map(([,, ct]) => ct), wt: edges.map(([,,, wt]) => wt) } },
    });
    const { names: shown, m } = run.functions();
    assert.deepEqual(shown, ['main()', 'a', 'b', 'c', '@1']);
    assert.deepEqual(m, { ct: [1, 8, 2, 4, 1], wt: [100, 80, 60, 10, 1], excl_wt: [16, 54, 20, 9, 1] });
    const a = run.symbol('a@1');
    assert.deepEqual([a.name, a.row], ['a', { ct: 8, wt: 80, excl_wt: 54 }]);
    assert.deepEqual(a.callers, [{ ct: 1, wt: 80, name: 'main()' }]);
    assert.deepEqual(a.callees, [{ ct: 2, wt: 60, name: 'b' }, { ct: 3, wt: 6, name: 'c' }]);
    assert.deepEqual(a.recursion, [{ name: 'a', ct: 5 }, { name: 'b', ct: 2 }]);
    assert.deepEqual(run.symbol('c').callers.map((/** @type {any} */ { name }) => name), ['a', 'main()']);
    assert.deepEqual(run.symbol('c').recursion, []);
});
