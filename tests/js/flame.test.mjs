/** Pictures without a screen: places of frames, their drawing, their labels and colours. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerLocally } from '../../xhprof_html/assets/js/core/api.js';
import { byCategory, byCost, byPackage, hueOf, SPACES } from '../../xhprof_html/assets/js/flame/colours.js';
import { byChange } from '../../xhprof_html/assets/js/paths/diff-colours.js';
import { DEFAULT, categorize, parse } from '../../xhprof_html/assets/js/paths/categories.js';
import { SPECIAL, draw, levelAt, runningCount, topOf } from '../../xhprof_html/assets/js/flame/draw.js';
import { DiffJobs } from '../../xhprof_html/assets/js/paths/diff-jobs.js';
import { TreeJobs } from '../../xhprof_html/assets/js/paths/tree-jobs.js';
import { labels } from '../../xhprof_html/assets/js/flame/labels.js';
import { frameAt, lastBefore, nextMatch, layoutOf, layoutOfFrames } from '../../xhprof_html/assets/js/flame/layout.js';
import { serve } from '../../xhprof_html/assets/js/core/worker.js';
import { BadRun } from '../../xhprof_html/assets/js/profile/run-file.js';
import { counting, random, runFile, serveRun, treeJson, treeOf } from './support.mjs';

const list = (/** @type {ArrayLike<number>} */ column) => Array.from(column);
const tree = (seed, n = 300) => treeOf(treeJson(n, { seed, shape: seed, functions: 30, levels: 12, memory: true }));

/** Places of frames, computed by recursion. */
function places(t, metric, order) {
    const width = t.widths(metric);
    const x = new Array(t.n).fill(0);
    const levels = Array.from({ length: t.levels }, () => []);
    const place = (node, left) => {
        x[node] = left;
        levels[t.depth[node]].push(node);
        const kids = [];
        for (let kid = node + 1; kid < t.end[node]; kid = t.end[kid]) {
            kids.push(kid);
        }
        if (order === 'heavy') {
            kids.sort((a, b) => width[b] - width[a] || a - b);
        }
        for (const kid of kids) {
            place(kid, left);
            left += width[kid];
        }
    };
    place(0, 0);

    return { x, levels };
}

describe('layout', () => {
    for (let seed = 1; seed <= 12; seed++) {
        test(`random tree ${seed}`, () => {
            const t = tree(seed, 40 + seed * 60);
            for (const [metric, order] of [['wt', 'time'], ['wt', 'heavy'], ['mu', 'heavy'], ['ct', 'time']]) {
                const layout = layoutOf(t, metric, order);
                const { x, levels } = places(t, metric, order);
                assert.deepEqual(list(layout.x), x);
                assert.deepEqual(list(layout.index), levels.flat());
                assert.deepEqual(list(layout.start), [0, ...levels.map((_, i) => levels.slice(0, i + 1).flat().length)]);
                const at = random(seed);
                for (let i = 0; i < 60; i++) {
                    const level = Math.floor(at() * (t.levels + 1));
                    const where = at() * layout.width[0];
                    const expected = (levels[level] ?? []).find((node) => where >= x[node] && where < x[node] + layout.width[node]) ?? -1;
                    assert.equal(frameAt(layout, level, where), expected);
                    if (level < t.levels) {
                        const before = levels[level].filter((node) => x[node] <= where).length;
                        assert.equal(lastBefore(layout, level, where), layout.start[level] + before - 1);
                    }
                }
            }
        });
    }

    test('many callees, and as many levels', () => {
        const n = 2000;
        const wide = treeOf({
            names: ['main()', 'f'], fn: Array.from({ length: n }, (_, i) => (i === 0 ? 0 : 1)), depth: Array.from({ length: n }, (_, i) => (i === 0 ? 0 : 1)),
            ct: new Array(n).fill(1), self: { wt: Array.from({ length: n }, (_, i) => (i * 7919) % 1000) },
        });
        const { index, x } = layoutOf(wide, 'wt', 'heavy');
        const widths = list(index.subarray(1)).map((node) => wide.widths('wt')[node]);
        assert.deepEqual(widths, [...widths].sort((a, b) => b - a));
        assert.equal(x[index[1]], 0);
    });

    test('frames whose places are given', () => {
        const layout = layoutOfFrames({
            fn: Int32Array.of(0, 1, 2, 1), depth: Int32Array.of(0, 1, 2, 1), x: Float64Array.of(0, 2, 3, 8), width: Float64Array.of(10, 4, 1, 2),
            self: new Float64Array(4), ct: new Float64Array(4),
        });
        assert.deepEqual([list(layout.index), list(layout.start), layout.total], [[0, 1, 3, 2], [0, 1, 3, 4], 10]);
        assert.equal(frameAt(layout, 1, 7), -1);
        assert.equal(frameAt(layout, 1, 8.5), 3);
        assert.equal(frameAt(layout, 1, 6.05, 0.1), 1, 'near enough to a thin frame');
    });
});

