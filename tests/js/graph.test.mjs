/** The call graph without a browser: its layout and its boxes. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { SHARE_END, box, cut } from '../../xhprof_html/assets/js/graph/boxes.js';
import { lineTexts } from '../../xhprof_html/assets/js/graph/draw.js';
import { freePlace, fromPlain, middle, toDot } from '../../xhprof_html/assets/js/graph/geometry.js';

const GRAPHVIZ = new URL('../../xhprof_html/assets/vendor/graphviz/graphviz.js', import.meta.url);
const needsGraphviz = { skip: !existsSync(GRAPHVIZ) && 'Graphviz is not there (make assets)' };

describe('where it is put', () => {
    const spec = {
        nodes: Array.from({ length: 12 }, () => ({ width: 180, height: 50 })),
        edges: [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [4, 1], [0, 5], [5, 6], [5, 7], [5, 8], [5, 9], [9, 10], [0, 10], [11, 3]]
            .map(([from = 0, to = 0]) => ({ from, to, weight: 0.5 })),
    };

    test('the question has sizes and numbers, no name', () => {
        assert.match(toDot(spec), /rankdir=TB/);
        assert.match(toDot({ ...spec, isAcross: true }), /rankdir=LR/);
        assert.match(toDot(spec), /^0->1\[weight=11\]$/m);
        assert.doesNotMatch(toDot(spec), /group/);
        assert.deepEqual(toDot({ ...spec, nodes: spec.nodes.map((node, at) => ({ ...node, isMain: at < 2 })) }).match(/^\d+\[.*group=main\]/mg)?.length, 2);
        assert.doesNotMatch(toDot(spec), /nslimit/);
        assert.match(toDot({ nodes: Array.from({ length: 300 }, () => ({ width: 10, height: 10 })), edges: [] }), /nslimit=1/);
    });

    test('Graphviz\'s answer, turned upside down, with folded lines', () => {
        const layout = fromPlain(
            'graph 1 4 3\nnode 0 2 2.5 1 0.5 "" solid box black lightgrey\nnode 1 2 0.5 1 0.5 "" solid box black lightgrey\n'
            + 'edge 0 1 4 2 2.25 2 1.5 \\\n2.5 1.25 2 0.75 solid black\nstop\n',
            { nodes: [{ width: 72, height: 36 }, { width: 72, height: 36 }], edges: [{ from: 0, to: 1, weight: 1 }] },
        );
        assert.deepEqual([layout.width, layout.height], [288, 216]);
        assert.deepEqual(layout.nodes, [{ x: 144, y: 36 }, { x: 144, y: 180 }]);
        assert.deepEqual(layout.edges[0]?.[0], { x: 144, y: 54 });
        assert.deepEqual(layout.edges[0]?.at(-1), { x: 144, y: 162 });
        assert.deepEqual(middle([{ x: 0, y: 0 }, { x: 0, y: 8 }, { x: 8, y: 8 }, { x: 8, y: 0 }]), { x: 4, y: 6 });
    });

    test('Graphviz itself: callees after their callers, no boxes upon each other', needsGraphviz, async () => {
        const program = await (await import(GRAPHVIZ.href)).Graphviz.load();
        for (const isAcross of [false, true]) {
            const { nodes, edges, width, height } = fromPlain(program.layout(toDot({ ...spec, isAcross }), 'plain', 'dot'), { ...spec, isAcross });
            const along = isAcross ? 'x' : 'y';
            spec.edges.filter(({ from, to }) => !(from === 4 && to === 1)).forEach(({ from, to }) => {
                assert.ok((nodes[from]?.[along] ?? 0) < (nodes[to]?.[along] ?? 0), `${from} is not before ${to}`);
            });
            nodes.forEach((a, one) => {
                // It writes four decimals of an inch or so.
                assert.ok(a.x >= 90 - 0.1 && a.y >= 25 - 0.1 && a.x + 90 <= width + 0.1 && a.y + 25 <= height + 0.1, `${one} is outside`);
                nodes.slice(one + 1).forEach((b) => assert.ok(Math.abs(a.x - b.x) >= 180 || Math.abs(a.y - b.y) >= 50, 'two boxes meet'));
            });
            assert.ok(edges.every((points) => points.length % 3 === 1 && points.length > 1));
        }
    });

    test('a graph without functions has no size, and needs no Graphviz', () => {
        assert.deepEqual(fromPlain('', { nodes: [], edges: [] }), { width: 0, height: 0, nodes: [], edges: [] });
    });
});

describe('what is written', () => {
    const measure = (/** @type {string} */ text) => text.length * 7;
    const node = { name: 'App\\Http\\Router::get', incl: 400, excl: 100, ct: 3, recursive: false, callers: 2, callees: 0 };
    const scale = { label: 'Wall time', unit: /** @type {const} */ ('us'), total: 1000, counted: { label: 'Calls', isCalls: true }, byPercent: false };

    test('long names keep their method', () => {
        assert.equal(cut('Router::get', 200, '', measure), 'Router::get');
        const short = cut('SomeVeryLongAbstractFactory::create', 140, '', measure);
        assert.match(short, /^Some.*…::create$/);
        assert.ok(measure(short) <= 140);
        // The line is the only thing that tells closures of a file apart.
        assert.equal(cut('Php8::{closure:Parser/Php8.php:1980}', 176, '', measure), 'Php8::{clo…Php8.php:1980}');
        assert.equal(cut('{closure:vendor/composer/ClassLoader.php:581}', 190, '', measure), '{closu…ClassLoader.php:581}');
        assert.equal(cut('{closure:vendor/composer/ALongNameOfAClassLoader.php:581}', 176, '', measure), '{closure:v…oader.php:581}');
        assert.equal(cut('a/rather/long/folder/autoload.php', 140, '', measure), 'a/rathe…autoload.php');
        assert.equal(cut('app_module25_function_1234', 140, '', measure), 'app_mo…function_1234');
        const alike = ['woocommerce_template_single_add_to_cart', 'woocommerce_template_single_add_to_cost', 'woocommerce_template_single_title_tags'];
        assert.equal(new Set(alike.map((name) => cut(name, 140, '', measure))).size, alike.length);
        const methods = [1, 2, 3].map((i) => `C::${'aVeryLongNameOfAMethod'.repeat(3)}${i}`);
        assert.equal(new Set(methods.map((name) => cut(name, 140, '', measure))).size, methods.length);
        assert.ok(measure(cut('x'.repeat(400), 140, '', measure)) <= 140);
        assert.ok(measure(cut(`C::${'é'.repeat(400)}`, 140, '', measure)) <= 140);
    });

    test('labels of lines stand beside boxes and each other, as near to their line as there is room', () => {
        const boxes = [{ x: 100, y: 50, width: 196, height: 54 }, { x: 350, y: 50, width: 196, height: 54 }];
        const size = { width: 170, height: 19 };
        const apart = (a, b) => Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2;
        const first = { ...freePlace({ x: 225, y: 50 }, size, boxes), ...size };
        const second = { ...freePlace({ x: 225, y: 50 }, size, [...boxes, first]), ...size };
        assert.ok([...boxes, second].every((box) => apart(first, box)) && boxes.every((box) => apart(second, box)));
        assert.ok(Math.abs(first.y - 50) <= 48, 'near');
        assert.deepEqual(freePlace({ x: 1000, y: 50 }, size, boxes), { x: 1000, y: 50 }, 'where there is room it stays');
        assert.deepEqual(freePlace({ x: 5, y: 5 }, size, [{ x: 5, y: 5, width: 5000, height: 5000 }]), { x: 5, y: 5 }, 'nowhere is room');
    });

    test('a box shows self and total figures and their shares', () => {
        const { name, lines, classes, words } = box(node, scale, measure);
        assert.equal(name, 'Router::get');
        assert.deepEqual(lines, [{ term: 'self', value: '100 µs', share: '10.0 %' }, { term: 'total', value: '400 µs', share: '40.0 %' }]);
        assert.equal(classes, 'time heat-2');
        assert.match(words, /^App\\Http\\Router::get\ntotal 400 µs, 40.0 %\nself 100 µs, 10.0 %\n3 calls\n2 more calls/);
    });

    test('of two runs: sign and arrow, new and gone', () => {
        const more = box({ ...node, before: { incl: 200, excl: 100, ct: 3 } }, scale, measure);
        assert.deepEqual(more.lines.map((line) => `${line.term} ${line.value} ${line.share}`.trim()), ['self =', 'total ▲ +200 µs +100.0 %']);
        assert.equal(more.classes, 'own-same all-up-4');
        assert.equal(box({ ...node, before: { incl: 0, excl: 0, ct: 0 } }, scale, measure).badge, 'new');
        const gone = box({ ...node, incl: 0, excl: 0, ct: 0, before: { incl: 400, excl: 10, ct: 1 } }, scale, measure);
        assert.match(gone.classes, /own-down-2 all-down-5 gone/);
        const byPercent = box({ ...node, excl: 11, before: { incl: 400, excl: 10, ct: 1 } }, { ...scale, byPercent: true }, measure);
        assert.match(byPercent.classes, /^own-up-2 /);
    });

    test('of two runs: what is the machine’s is grey and says why, a line of it has no direction', () => {
        const words = 'the machine was busy';
        const before = { incl: 200, excl: 50, ct: 3 };
        const grey = box({ ...node, before, machine: ['incl'] }, { ...scale, machine: words }, measure);
        assert.equal(grey.classes, 'own-up-3 all-machine');
        assert.match(grey.words, /\ntotal 200 µs before.*\(grey: the machine was busy\)\nself 50 µs before[^(]*\n/);
        const own = box({ ...node, before, machine: ['incl', 'excl'] }, { ...scale, machine: words }, measure);
        assert.equal(own.classes, 'own-machine all-machine');
        const edge = { from: 0, to: 0, weight: 400, now: 400, before: 9, ct: 1, ctBefore: 1, critical: false };
        const graph = { nodes: [node], edges: [], vias: [], total: 1000, functions: 1, focus: null };
        const text = (/** @type {object} */ more) => lineTexts({ ...edge, ...more }, graph, { ...scale, machine: words })[1] ?? '';
        assert.deepEqual([text({ machine: true }).endsWith(`before\n${words}`), text({}).includes(words)], [true, false]);
    });

    test('a long percentage keeps away from its figure, and the figure from its word', () => {
        const before = { incl: 18, excl: 18, ct: 1 };
        for (const now of [4078, 40780, 407800, 40780000]) {
            const { lines, valueEnd } = box({ ...node, incl: now, excl: 19, before }, scale, measure);
            for (const { term, value, share } of lines) {
                assert.ok(valueEnd + 8 <= SHARE_END - measure(share), `${value} ${share}`);
                assert.ok(valueEnd - measure(value) >= 10 + measure(term), `${term} ${value}`);
            }
        }
        assert.equal(box(node, scale, measure).valueEnd, 124, 'no further than usual');
        const times = box({ ...node, incl: 4078, excl: 4e9, before }, scale, measure);
        assert.deepEqual(times.lines.map(({ share }) => share.replace(/\s/g, ' ')), ['> ×99 999', '×227']);
        assert.match(times.words, /\+22.556 %/, 'in full');
    });

    test('hostile names are made visible', () => {
        const { name, words } = box({ ...node, name: 'a\u202Eb\n"<script>' }, scale, measure);
        assert.equal(name, 'a\\u{202E}b\\x0A"<script>');
        assert.doesNotMatch(words, /[\u202E]/);
    });
});
