/** The modules that all pages share. Figures and names must equal PHP's: the tests run PHP. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const JS = new URL('../../xhprof_html/assets/js/', import.meta.url);
const AUTOLOAD = fileURLToPath(new URL('../../xhprof_lib/autoload.php', import.meta.url));

const { exact, figure, grouped, share } = await import(new URL('core/format.js', JS).href);
const { growth, signed } = await import(new URL('core/difference.js', JS).href);
const { escaped } = await import(new URL('profile/tree.js', JS).href);
const { heat } = await import(new URL('core/dom.js', JS).href);
const { baseName, endOf, pieces, scopeOf, score, shortName, visible } = await import(new URL('core/names.js', JS).href);

/**
 * @param {string} expression of PHP on $value
 * @param {unknown[]} values
 * @returns {string[]}
 */
function php(expression, values) {
    const code = `require $argv[1]; ini_set('serialize_precision', '17'); $said = [];
        foreach (json_decode(stream_get_contents(STDIN)) as $value) { $said[] = ${expression}; } echo json_encode($said);`;

    return JSON.parse(execFileSync(process.env.PHP_BINARY ?? 'php', ['-r', code, AUTOLOAD], { input: JSON.stringify(values), encoding: 'utf8' }));
}

const FIGURES = [
    0, 1, 9, 10, 99, 100, 999, 1000, 1001, 1023, 1024, 1025, 9994, 9995, 99949, 99950, 99994, 999499, 999500, 999999, 1000000,
    1234567, 10485760, 1073741823, 1073741824, 5e12, -1, -999, -1024, -1234567,
    0.001, 0.0005, 0.05, 0.5, 0.9995, 0.9994, 1.005, 1.25, 9.994, 9.995, 9.996, 12.34, 99.94, 99.95, 123.456, 999.5, 1023.5, 1e6 + 0.5, -0.25, -12.5,
];

describe('figures', () => {
    for (const unit of ['us', 'bytes', 'count']) {
        test(`${unit} as PHP`, () => {
            assert.deepEqual(FIGURES.map((value) => figure(value, unit)), php(`XHProf\\Format\\Units::in($value, '${unit}')`, FIGURES));
            const changes = php(`XHProf\\Format\\Units::change($value, '${unit}')`, FIGURES);
            assert.deepEqual(FIGURES.map((value) => signed(value, unit)), changes);
        });
    }
    test('nanoseconds', () => {
        assert.deepEqual(
            [0, 7, 999, 1000, 1234, 999600, 1e9, 12.5].map((value) => figure(value, 'ns')),
            ['0 ns', '7 ns', '999 ns', '1.00 µs', '1.23 µs', '1.00 ms', '1.00 s', '12.5 ns'],
        );
    });
    test('shares as PHP', () => {
        const pairs = [[1, 3], [0, 5], [5, 5], [-1, 8], [1, 0], [0.05, 100], [0.0499, 100], [123456, 1000], [1, 1600]];
        assert.deepEqual(pairs.map(([part, whole]) => share(part, whole)), php('XHProf\\Format\\Units::percent($value[0], $value[1])', pairs));
    });
    test('growth as PHP', () => {
        const pairs = [
            [100, 112.3], [0, 5], [7, 7], [5, 0], [5, -5], [-10, -5], [-10, -15], [1, 21], [1, -21], [-2, 50], [3, 33], [3, 32.99],
            [1, 11], [1, 10.999], [1000, 1000.4], [1000, 1000.5], [1000, 999.5], [1e6, 1e6 - 1], [3, 1234567],
            [0.001, 5], [8, 87.5],
        ];
        const grown = php('XHProf\\Format\\Units::growth($value[0], $value[1])', pairs);
        assert.deepEqual(pairs.map(([before, after]) => growth(before, after)), grown);
    });
    test('the heat of a share as PHP', () => {
        const percents = Array.from({ length: 101 }, (_, percent) => percent / 100);
        const shares = [...percents, -1, 2, 0.00999, 0.0499, 0.1499, 0.3499, 0.5999];
        assert.deepEqual(shares.map(heat), php('XHProf\\Web\\Table\\Cells::heat($value)', shares));
    });
    test('exact figures', () => {
        assert.equal(exact(46912, 'us'), '46 912 µs');
        assert.equal(exact(1, 'bytes'), '1 byte');
        assert.equal(exact(-1024, 'bytes'), '-1 024 bytes');
        assert.equal(exact(1234567, 'count'), '1 234 567');
        assert.equal(exact(33.33333, 'us'), '33.333 µs');
        assert.equal(exact(5, 'ns'), '5 ns');
    });
    test('groups', () => {
        assert.equal(grouped(-0.0001, 2), '0.00');
        assert.equal(grouped(1234567.891, 1), '1 234 567.9');
        assert.equal(grouped(3600000000000001), '3 600 000 000 000 001', 'every digit that a figure can have');
        assert.equal(exact(2 ** 53 - 1, 'ns'), '9 007 199 254 740 991 ns');
    });
});