/** A canvas that records its calls. */
function paper() {
    const drawn = { rectangles: [], outlines: [], texts: [] };
    let fill = '';

    return {
        drawn,
        set fillStyle(value) {
            fill = value;
        },
        set strokeStyle(_) {},
        set textBaseline(_) {},
        setTransform() {},
        setLineDash() {},
        fillRect(x, y, width, height) {
            drawn.rectangles.push({ x, y, width, height, fill });
        },
        strokeRect(x, y, width, height) {
            drawn.outlines.push({ x, y, width, height });
        },
        fillText(text, x, y) {
            drawn.texts.push({ text, x, y, fill });
        },
    };
}

const FILLS = ['faint', 'hit', 'selected', 'plain', 'gone'];
const skinOf = (layout, more = {}) => ({
    colour: new Uint8Array(layout.fn.length).fill(3), fills: FILLS, inks: FILLS.map((name) => `ink ${name}`), ground: 'ground', matches: null, lit: null,
    selected: -1, root: 0, matched: null, chosen: null, ...more,
});
const cameraOf = (layout, more = {}) => ({ from: 0, to: layout.width[0], width: 400, height: 2000, scroll: 0, row: 18, up: false, ratio: 1, ...more });

describe('matches of a search', () => {
    test('follow each other from left to right, around the ends, below the zoomed frame', () => {
        for (const order of /** @type {const} */ (['time', 'heavy'])) {
            const layout = layoutOf(treeOf(treeJson(400, { functions: 9, levels: 8 })), 'wt', order);
            const matches = Uint8Array.from({ length: 10 }, (_, fn) => fn % 3 === 1 ? 1 : 0);
            const [, root] = [...layout.fn.keys()].sort((a, b) => layout.end[b] - b - layout.end[a] + a);
            for (const below of [0, root]) {
                const wanted = [...layout.fn.keys()].filter((node) => node >= below && node < layout.end[below] && matches[layout.fn[node]] === 1 && layout.width[node] > 0)
                    .sort((a, b) => layout.x[a] - layout.x[b] || layout.depth[a] - layout.depth[b]);
                const met = [];
                let at = below;
                for (let step = 0; step < wanted.length; step++) {
                    const next = nextMatch(layout, (node) => matches[layout.fn[node]] === 1, below, at, 1);
                    assert.deepEqual([next.place, next.count], [wanted.indexOf(next.node) + 1, wanted.length]);
                    met.push(at = next.node);
                }
                assert.ok(wanted.length > 2);
                const begin = wanted.indexOf(met[0]);
                assert.deepEqual(met, [...wanted.slice(begin), ...wanted.slice(0, begin)]);
                assert.equal(nextMatch(layout, (node) => matches[layout.fn[node]] === 1, below, met[1], -1).node, met[0]);
                assert.equal(nextMatch(layout, (node) => matches[layout.fn[node]] === 1, below, wanted[0], -1).node, wanted[wanted.length - 1]);
            }
            assert.equal(nextMatch(layout, () => false, 0, 0, 1).node, -1);
        }
    });
});

