/** The run in a file that is sent: XHProf\Share writes what api.php answers, standalone/run.js makes get=symbol of it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const JS = new URL('../../xhprof_html/assets/js/', import.meta.url);
const { Run } = await import(new URL('standalone/run.js', JS).href);
const { FunctionsModel } = await import(new URL('table/functions-model.js', JS).href);
const { readRun } = await import(new URL('profile/run-file.js', JS).href);
const { Tree } = await import(new URL('profile/tree.js', JS).href);

/**
 * @param {string} run PHP that makes a Run
 * @returns {Record<string, Buffer>} the answers in its HTML file, by `get`
 */
function answersOf(run) {
    const code = `require $argv[1] . '/vendor/autoload.php';
        foreach (['Runs', 'ExportRuns'] as $file) { require "$argv[1]/tests/lib/Support/$file.php"; }
        $made = (new XHProf\\Share\\Html(XHProf\\App\\Pages::all()))->file(${run});
        $answers = [];
        foreach ($made->document->answers as $answer) {
            parse_str((string) parse_url($answer->address, PHP_URL_QUERY), $query);
            $answers[$query['get']] = base64_encode($answer->body);
        }
        echo json_encode($answers);`;
    const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
    const answers = JSON.parse(execFileSync(process.env.PHP_BINARY ?? 'php', ['-r', code, root]).toString());

    return Object.fromEntries(Object.entries(answers).map(([get, text]) => [get, Buffer.from(text, 'base64')]));
}

/** @param {string} run @returns {any} */
function runOf(run) {
    const { functions, calls } = answersOf(run);

    return new Run(JSON.parse(functions.toString()), JSON.parse(calls.toString()));
}

/** @param {Record<string, { ct: number, wt: number }>} edges */
const ofEdges = (edges) => runOf(`new XHProf\\Run\\MadeRun(null, 'edges', XHProf\\Run\\RunMeta::fromArray([]), null,
    XHProf\\Profile\\Profile::fromEdges(json_decode('${JSON.stringify(edges)}', true)))`);

const SMALL = 'XHProf\\Tests\\Lib\\Support\\ExportRuns::small()';
const small = runOf(SMALL);

test('functions are those of api.php', () => {
    const data = small.functions;
    assert.deepEqual(data.metrics.map((/** @type {{ k: string, unit: string }} */ { k, unit }) => `${k} ${unit}`).filter((text) => !text.startsWith('corrected_')), ['wt us', 'cpu us', 'mu bytes', 'pmu bytes', 'ct count']);
    const model = new FunctionsModel(data);
    model.sort('excl_wt', true);
    const [first, second] = model.rows;
    assert.equal(data.names[first], 'App\\Price::sum');
    assert.equal(model.column('excl_wt')[first], 350.125, 'levels of recursion are one');
    assert.equal(data.names[second], 'App\\Shop::order');
    assert.equal(model.column('excl_wt')[second], 280.5);
    assert.equal(data.total.wt, 1076);
});

test('a function knows who calls it and what it calls', () => {
    const symbol = small.symbol('App\\Shop::order');
    assert.equal(symbol.row.wt, 676);
    assert.deepEqual(symbol.callers.map((/** @type {any} */ { name, ct, wt }) => [name, ct, wt]), [['main()', 2, 676]]);
    assert.deepEqual(symbol.callees.map((/** @type {any} */ { name, ct, wt }) => [name, ct, wt]), [['App\\Price::sum', 4, 200.125], ['array_map', 3, 195.375]]);
    assert.equal(small.symbol('main()').callers.length, 0);
    assert.throws(() => small.symbol('none'), /no such function/);
});

test('names that are words of JavaScript are names', () => {
    const run = (ofEdges({ 'main()==>__proto__': { ct: 2, wt: 600 }, '__proto__==>constructor': { ct: 1, wt: 5 }, 'main()': { ct: 1, wt: 1000 } }));
    assert.equal(run.symbol('__proto__').row.wt, 600);
    assert.deepEqual(run.symbol('__proto__').callees.map((/** @type {any} */ { name }) => name), ['constructor']);
});

test('the call tree is one for the flame graph', () => {
    const { buffer, byteOffset, length } = answersOf(SMALL).columns;
    const run = readRun(/** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + length)));
    const tree = Tree.of(run.document('tree'));
    assert.equal(tree.n, 9);
    assert.equal(tree.inclusive('wt')[0], 1076000);
    assert.deepEqual(tree.metrics().find((/** @type {{ k: string }} */ { k }) => k === 'corrected_wt'), { k: 'corrected_wt', label: 'Corrected wall time', unit: 'ns' });
});

test('levels of recursion are one function', () => {
    // main() > a > b > a > (b, a > c); main() > c
    const run = (ofEdges({
        'main()': { ct: 1, wt: 100 }, 'main()==>a': { ct: 1, wt: 80 }, 'a==>b': { ct: 1, wt: 60 }, 'b==>a@1': { ct: 2, wt: 50 },
        'a@1==>b@1': { ct: 1, wt: 10 }, 'a@1==>c': { ct: 3, wt: 6 }, 'main()==>c': { ct: 1, wt: 4 }, 'a@1==>a@1': { ct: 5, wt: 9 },
    }));
    const { names, m } = run.functions;
    assert.deepEqual([...names].sort(), ['a', 'b', 'c', 'main()']);
    assert.equal(m.wt[names.indexOf('a')], 80);
    const a = run.symbol('a@1');
    assert.deepEqual([a.name, a.row], ['a', { ct: 8, wt: 80, excl_wt: 54 }]);
    assert.deepEqual(a.callers, [{ ct: 1, wt: 80, name: 'main()' }]);
    assert.deepEqual(a.callees, [{ ct: 2, wt: 60, name: 'b' }, { ct: 3, wt: 6, name: 'c' }]);
    assert.deepEqual(a.recursion, [{ name: 'a', ct: 5 }, { name: 'b', ct: 2 }]);
    assert.deepEqual(run.symbol('c').callers.map((/** @type {any} */ { name }) => name).sort(), ['a', 'main()']);
    assert.deepEqual(run.symbol('c').recursion, []);
});
