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
    assert.deepEqual(data.metrics.map((/** @type {{ k: string, unit: string }} */ { k, unit }) => `${k} ${unit}`), ['wt us', 'cpu us', 'mu B', 'pmu B', 'ct count']);
    const model = new FunctionsModel(data);
    model.sort('excl_wt', true);
    const [first, second] = model.rows;
    assert.equal(data.names[first], 'App\\Shop::order');
    assert.equal(model.column('excl_wt')[first], 280);
    assert.equal(data.names[second], 'App\\Price::sum');
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
    assert.ok(tree.metrics().some((/** @type {{ k: string }} */ { k }) => k === 'corrected_wt'));
    assert.equal(golden('edgesOnly').tree, null);
});

test('another JSON is no run', () => {
    assert.throws(() => new Run(/** @type {any} */ ({})), /holds no run/);
});