describe('drawing', () => {
    test('levels from above and from below', () => {
        const camera = { from: 0, to: 1, width: 10, height: 100, scroll: 0, row: 18, up: false, ratio: 1 };
        assert.deepEqual([0, 1, 2].map((level) => topOf(camera, 3, level)), [0, 18, 36]);
        assert.deepEqual([0, 1, 2].map((level) => topOf({ ...camera, up: true }, 3, level)), [82, 64, 46]);
        assert.deepEqual([0, 1].map((level) => topOf({ ...camera, up: true, height: 30, scroll: 24 }, 3, level)), [12, -6]);
        for (const up of [false, true]) {
            for (const height of [30, 100]) {
                const one = { ...camera, up, height, scroll: height === 30 ? 11 : 0 };
                for (let level = 0; level < 3; level++) {
                    assert.equal(levelAt(one, 3, topOf(one, 3, level) + 9), level);
                }
            }
        }
    });

    for (let seed = 1; seed <= 20; seed++) {
        test(`what is there is drawn, and nothing else: ${seed}`, () => {
            const at = random(seed);
            const layout = layoutOf(tree(seed, 200 + 200 * (seed % 7)), 'wt', seed % 2 ? 'time' : 'heavy');
            const size = layout.width[0] * (seed % 3 ? at() * 0.5 + 0.01 : 1);
            const from = at() * (layout.width[0] - size);
            const camera = cameraOf(layout, { from, to: from + size, ratio: seed % 4 ? 1 : 2, width: 100 + Math.floor(at() * 300) });
            const context = paper();
            draw(context, layout, camera, skinOf(layout), null);
            const [ground, ...rectangles] = context.drawn.rectangles;
            assert.equal(ground.fill, 'ground');
            const scale = camera.width / size;
            const pixel = 1 / camera.ratio;
            for (let level = 0; level < layout.levels; level++) {
                const row = rectangles.filter((one) => one.y === level * 18).sort((a, b) => a.x - b.x);
                assert.ok(row.length <= camera.width * camera.ratio + 1, `${row.length} rectangles in a row`);
                const frames = list(layout.index.subarray(layout.start[level], layout.start[level + 1]));
                for (const node of frames) {
                    const left = (layout.x[node] - from) * scale;
                    const right = left + layout.width[node] * scale;
                    if (right <= 0 || left >= camera.width || layout.width[node] * scale < pixel) {
                        continue;
                    }
                    const [a, b] = [Math.max(0, left), Math.min(camera.width, right)];
                    if (b - a > pixel) {
                        const covers = row.some((one) => one.x <= a + pixel && one.x + one.width >= b - 2 * pixel);
                        assert.ok(covers, `frame ${node} from ${a} to ${b}`);
                    }
                }
                for (const one of row) {
                    assert.ok(one.x >= 0 && one.x + one.width <= camera.width + pixel);
                    const meets = frames.some((node) => {
                        const left = (layout.x[node] - from) * scale;

                        return left < one.x + one.width + pixel && left + layout.width[node] * scale > one.x - pixel;
                    });
                    assert.ok(meets, `a rectangle of no frame at ${one.x}`);
                }
            }
        });
    }

    test('what is searched for and selected shows, however narrow', () => {
        const n = 50001;
        const t = treeOf({
            names: ['main()', 'f', 'needle'], fn: Array.from({ length: n }, (_, i) => (i === 0 ? 0 : (i === 30001 ? 2 : 1))),
            depth: Array.from({ length: n }, (_, i) => (i === 0 ? 0 : 1)), ct: new Array(n).fill(1), self: { wt: new Array(n).fill(10) },
        });
        const layout = layoutOf(t, 'wt', 'time');
        const place = 400 * 30000 / n;
        for (const [more, fill] of [
            [{ matches: Uint8Array.of(0, 0, 1), matched: runningCount(layout, (fn) => fn === 2) }, 'hit'],
            [{ selected: 2, chosen: runningCount(layout, (fn) => fn === 2) }, 'selected'],
        ]) {
            const context = paper();
            draw(context, layout, cameraOf(layout), skinOf(layout, more), null);
            const found = context.drawn.rectangles.filter((one) => one.fill === fill);
            assert.equal(found.length, 1);
            assert.ok(Math.abs(found[0].x - place) < 2, `${found[0].x} for ${place}`);
        }
        assert.equal(runningCount(layout, (fn) => fn === 2)[n], 1);
    });

    test('labels stand in frames; callers of the zoomed frame step back; what is gone is an outline', () => {
        const t = treeOf({
            names: ['main()', 'a', 'b'], fn: [0, 1, 2, 1], depth: [0, 1, 2, 1], ct: [1, 1, 1, 1], self: { wt: [0, 10, 50, 40] },
        });
        const layout = layoutOf(t, 'wt', 'time');
        const context = paper();
        const skin = skinOf(layout, { root: 1, gone: 4, colour: Uint8Array.of(3, 3, 3, 4) });
        draw(context, layout, cameraOf(layout), skin, (node, room) => `${t.names[t.fn[node]]} ${room}`);
        assert.deepEqual(context.drawn.texts.map((one) => [one.text, one.x, one.y]), [
            ['main() 392', 4, 9], ['a 232', 4, 27], ['a 152', 244, 27], ['b 192', 4, 45],
        ]);
        assert.equal(context.drawn.texts[0].fill, 'ink faint');
        assert.deepEqual(context.drawn.outlines, [{ x: 240.5, y: 18.5, width: 158, height: 16 }]);
        const framed = paper();
        draw(framed, layout, cameraOf(layout), skinOf(layout, { selected: 2, framed: true }), null);
        assert.deepEqual(framed.drawn.outlines, [{ x: 0.5, y: 36.5, width: 199, height: 16 }]);
        assert.ok(!framed.drawn.rectangles.some((one) => one.fill === 'selected'));
        const zoomed = paper();
        draw(zoomed, layout, cameraOf(layout, { from: 60, to: 100 }), skin, (node) => t.names[t.fn[node]]);
        assert.deepEqual(zoomed.drawn.texts.map((one) => one.text), ['main()', 'a'], 'at the left edge of what is in sight');
    });

    test('a tree of a million levels costs what its picture is high', () => {
        const n = 1000000;
        const deep = treeOf({
            names: ['f'], fn: new Array(n).fill(0), depth: Array.from({ length: n }, (_, i) => i), ct: new Array(n).fill(1), self: { wt: new Array(n).fill(1) },
        });
        const layout = layoutOf(deep, 'wt', 'time');
        const { counted, reads } = counting(layout);
        const context = paper();
        draw(context, counted, cameraOf(layout, { height: 44, row: 44 / n }), skinOf(layout), null);
        assert.ok(reads() > 0 && reads() < 5000, `${reads()} figures read`);
        assert.ok(context.drawn.rectangles.length < 200, `${context.drawn.rectangles.length} rectangles`);
    });
});