const NAMES = [
    'strlen', 'App\\Http\\Router::get', 'App\\helper', 'load::dir/file.php', 'run_init::x.php', '{closure:dir/file.php:12}',
    'App\\Foo::{closure:C:\\x\\y.php:12}', '<b>&amp;', 'Caf\u00e9::\u65e5', '\u{1F600}', '\0\t\n\x7f', '\u009b', 'a\u202eb\u2069',
    'a\u200b\ufeffb', '\u{E0041}', '\u2028', '', 'a b\u00a0c\u3000d', 'class@anonymous::m', '\\leading', 'a\\\\b::c', 'f@12',
    '\u05e9\u05dc::\u0645', 'e\u034f\ufe0f', '\ufffd', '\ue000', '\u{10FFFF}', '9\\x::y', 'eval::1',
];

describe('names', () => {
    test('are made visible as PHP does', () => {
        assert.deepEqual(NAMES.map((name) => visible(name)), php('XHProf\\Format\\VisibleName::text($value)', NAMES));
    });
    test('are cut into pieces as PHP does', () => {
        const cut = php('XHProf\\Format\\VisibleName::pieces($value)', NAMES);
        assert.deepEqual(NAMES.map((name) => pieces(name).map((piece) => ({ text: piece.text, kind: piece.kind }))), cut);
    });
    test('are escaped as edges have them', () => {
        const names = [...NAMES, 'a==>b==>c', '====>', '==>@3', 'f@12@3', 'f@', '@7', 'f@1\n', 'f@1a', 'f@\u0661', 'tpl\\x402'];
        assert.deepEqual(names.map((name) => escaped(name)), php('XHProf\\Profile\\EdgeKey::escaped($value)', names));
    });
    test('half a pair of surrogates shows', () => {
        assert.equal(visible('a\ud800b'), 'a\\u{D800}b');
    });
    test('long ones keep their ends', () => {
        const text = visible(`start${'\u{1F600}'.repeat(300)}end`, 100);
        assert.match(text, /^start\u{1F600}+ … \d+ characters … \u{1F600}+end$/u);
        assert.ok(text.length < 140);
    });
    test('the end that tells names apart: file and line of a closure, the file of code', () => {
        const ends = [
            ['Php8::{closure:Parser/Php8.php:1980}', 'Php8.php:1980}'], ['load::Parser/Php8.php', 'Php8.php'],
            ['App\\F::{closure:{closure:src/a.php:3}:9}', 'a.php:3}:9}'],
            ['woocommerce_add_to_cart_url', 'to_cart_url'], ['app_module25_function_1234', 'function_1234'],
            ['anotherNameWithoutAnyUnderscore', 'AnyUnderscore'.padStart(14, 't')],
        ];
        assert.deepEqual(ends.map(([name = '']) => name.slice(endOf(name))), ends.map(([, end]) => end));
        assert.deepEqual(['main()', 'Router::get', 'load::x.php', 'a/b', 'array_multisort', 'Some\\VeryLong\\Class::method'].map(endOf), [0, 0, 0, 0, 0, 0]);
    });

    test('scopes, short names, levels of recursion', () => {
        assert.equal(scopeOf('App\\Http\\Router::get'), 'App\\Http\\');
        assert.equal(scopeOf('App\\dispatch(App\\Event\\Placed)'), 'App\\');
        assert.equal(scopeOf('apply_filters(App\\content)'), '');
        assert.equal(shortName('App\\Http\\Router::get'), 'Router::get');
        assert.equal(shortName('strlen'), 'strlen');
        assert.equal(baseName('f@12'), 'f');
        assert.equal(baseName('class@anonymous::m'), 'class@anonymous::m');
    });
    test('a search finds parts and beginnings of words', () => {
        assert.equal(score('strlen', 'xyz'), 0);
        assert.ok(score('Doctrine\\ORM\\UnitOfWork::commit', 'uowc') > 0);
        assert.ok(score('PDOStatement::execute', 'pdoex') > 0);
        assert.ok(score('strlen', 'STRLEN') > score('mb_strlen', 'strlen'));
        assert.ok(score('App\\Logger::log', 'log') > score('catalogue', 'log'));
        assert.equal(score('anything', ''), 1);
        assert.equal(score('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'a'.repeat(60)), 0);
    });
});

describe('state', async () => {
    const links = [];
    const address = { search: '?run=a&bad=%FF%zz', pathname: '/index.php', hash: '#x' };
    const write = (/** @type {string} */ how) => (/** @type {unknown} */ _, /** @type {string} */ __, /** @type {string} */ url) => {
        const at = new URL(url, 'http://x/');
        address.search = at.search;
        log.push(how);
    };
    /** @type {string[]} */
    const log = [];
    /** @type {Record<string, () => void>} */
    const listeners = {};
    Object.assign(globalThis, {
        location: address,
        history: { pushState: write('push'), replaceState: write('replace') },
        window: { addEventListener: (/** @type {string} */ name, /** @type {() => void} */ fn) => { listeners[name] = fn; } },
        document: { querySelectorAll: () => links },
    });
    const { keepLinks, replaced, state, valueIn } = await import(new URL('core/state.js', JS).href);

    test('values of a query string', () => {
        assert.equal(valueIn('?a=1&b=x%20y+z&c', 'b'), 'x y z');
        assert.equal(valueIn('a=1&a=2', 'a'), '2');
        assert.equal(valueIn('?sel=a%FFb', 'sel'), 'a\ufffdb');
        assert.equal(valueIn('?%zz=1', 'a'), '');
        assert.equal(valueIn('', 'a'), '');
    });
    test('the other values stay byte by byte', () => {
        assert.equal(replaced('?sel=%FF%00&run=a', { run: 'b' }), 'sel=%FF%00&run=b');
        assert.equal(replaced('?a=1&b=2', { a: null, c: '' }), 'b=2');
        assert.equal(replaced('', { q: 'a&b=c#d\ud800' }), 'q=a%26b%3Dc%23d%EF%BF%BD');
        assert.equal(replaced('%71=1', { q: '2' }), 'q=2');
    });
    test('is written, reported to watchers, and kept in links', () => {
        const seen = [];
        const end = state.watch(['sel', 'q'], () => seen.push(state.get('sel')));
        const link = { href: 'index.php?run=a&view=flame&sel=old&sel_hash=1#y', keep: 'sort', drop: '' };
        links.push({
            getAttribute: (/** @type {string} */ name) => ({ href: link.href, 'data-keep': link.keep, 'data-drop': link.drop })[name] ?? null,
            setAttribute: (/** @type {string} */ _, /** @type {string} */ value) => { link.href = value; },
        });
        state.set({ sel: 'App\\X::y', sort: 'excl_wt' });
        assert.equal(state.get('sel'), 'App\\X::y');
        assert.equal(address.search, '?run=a&bad=%FF%zz&sel=App%5CX%3A%3Ay&sort=excl_wt');
        assert.equal(link.href, 'index.php?run=a&view=flame&sel=App%5CX%3A%3Ay&sort=excl_wt#y');
        state.set({ sel: 'App\\X::y' });
        state.set({ metric: 'cpu' });
        assert.deepEqual(seen, ['App\\X::y'], 'told only when it changes');
        assert.deepEqual(log, ['replace', 'replace']);
        state.set({ q: 'x' }, { push: true });
        assert.equal(log.at(-1), 'push');
        end();
        state.set({ sel: null });
        assert.equal(seen.length, 2);
        assert.equal(state.get('sel', 'none'), 'none');
        keepLinks();
        assert.equal(link.href, 'index.php?run=a&view=flame&metric=cpu&q=x&sort=excl_wt#y');
        state.set({ x0: '5', x1: '9' });
        assert.equal(link.href, 'index.php?run=a&view=flame&metric=cpu&q=x&x0=5&x1=9&sort=excl_wt#y', 'views follow a range of time');
        link.drop = 'x0 x1';
        keepLinks();
        assert.equal(link.href, 'index.php?run=a&view=flame&metric=cpu&q=x&sort=excl_wt#y');
        state.set({ x0: null, x1: null });
    });
    test('what is too long for an address is kept here', () => {
        const long = 'x'.repeat(2000);
        let calls = 0;
        const end = state.watch(['sel'], () => calls++);
        state.set({ sel: long });
        assert.equal(state.get('sel'), long);
        assert.doesNotMatch(address.search, /xxx/);
        state.set({ sel: long.toUpperCase() });
        assert.equal(calls, 2);
        listeners.popstate?.();
        assert.equal(state.get('sel'), '');
        assert.equal(calls, 3);
        end();
    });
    test('going back reports to watchers, too', () => {
        const seen = [];
        const end = state.watch(['metric'], () => seen.push(state.get('metric')));
        address.search = '?run=a&metric=mu';
        listeners.popstate?.();
        assert.deepEqual(seen, ['mu']);
        end();
    });
    test('the metric of all views', () => {
        const all = ['wt', 'cpu', 'mu', 'ct'];
        for (const [search, available, expected] of [
            ['?metric=cpu&sort=mu', all, 'cpu'], ['?sort=excl_mu', all, 'mu'], ['?sort=per_cpu', all, 'cpu'], ['?sort=ct', all, 'wt'],
            ['?sort=fn', all, 'wt'], ['?metric=nope', all, 'wt'], ['', ['samples', 'ct'], 'samples'], ['?metric=ct', all, 'ct'], ['', [], ''],
        ]) {
            address.search = String(search);
            assert.equal(state.metric(available), expected, String(search));
        }
    });
});

describe('the table of functions', async () => {
    const { BY_NAME } = await import(new URL('table/column-order.js', JS).href);
    const { FunctionsModel } = await import(new URL('table/functions-model.js', JS).href);
    const { bestMatches } = await import(new URL('core/find.js', JS).href);
    const data = () => ({
        names: ['main()', 'b', 'a', 'C::x', 'idle'],
        metrics: [{ k: 'wt', unit: 'us', label: 'Wall time' }, { k: 'mu', unit: 'bytes', label: 'Memory' }, { k: 'ct', unit: 'count', label: 'Calls' }],
        total: { wt: 100, mu: 10 },
        m: { ct: [1, 4, 2, 2, 0], wt: [100, 40, 40, 10, 0], excl_wt: [10, 40, 40, 10, 0], mu: [10, -5, 5, 0, 0], excl_mu: [10, -5, 5, 0, 0] },
    });
    const order = (/** @type {any} */ model) => [...model.rows].map((row) => model.data.names[row]).join(' ');

    test('the largest first, equal ones by name', () => {
        const model = new FunctionsModel(data());
        model.sort('wt', true);
        assert.equal(order(model), 'main() a b C::x idle');
        model.sort('wt', false);
        assert.equal(order(model), 'idle C::x b a main()');
        model.sort('excl_mu', true);
        assert.equal(order(model), 'main() a C::x idle b');
        model.sort(BY_NAME, false);
        assert.equal(order(model), 'C::x a b idle main()');
        model.sort(BY_NAME, true);
        assert.equal(order(model), 'main() idle b a C::x');
    });
    test('per call, what was not called last', () => {
        const model = new FunctionsModel(data());
        model.sort('per_wt', true);
        assert.equal(order(model), 'main() a b C::x idle');
        assert.equal(model.column('per_wt')[2], 20);
        assert.ok(Number.isNaN(model.column('per_wt')[4]));
        assert.ok(model.has('per_mu') && model.has('excl_wt') && model.has(BY_NAME));
        assert.ok(!model.has('per_nope') && !model.has('cpu'));
    });
    test('filters whatever the case, in order', () => {
        const model = new FunctionsModel(data());
        model.filter('C');
        model.sort('wt', true);
        assert.equal(order(model), 'C::x');
        model.filter('');
        assert.equal(model.rows.length, 5);
        model.filter('nope');
        assert.equal(model.rows.length, 0);
    });
    test('a function has its place, of runs that have them', () => {
        const model = new FunctionsModel({
            ...data(),
            places: {
                files: [{ text: 'app/a.php', title: '/app/a.php', url: 'e://%l/a.php#%l' }, { text: 'ext-Core', title: 'Core', url: null }],
                file: [0, 0, 1, -1, 7],
                line: [12, 0, 0, 0, 1],
            },
        });
        assert.deepEqual(model.place(0), { text: 'app/a.php:12', title: '/app/a.php:12', url: 'e://12/a.php#12' });
        assert.deepEqual(model.place(1), { text: 'app/a.php', title: '/app/a.php', url: 'e://1/a.php#1' });
        assert.deepEqual(model.place(2), { text: 'ext-Core', title: 'Core', url: null });
        assert.deepEqual([model.place(3), model.place(4)].map((place) => place.text), ['', '']);
        assert.equal(new FunctionsModel(data()).place(0), null);
    });
    test('columns: the metric one looks at in full, of many the others in short', () => {
        const model = new FunctionsModel(data());
        assert.deepEqual(model.groups('mu').map((/** @type {any} */ group) => group.keys), [['excl_wt', 'wt'], ['excl_mu', 'mu', 'per_mu']]);
        const many = data();
        many.metrics = ['wt', 'corrected_wt', 'cpu', 'mu', 'pmu', 'ct'].map((k) => ({ k, unit: 'us', label: k }));
        assert.deepEqual(new FunctionsModel(many).groups('corrected_wt').map((/** @type {any} */ group) => group.keys), [
            ['excl_wt', 'wt'], ['excl_corrected_wt', 'corrected_wt', 'per_corrected_wt'], ['cpu'], ['mu'], ['pmu'],
        ]);
    });
    test('as many columns as fit', () => {
        const model = new FunctionsModel(data());
        const keys = (/** @type {number} */ most) => model.fittingGroups('wt', (/** @type {string[]} */ all) => all.length <= most)
            .flatMap((/** @type {any} */ group) => group.keys).join(' ');
        assert.equal(keys(9), 'excl_wt wt per_wt excl_mu mu');
        assert.equal(keys(4), 'excl_wt wt per_wt mu');
        assert.equal(keys(1), 'excl_wt wt per_wt');
    });
    test('100 000 rows are sorted and filtered', () => {
        const size = 100000;
        const names = Array.from({ length: size }, (_, row) => `App\\Module${row % 89}\\Service${row % 977}::method${row}`);
        const wt = names.map((_, row) => row * 7919 % 100003);
        const model = new FunctionsModel({ names, metrics: [{ k: 'wt', unit: 'us', label: 'Wall time' }], total: { wt: 1 }, m: { ct: wt, wt, excl_wt: wt } });
        model.sort('wt', true);
        assert.ok(model.rows.every((/** @type {number} */ row, /** @type {number} */ place) => place === 0 || wt[model.rows[place - 1]] >= wt[row]));
        assert.equal(model.rows.length, size);
        model.filter('method9999');
        assert.equal(model.rows.length, 11);
    });
    test('the field offers the best answers, of equal ones the more costly', () => {
        const functions = { names: ['App\\Log::a', 'App\\Log::b', 'catalog', 'Log'], m: { wt: [1, 5, 9, 2] } };
        assert.deepEqual(bestMatches(functions, 'log'), ['Log', 'App\\Log::b', 'App\\Log::a', 'catalog']);
        assert.deepEqual(bestMatches(functions, 'nope'), []);
    });
});
