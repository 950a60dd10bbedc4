/** The call graph without a browser: what is chosen, what is done to it before, where it is put, what the files say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { box, cut } from '../../xhprof_html/assets/js/graph/boxes.js';
import { dot, quoted } from '../../xhprof_html/assets/js/graph/download.js';
import { fromPlain, middle, toDot } from '../../xhprof_html/assets/js/graph/geometry.js';
import { layered } from '../../xhprof_html/assets/js/graph/layered.js';
import { around, build, foldRecursion, hide, union } from '../../xhprof_html/assets/js/graph/model.js';
import { select } from '../../xhprof_html/assets/js/graph/select.js';

const CASES = JSON.parse(readFileSync(new URL('../lib/Support/graph-rule.json', import.meta.url), 'utf8'));
const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);
const near = (/** @type {number} */ a, /** @type {number} */ b, slack = 1e-6) => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b}`);

/** A run as get=edges gives it. @param {Record<string, { ct: number, wt: number }>} edges */
function data(edges) {
    /** @type {string[]} */
    const names = [];
    const index = (/** @type {string} */ name) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1);
    const pairs = Object.keys(edges).map((key) => (key.includes('==>') ? key.split('==>') : [null, key]));

    return {
        names,
        total: { wt: edges['main()']?.wt ?? 0 },
        p: pairs.map(([from]) => (from === null || from === undefined ? -1 : index(from))),
        c: pairs.map(([, to]) => index(to ?? '')),
        m: { ct: Object.values(edges).map((row) => row.ct), wt: Object.values(edges).map((row) => row.wt) },
    };
}

/** @param {any} edges @param {boolean} [fold] */
const model = (edges, fold = true) => (fold ? foldRecursion(build(data(edges), 'wt')) : build(data(edges), 'wt'));

/** @param {import('../../xhprof_html/assets/js/graph/model.js').Model} of @param {string} name */
const row = (of, name) => {
    const at = of.names.indexOf(name);

    return at < 0 ? undefined : { incl: of.incl[at], excl: of.excl[at], ct: of.ct[at] };
};

/** @param {import('../../xhprof_html/assets/js/graph/model.js').Model} of */
const calls = (of) => Object.fromEntries(of.edges.map((edge) => [`${of.names[edge.from]}>${of.names[edge.to]}`, edge.now]));

describe('the rule, as in PHP (tests/lib/GraphRuleTest.php)', () => {
    for (const { name, edges, before, options, total, nodes, calls: wanted } of CASES) {
        test(name, () => {
            const now = model(edges, options.fold ?? false);
            const graph = select(before === undefined ? now : union(model(before, options.fold ?? false), now), options);
            assert.equal(graph.total, total);
            assert.deepEqual(graph.nodes.map((node) => [
                node.name, node.incl, node.excl, node.ct, ...(node.before === undefined ? [] : [node.before.incl, node.before.excl, node.before.ct]),
                node.recursive, node.callers, node.callees,
            ]), nodes);
            assert.deepEqual(graph.edges.map((edge) => [
                graph.nodes[edge.from]?.name, graph.nodes[edge.to]?.name, edge.weight,
                edge.now - (edge.before ?? 0), edge.ct - (edge.ctBefore ?? 0), edge.critical,
            ]), wanted);
        });
    }

    test('a function that no drawn call reaches hangs on who leads to it', () => {
        // 20 helpers of 1 each call "deep": heavy itself, through light ones only.
        const edges = { 'main()': { ct: 1, wt: 100 } };
        for (let at = 0; at < 20; at++) {
            edges[`main()==>helper${at}`] = { ct: 1, wt: 3 };
            edges[`helper${at}==>deep`] = { ct: 1, wt: 2 };
        }
        const graph = select(model(edges), { threshold: 0.1, critical: false });
        assert.deepEqual(graph.nodes.map((node) => node.name), ['main()', 'deep']);
        assert.deepEqual(graph.edges, []);
        assert.deepEqual(graph.vias, [{ from: 0, to: 1 }]);
        assert.equal(graph.nodes[1]?.callers, 20);
    });

    test('so do two that only call each other in the picture', () => {
        const graph = select(model({
            'main()': { ct: 1, wt: 100 }, 'main()==>light': { ct: 1, wt: 9 }, 'light==>walk': { ct: 1, wt: 8 }, 'walk==>visit': { ct: 1, wt: 60 },
            'visit==>walk@1': { ct: 9, wt: 50 }, 'main()==>other': { ct: 1, wt: 50 }, 'other==>walk': { ct: 1, wt: 1 }, 'main()==>walk': { ct: 1, wt: 7 },
        }), { threshold: 0.12, critical: false, minEdge: 0.3 });
        assert.deepEqual(graph.nodes.map((node) => node.name), ['main()', 'visit', 'other', 'walk']);
        assert.deepEqual(graph.edges.map((edge) => [edge.from, edge.to]), [[3, 1], [0, 2], [1, 3]]);
        assert.deepEqual(graph.vias, [{ from: 0, to: 1 }]);
    });
});

describe('before the choice', () => {
    const edges = {
        'main()': { ct: 1, wt: 1000 },
        'main()==>load': { ct: 1, wt: 300 },
        'main()==>save': { ct: 1, wt: 600 },
        'load==>array_map': { ct: 1, wt: 100 },
        'save==>array_map': { ct: 3, wt: 300 },
        'array_map==>format': { ct: 40, wt: 200 },
        'array_map==>strlen': { ct: 8, wt: 40 },
        'format==>strlen': { ct: 4, wt: 20 },
    };
    const internal = (/** @type {string} */ name) => ['array_map', 'strlen'].includes(name);

    test('hidden functions: what they took is their callers\', split by the time of the calls', () => {
        const hidden = hide(model(edges), internal);
        assert.deepEqual(hidden.names, ['main()', 'load', 'save', 'format']);
        // array_map took 160 itself and 40 in strlen: a quarter is load's. Its calls of format likewise.
        assert.deepEqual(row(hidden, 'load'), { incl: 300, excl: 200 + 50, ct: 1 });
        assert.deepEqual(row(hidden, 'save'), { incl: 600, excl: 300 + 150, ct: 1 });
        assert.deepEqual(row(hidden, 'format'), { incl: 200, excl: 200, ct: 40 });
        assert.deepEqual(calls(hidden), { 'main()>load': 300, 'main()>save': 600, 'load>format': 50, 'save>format': 150 });
        near(sum(hidden.excl), 1000);
    });

    test('hidden functions that call their caller back take nothing away', () => {
        const back = model({
            'main()': { ct: 1, wt: 100 }, 'main()==>walk': { ct: 1, wt: 100 }, 'walk==>array_map': { ct: 1, wt: 80 },
            'array_map==>walk@1': { ct: 5, wt: 60 }, 'walk@1==>array_map@1': { ct: 1, wt: 20 },
        });
        const hidden = hide(back, internal);
        assert.deepEqual(hidden.names, ['main()', 'walk']);
        assert.deepEqual(row(hidden, 'walk'), { incl: 100, excl: 100, ct: 6 });
        assert.deepEqual(calls(hidden), { 'main()>walk': 100 });
    });

    test('nothing is lost in a larger run either', () => {
        const { edges: many } = CASES.find((/** @type {any} */ one) => one.name === 'seventy functions');
        const all = model(many);
        for (const wanted of [/S1/, /S[135]/, /[02468]$/]) {
            near(sum(hide(all, (name) => wanted.test(name)).excl), all.total, 1e-3);
        }
    });

    test('around a function: callers and callees in proportion', () => {
        const whole = model(edges);
        const part = around(whole, whole.names.indexOf('load'));
        assert.equal(part.names[part.focus ?? -1], 'load');
        assert.deepEqual([...part.names].sort(), ['array_map', 'format', 'load', 'main()', 'strlen']);
        assert.deepEqual(row(part, 'load'), { incl: 300, excl: 200, ct: 1 });
        assert.deepEqual(row(part, 'main()'), { incl: 300, excl: 0, ct: 0 });
        // A quarter of array_map, of which half is format.
        assert.deepEqual(row(part, 'array_map'), { incl: 100, excl: 40, ct: 1 });
        near(row(part, 'format')?.incl ?? 0, 50);
        near(row(part, 'strlen')?.incl ?? 0, 10 + 5);
        assert.equal(part.base, 300);
        assert.equal(part.total, 1000);
        assert.deepEqual(select(part).focus, 0);
    });

    test('around one of two that call each other: no more than there is', () => {
        const { edges: recursive } = CASES.find((/** @type {any} */ one) => one.name.startsWith('functions that call each other, folded'));
        const whole = model(recursive);
        const part = around(whole, whole.names.indexOf('visit'));
        part.names.forEach((name, at) => assert.ok((part.incl[at] ?? 0) <= (row(whole, name)?.incl ?? 0) + 1e-6, name));
        assert.deepEqual(row(part, 'visit'), row(whole, 'visit'));
    });
});

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

    for (const isAcross of [false, true]) {
        test(`without Graphviz, ${isAcross ? 'across' : 'down'}: callees after their callers, no boxes upon each other`, () => {
            const { nodes, edges, width, height } = layered({ ...spec, isAcross });
            const along = isAcross ? 'x' : 'y';
            spec.edges.filter(({ from, to }) => !(from === 4 && to === 1)).forEach(({ from, to }) => {
                assert.ok((nodes[from]?.[along] ?? 0) < (nodes[to]?.[along] ?? 0), `${from} is not before ${to}`);
            });
            nodes.forEach((a, one) => {
                assert.ok(a.x >= 90 - 1e-6 && a.y >= 25 - 1e-6 && a.x + 90 <= width + 1e-6 && a.y + 25 <= height + 1e-6, `${one} is outside`);
                nodes.slice(one + 1).forEach((b) => assert.ok(Math.abs(a.x - b.x) >= 180 || Math.abs(a.y - b.y) >= 50, 'two boxes meet'));
            });
            assert.ok(edges.every((points) => points.length === 4));
            assert.ok(layered({ nodes: [], edges: [] }).width === 0);
        });
    }
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
        assert.ok(measure(cut('x'.repeat(400), 140, '', measure)) <= 140);
        assert.ok(measure(cut(`C::${'é'.repeat(400)}`, 140, '', measure)) <= 140);
    });

    test('a box tells exclusive and inclusive figures and their shares', () => {
        const { name, lines, classes, words } = box(node, scale, measure);
        assert.equal(name, 'Router::get');
        assert.deepEqual(lines, [{ term: 'self', value: '100 µs', share: '10.0 %' }, { term: 'incl', value: '400 µs', share: '40.0 %' }]);
        assert.equal(classes, 'time heat-2');
        assert.match(words, /^App\\Http\\Router::get\ninclusive 400 µs, 40.0 %\nexclusive 100 µs, 10.0 %\n3 calls\n2 more calls/);
    });

    test('of two runs: sign and arrow, new and gone', () => {
        const more = box({ ...node, before: { incl: 200, excl: 100, ct: 3 } }, scale, measure);
        assert.deepEqual(more.lines.map((line) => `${line.term} ${line.value} ${line.share}`.trim()), ['self =', 'incl ▲ +200 µs +100.0 %']);
        assert.equal(more.classes, 'own-same all-up-4');
        assert.equal(box({ ...node, before: { incl: 0, excl: 0, ct: 0 } }, scale, measure).badge, 'new');
        const gone = box({ ...node, incl: 0, excl: 0, ct: 0, before: { incl: 400, excl: 10, ct: 1 } }, scale, measure);
        assert.match(gone.classes, /own-down-2 all-down-5 gone/);
        const byPercent = box({ ...node, excl: 11, before: { incl: 400, excl: 10, ct: 1 } }, { ...scale, byPercent: true }, measure);
        assert.match(byPercent.classes, /^own-up-2 /);
    });

    test('hostile names are made visible', () => {
        const { name, words } = box({ ...node, name: 'a\u202Eb\n"<script>' }, scale, measure);
        assert.equal(name, 'a\\u{202E}b\\x0A"<script>');
        assert.doesNotMatch(words, /[\u202E]/);
    });

    test('DOT: quotes, entities and backslashes are undone where dot reads them', () => {
        assert.equal(quoted('a"b&lt;\\N\n'), '"a&quot;b&amp;lt;\\\\N\\n"');
        assert.equal(quoted('\\', true), '"\\\\\\\\"');
        const graph = {
            nodes: [{ ...node, name: 'evil"]; x [label="\\' }, node], total: 1000, functions: 2, vias: [],
            edges: [{ from: 0, to: 1, weight: 400, now: 400, ct: 1, critical: true }],
        };
        const text = dot(/** @type {any} */ ({ choice: { graph }, scale, isAcross: true }));
        assert.match(text, /^N0 \[label="evil&quot;\]; x \[label=&quot;\\\\\\nself 100 µs \(10.0 %\)/m);
        assert.match(text, /^N0 -> N1 \[penwidth=2.20, color="#b3391f"\];$/m);
    });
});