describe('labels', () => {
    const wide = (/** @type {string} */ text) => text.length * 6;
    const label = labels(['App\\Http\\Kernel::handle', 'load::dir/file.php', 'f', 'a\u202Eb', 'x'.repeat(5000), 'App\\F::{closure:src/a.php:12}'], wide);

    test('namespace, class and end of the name go, in this order', () => {
        assert.equal(label(0, 200), 'App\\Http\\Kernel::handle');
        assert.equal(label(0, 100), 'Kernel::handle');
        assert.equal(label(0, 60), '::handle');
        assert.equal(label(0, 40), 'handle');
        assert.equal(label(0, 32), 'h…dle');
        assert.equal(label(0, 14), '');
        assert.equal(label(1, 90), 'dir/file.php');
        assert.equal(label(1, 60), '…file.php', 'a folder goes before the end of the name');
        assert.deepEqual([160, 70, 50, 36].map((room) => label(5, room)), ['F::{closure:src/a.php:12}', '…a.php:12}', 'a.php:12', 'a.…:12']);
        assert.equal(label(2, 7), 'f');
        assert.equal(label(3, 200), 'a\\u{202E}b');
    });

    test('functions that begin alike stay apart', () => {
        const alike = Array.from({ length: 90 }, (_, i) => `app_module25_function_${i + 10}`);
        const apart = labels(alike, wide);
        for (const room of [120, 90, 70, 50, 36]) {
            const shown = alike.map((_, fn) => apart(fn, room));
            assert.equal(new Set(shown).size, alike.length, `${room}: ${shown[0]}`);
        }
        assert.equal(apart(0, 90), '…function_10');
    });

    test('none is wider than its frame', () => {
        for (let fn = 0; fn < 6; fn++) {
            for (let room = 0; room < 400; room += 7) {
                assert.ok(wide(label(fn, room)) <= room, `${fn} ${room}`);
            }
        }
    });
});

describe('colours', () => {
    const time = { k: 'wt', label: 'Wall time', unit: /** @type {const} */ ('ns') };

    test('by cost', () => {
        const t = treeOf({
            names: ['main()'], fn: [0, 0, 0, 0, 0], depth: [0, 1, 1, 1, 1], ct: [1, 1, 1, 1, 1], self: { wt: [256000, 1000, 999, 0, 64000] },
        });
        const colouring = byCost(layoutOf(t, 'wt', 'time'), time);
        assert.deepEqual(list(colouring.colour).map((colour) => colouring.variables[colour]), ['--frame-time-5', '--frame-time-2', '--frame-time-1', '--frame-time-1', '--frame-time-5']);
        assert.deepEqual(colouring.legend.map((one) => one.text), ['less', '≥ 1.00 µs', '≥ 4.00 µs', '≥ 16.0 µs', '≥ 64.0 µs']);
        assert.deepEqual(byCost({ ...layoutOf(t, 'wt', 'time'), self: new Float64Array(5) }, time).legend, []);
        assert.equal(byCost(layoutOf(t, 'wt', 'time'), { ...time, unit: 'bytes' }).variables.at(-1), '--frame-memory-5');
    });

    test('by package, the costliest first in the legend', () => {
        const names = ['main()', ...Array.from({ length: 10 }, (_, i) => `N${i}\\Sub\\Deeper\\C::m`), 'PDO::query', '{closure:App/x.php:3}'];
        const n = names.length;
        const t = treeOf({
            names, fn: [...names.keys()], depth: names.map((_, i) => (i === 0 ? 0 : 1)), ct: names.map(() => 1), self: { wt: names.map((_, i) => 10 * i) },
        });
        const { colour, variables, legend } = byPackage(layoutOf(t, 'wt', 'time'), names);
        for (let i = 1; i <= 10; i++) {
            assert.equal(variables[colour[i]], `--space-${hueOf(`N${i - 1}\\Sub\\`)}`);
        }
        assert.deepEqual(legend.slice(0, 8).map(({ variable }) => variable), [9, 8, 7, 6, 5, 4, 3, 2].map((i) => `--space-${hueOf(`N${i}\\Sub\\`)}`));
        assert.equal(legend[8].variable, '', 'the others have several colours');
        assert.deepEqual([0, 11, n - 1].map((node) => variables[colour[node]]), ['--space-none', '--space-none', '--space-none']);
        assert.match(legend[0].text, /^N9\\Sub\\ 12\.8 %$/);
        assert.equal(legend.length, 10);
    });

    test('functions of PHP belong to the package that calls them, with their cost', () => {
        const names = ['main()', 'App\\Http\\Kernel::handle', 'usort', 'App\\Model\\Order::compare', 'strcmp', 'strlen'];
        const t = treeOf({ names, fn: [0, 1, 2, 3, 4, 5], depth: [0, 1, 2, 3, 4, 1], ct: [1, 1, 1, 1, 1, 1], self: { wt: [1, 1, 50, 1, 40, 7] } });
        const layout = layoutOf(t, 'wt', 'time');
        const { colour, variables, legend } = byPackage(layout, names);
        const [http, model] = ['App\\Http\\', 'App\\Model\\'].map((name) => `--space-${hueOf(name)}`);
        assert.deepEqual(list(colour).map((one) => variables[one]), ['--space-none', http, http, model, model, '--space-none']);
        assert.deepEqual(legend.map(({ text }) => text), ['App\\Http\\ 51.0 %', 'App\\Model\\ 41.0 %', 'none 8.0 %']);
        const alone = byPackage(layout, names, { inherits: false });
        assert.deepEqual(list(alone.colour).map((one) => alone.variables[one]), ['--space-none', http, '--space-none', model, '--space-none', '--space-none']);
    });

    test('a package has one colour, whatever else is in the picture and whatever it costs', () => {
        const names = ['main()', ...Array.from({ length: 40 }, (_, i) => `Vendor${i % 20}\\Part${i}\\C::m`)];
        const layoutOfAll = (/** @type {number[]} */ order, /** @type {number} */ seed) => {
            const here = [names[0], ...order.map((i) => names[i])];
            const t = treeOf({
                names: here, fn: [...here.keys()], depth: here.map((_, i) => Math.min(i, 3)), ct: here.map(() => 1), self: { wt: here.map((_, i) => (i * seed) % 97) },
            });
            const { colour, variables } = byPackage(layoutOf(t, 'wt', 'time'), here);

            return new Map(here.map((name, i) => [name, variables[colour[i]]]));
        };
        const all = layoutOfAll(names.slice(1).map((_, i) => i + 1), 7);
        const some = layoutOfAll(Array.from({ length: 10 }, (_, i) => 40 - 3 * i), 31);
        for (const [name, variable] of some) {
            assert.equal(variable, all.get(name), name);
        }
        assert.ok(new Set(all.values()).size > SPACES / 2, 'they are spread');
    });

    test('packages that are seen together have colours apart', () => {
        for (const together of [
            ['Symfony\\Component\\', 'Symfony\\Bundle\\', 'Doctrine\\ORM\\', 'Doctrine\\DBAL\\', 'Twig\\', 'Composer\\Autoload\\', 'Monolog\\'],
            ['Illuminate\\Database\\', 'Illuminate\\Routing\\', 'Illuminate\\View\\', 'Illuminate\\Container\\', 'App\\Http\\', 'App\\Models\\'],
            ['PhpParser\\', 'PhpParser\\Node\\', 'PhpParser\\Lexer\\', 'PhpParser\\PrettyPrinter\\', 'Composer\\Autoload\\'],
            ['PHPUnit\\Framework\\', 'PHPUnit\\Event\\', 'PHPUnit\\TextUI\\', 'PHPUnit\\Runner\\'],
        ]) {
            assert.equal(new Set(together.map(hueOf)).size, together.length, together.join());
        }
    });

    test('by the reader\'s categories, of which the first that matches counts', async () => {
        const names = ['main()', 'PDO::query', 'pg_query', 'App\\Db::upgrade', 'file'];
        const { categories, problem } = parse('Database: PDO, app\\db\n\nAll else: /^(main|pg_){1,2}/i\n');
        assert.equal(problem, '');
        assert.deepEqual(categories, [{ label: 'Database', patterns: ['PDO', 'app\\db'] }, { label: 'All else', patterns: ['/^(main|pg_){1,2}/i'] }]);
        const found = await categorize(names, categories.slice(0, 1));
        assert.deepEqual(list(found), [0, 1, 0, 1, 0]);
        const t = treeOf({ names, fn: [0, 1, 2, 3, 4], depth: [0, 1, 1, 1, 1], ct: [1, 1, 1, 1, 1], self: { wt: [10, 20, 30, 40, 100] } });
        const { colour, variables, legend } = byCategory(layoutOf(t, 'wt', 'time'), ['Database', 'All else'], Uint8Array.of(2, 1, 2, 1, 0));
        assert.deepEqual(list(colour).map((one) => variables[one]), ['--space-1', '--space-0', '--space-1', '--space-0', '--space-none']);
        assert.deepEqual(legend.map(({ text }) => text), ['Database 30.0 %', 'All else 20.0 %', 'none 50.0 %']);
    });

    test('lines that are no categories are reported', () => {
        assert.match(parse('PDO::query').problem, /^“PDO::query” is no “Label: name, \/pattern\/”$/);
        assert.match(parse('Database:').problem, /is no/);
        assert.match(parse('A: x\nB: /(/').problem, /^B: This is no regular expression/);
        assert.match(parse(Array.from({ length: 9 }, (_, i) => `C${i}: x`).join('\n')).problem, /^There are colours for 8 categories$/);
        assert.deepEqual([parse(DEFAULT).problem, parse(DEFAULT).categories.length], ['', 6]);
        assert.deepEqual(parse('Code: load::, run_init::').categories[0].patterns, ['load::', 'run_init::']);
    });

    test('by change, symmetric, and what is new is never as before', async () => {
        const jobs = new DiffJobs();
        const a = { names: ['main()', 'a', 'b', 'c'], fn: [0, 1, 2, 3], depth: [0, 1, 1, 1], ct: [1, 1, 1, 1], self: { wt: [0, 100, 100, 50] } };
        const b = { ...a, names: ['main()', 'a', 'b', 'd'], self: { wt: [0, 160, 40, 1] } };
        const union = await pair(jobs, a, b);
        const { colour, variables, gone } = byChange(union, time, 'own');
        assert.deepEqual(list(colour).map((one) => variables[one]), ['--same', '--more-4', '--less-4', '--frame-gone', '--more-1']);
        assert.equal(variables[gone ?? -1], '--frame-gone');
        assert.equal(union.scale, 60);
        assert.deepEqual(list(union.width), [201, 160, 40, 0, 1]);
        assert.deepEqual(union.totals, { a: 250, b: 201 });
    });

    test('by change: what is the machine’s is grey, on paths that were taken as often, and makes no other pale', async () => {
        const jobs = new DiffJobs();
        const a = { names: ['main()', 'a', 'b', 'c'], fn: [0, 1, 2, 3, 1], depth: [0, 1, 2, 1, 2], ct: [1, 1, 1, 1, 1], self: { wt: [0, 100, 100, 50, 10], cpu: [0, 9, 9, 9, 9] } };
        const b = { ...a, ct: [1, 1, 1, 1, 2], self: { wt: [0, 9000, 1100, 50, 5000], cpu: [0, 10, 9, 9, 9] } };
        const words = 'the machine was busy';
        const known = { after: {}, machine: { words, functions: { excl_wt: ['a', 'c'], wt: ['main()', 'a'] } } };
        const union = await pair(jobs, a, b, known);
        const named = (/** @type {any} */ shown, /** @type {'own' | 'incl'} */ by) => {
            const { colour, variables, legend } = byChange(shown, time, by, undefined, words);

            return [list(colour).map((one) => variables[one]), legend.filter(({ variable }) => variable === '--machine').map(({ title }) => title)];
        };
        // c is as before; the second path to a was taken twice.
        assert.deepEqual(named(union, 'own'), [['--same', '--machine', '--more-2', '--same', '--more-4'], [words]]);
        assert.equal(union.scale, 4990);
        const inclusive = await jobs.layout({ metric: 'wt', order: 'time', side: 'b', by: 'incl' }, () => undefined);
        assert.deepEqual(named(inclusive, 'incl')[0].slice(0, 2), ['--machine', '--machine']);
        const cpu = await jobs.layout({ metric: 'cpu', order: 'time', side: 'b', by: 'own' }, () => undefined);
        assert.deepEqual([[...cpu.machine].includes(1), named(cpu, 'own')[1]], [false, []]);
    });
});

/** Two trees through the job that fetches them. */
async function pair(jobs, a, b, known) {
    const answers = [runFile({ tree: a }), runFile({ tree: b }), JSON.stringify(known)];
    globalThis.fetch = /** @type {any} */ (async () => new Response(answers.shift()));
    await jobs.open({ a: 'a', b: 'b', names: known === undefined ? '' : 'names' }, () => undefined);

    return jobs.layout({ metric: 'wt', order: 'time', side: 'b', by: 'own' }, () => undefined);
}

describe('a worker', () => {
    /** Answers as a page gets them: what is transferred is gone on the worker's side. */
    const ask = async (/** @type {any} */ jobs, /** @type {[job: string, input: object][]} */ questions) => {
        const [given, posted] = [/** @type {any} */ (globalThis), /** @type {any[]} */ ([])];
        const before = [given.addEventListener, given.postMessage];
        given.addEventListener = (/** @type {string} */ _type, /** @type {Function} */ listener) => {
            jobs.answer = listener;
        };
        given.postMessage = (/** @type {any} */ message, /** @type {any} */ options) => {
            posted.push(structuredClone(message, options));
        };
        serve(jobs);
        for (const [id, [job, input]] of questions.entries()) {
            await jobs.answer({ data: { id, job, input } });
        }
        [given.addEventListener, given.postMessage] = before;

        return posted.filter(({ progress }) => progress === undefined).map(({ result }) => result);
    };
    const tree = { ...treeJson(3000, { memory: true }), corrected: undefined };

    test('gives the page its columns, keeps those of the run, and gives the same again', async () => {
        globalThis.fetch = /** @type {any} */ (async () => new Response(runFile({ tree })));
        const how = { metric: 'mu', order: 'time' };
        const [, first, , second, columns] = await ask(new TreeJobs(), [
            ['open', { url: 'a' }], ['layout', how], ['layout', { metric: 'wt', order: 'heavy' }], ['layout', how], ['columns', how],
        ]);
        assert.deepEqual(second, first);
        assert.equal(first.width.length, 3000);
        assert.deepEqual(columns.inclusive, first.inclusive);
        assert.deepEqual(Array.from(first.self), tree.self.mu);
        assert.equal(first.depth.constructor, Uint8Array, 'as narrow as in the file');
    });

    test('does so for two trees, whose sums may take a wider type', async () => {
        // Twice the same path: its figures are added up.
        const twice = { names: ['main()', 'a'], fn: [0, 1, 1], depth: [0, 1, 1], ct: [1, 200, 200], self: { wt: [0, 250, 250] } };
        globalThis.fetch = /** @type {any} */ (async () => new Response(runFile({ tree: twice })));
        const how = { metric: 'wt', order: 'time', side: 'max', by: 'own' };
        const [, first, second] = await ask(new DiffJobs(), [['open', { a: 'a', b: 'b' }], ['layout', how], ['layout', how]]);
        assert.deepEqual(second, first);
        assert.deepEqual([list(first.ownA), list(first.ctB), list(first.width)], [[0, 500], [1, 400], [500, 500]]);
    });
});

describe('jobs', () => {
    test('ask for nothing before something is loaded', async () => {
        const jobs = new TreeJobs();
        await assert.rejects(jobs.layout({ metric: 'wt', order: 'time' }, () => undefined), /Nothing has been loaded/);
        await assert.rejects(new DiffJobs().layout({ metric: 'wt', order: 'time', side: 'b', by: 'own' }, () => undefined), /Nothing has been loaded/);
    });

    test('two sides without a metric in common', async () => {
        const side = (metric) => ({ names: ['main()'], fn: [0], depth: [0], ct: [1], self: { [metric]: [1] } });
        const jobs = new DiffJobs();
        await assert.doesNotReject(pair(jobs, side('wt'), side('wt')));
        globalThis.fetch = /** @type {any} */ (async () => new Response('{"v":1,"error":{"code":"no-tree","message":"This run has no call tree."}}', { status: 404 }));
        await assert.rejects(jobs.open({ a: 'a', b: 'b' }, () => undefined), /This run has no call tree\./);
    });

    test('a sandwich of a run', async () => {
        const jobs = new TreeJobs();
        serveRun({ tree: treeJson(3000, { functions: 40, levels: 12 }) });
        const opened = await jobs.open({ url: 'run' }, () => undefined);
        assert.deepEqual(opened.metrics.map(({ k }) => k), ['wt', 'corrected_wt', 'cpu', 'ct']);
        const rows = await jobs.functions({ metric: 'wt' }, () => undefined);
        for (const [row, fn] of rows.fn.entries()) {
            const { callers, callees, calls } = await jobs.sandwich({ fn, metric: 'wt', order: 'heavy' }, () => undefined);
            assert.equal(callers?.total, rows.inclusive[row]);
            assert.equal(callees?.total, rows.inclusive[row]);
            assert.ok(calls > 0);
        }
        // 1 of 40 functions, in the shape of api.php?get=symbol.
        const data = jobs.symbol({ name: opened.names[rows.fn[5]] });
        assert.equal(data?.row.wt, rows.inclusive[5]);
        assert.equal(data?.row.excl_wt, rows.exclusive[5]);
        assert.equal(data?.row.ct, rows.ct[5]);
        assert.equal(data?.total.wt, rows.inclusive.reduce((most, value) => Math.max(most, value), 0));
        assert.ok(data.callers.length > 0 && data.callees.length > 0);
        assert.equal(jobs.symbol({ name: 'nobody' }), null);
        assert.equal((await jobs.sandwich({ fn: 9999, metric: 'wt', order: 'heavy' }, () => undefined)).callers, null);
    });

    test('corrected times come when they are wanted, once, and only of the same run', async () => {
        const { corrected, ...raw } = treeJson(500, { functions: 9, levels: 6 });
        const all = treeOf({ ...raw, corrected });
        const documents = { tree: { ...raw, correctable: ['wt'], version: 'v1&' }, corrected };
        /** @type {string[]} */
        const asked = [];
        const serve = (/** @type {any} */ served) => {
            globalThis.fetch = /** @type {any} */ (async (/** @type {string} */ url) => {
                asked.push(url);

                return new Response(runFile(url.endsWith('=tree') ? { tree: served.tree } : (served.corrected === undefined ? {} : { corrected: served.corrected })));
            });
        };
        answerLocally(() => null);
        serve(documents);
        const jobs = new TreeJobs();
        const { metrics } = await jobs.open({ url: 'api?run=a' }, () => undefined);
        assert.deepEqual(metrics.map(({ k }) => k), ['wt', 'corrected_wt', 'cpu', 'ct']);
        const changes = { only: all.names[3], hide: [], fold: false };
        const last = jobs.symbol({ name: 'main()' });
        assert.deepEqual(Object.keys(last?.row ?? {}).sort(), ['cpu', 'ct', 'excl_cpu', 'excl_wt', 'wt'], 'what is there');
        for (const order of /** @type {const} */ (['heavy', 'time'])) {
            const layout = await jobs.layout({ metric: 'corrected_wt', order }, () => undefined);
            assert.deepEqual([layout.total, layout.self.length], [all.inclusive('corrected_wt')[0], order === 'time' ? 500 : layout.fn.length]);
            await jobs.layout({ metric: 'corrected_wt', order, changes }, () => undefined);
        }
        assert.deepEqual((await jobs.columns({ metric: 'corrected_wt' }, () => undefined)).self, all.exclusive('corrected_wt'));
        assert.deepEqual(asked, ['api?run=a&documents=tree', 'api?run=a&version=v1%26&documents=corrected']);

        asked.length = 0;
        const diff = new DiffJobs();
        const opened = await diff.open({ a: 'api?run=a', b: 'api?run=b' }, () => undefined);
        assert.deepEqual(opened.metrics.map(({ k }) => k), ['wt', 'corrected_wt', 'cpu', 'ct']);
        const how = /** @type {const} */ ({ order: 'time', side: 'b', by: 'own' });
        const before = await diff.layout({ metric: 'wt', ...how }, () => undefined);
        const { totals, ownA } = await diff.layout({ metric: 'corrected_wt', ...how }, () => undefined);
        assert.deepEqual([totals.a, totals.b, ownA.length], [all.inclusive('corrected_wt')[0], all.inclusive('corrected_wt')[0], before.fn.length]);
        assert.deepEqual(asked.slice(2), ['api?run=a&version=v1%26&documents=corrected', 'api?run=b&version=v1%26&documents=corrected']);

        for (const wrong of [{ wt: [1, 2] }, {}, undefined]) {
            serve({ ...documents, corrected: wrong });
            const other = new TreeJobs();
            await other.open({ url: 'api?run=a' }, () => undefined);
            await assert.rejects(other.layout({ metric: 'corrected_wt', order: 'time' }, () => undefined), BadRun);
        }
    });

    test('figures of one request are those of all, divided', () => {
        const json = treeJson(30, { functions: 3 });
        const tree = treeOf({ ...json, requests: 4 });
        assert.deepEqual([...tree.exclusive('wt')], json.self.wt.map((value) => value / 4));
        assert.deepEqual([...tree.exclusive('ct')], json.ct);
    });
});
