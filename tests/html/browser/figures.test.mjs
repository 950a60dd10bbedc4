/**
 * A function's figures are the same in the table of functions, the call graph, the flame graph, the sandwich and on the command
 * line, for every kind of run. The pages' own modules read the figures.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { functionsOf } from '../../../xhprof_html/assets/js/profile/merge.js';
import { readRun } from '../../../xhprof_html/assets/js/profile/run-file.js';
import { Samples } from '../../../xhprof_html/assets/js/profile/samples.js';
import { Timeline } from '../../../xhprof_html/assets/js/profile/timeline.js';
import { Tree } from '../../../xhprof_html/assets/js/profile/tree.js';
import { PHP, withSite } from './support.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXTENSION = join(ROOT, 'extension/modules/xhprof.so');
const NEEDS = existsSync(EXTENSION) ? {} : { skip: 'the extension is not built' };

/** The code of a file, run by main() and by a function, has a cost of its own; a function calls itself. */
const PROGRAM = {
    'script.php': `<?php
        function work(int $n) { for ($j = 0; $j < 100000; $j++) { } return $n > 0 ? work($n - 1) : strrev('x'); }
        work(3);
        require __DIR__ . '/file.php';
        (function () { require __DIR__ . '/file.php'; work(1); })();
        for ($j = 0; $j < 500000; $j++) { }`,
    'file.php': '<?php for ($end = hrtime(true) + 20_000_000; hrtime(true) < $end;) { for ($j = 0; $j < 2000; $j++) { } }',
};

const KINDS = {
    exact: {},
    allocations: { flags: 'alloc' },
    sampled: { mode: 'sample', sampling_interval: 200 },
    aggregate: { mode: 'aggregate', sampling_interval: 200 },
    timed: { flags: 'timeline', timeline_threshold: 0 },
};

/** Kinds that have times, and their data's module. */
const TIMED = {
    timed: async () => Timeline.of(await document('timed', 'timeline'), Tree.of(await document('timed', 'tree'))).pathsOf(...RANGE),
    sampled: async () => Samples.of(await document('sampled', 'stacks')).pathsOf(...RANGE),
};

/** ns */
const RANGE = /** @type {[number, number]} */ ([5e6, 32e6]);

/** @type {Record<string, string>} kind => id */
const ids = {};

/** @type {Record<string, string>} kind => mode */
const modes = {};

/** @param {string} folder */
function record(folder) {
    const program = join(folder, 'program');
    mkdirSync(program);
    for (const [name, code] of Object.entries(PROGRAM)) {
        writeFileSync(join(program, name), code);
    }
    for (const [kind, settings] of Object.entries(KINDS)) {
        const ini = { output_dir: folder, start_with_request: 'yes', source: kind, ...settings };
        const options = Object.entries(ini).flatMap(([name, value]) => ['-d', `xhprof.${name}=${value}`]);
        execFileSync(PHP, ['-n', '-d', `extension=${EXTENSION}`, ...options, join(program, 'script.php')]);
    }
    xhprof('export', '--format=json', `--output-dir=${folder}`, '--source=exact', '-o', join(folder, 'exact.json'), 'latest');
    xhprof('import', `--output-dir=${folder}`, '--source=imported', join(folder, 'exact.json'));
    for (const more of [[], ['--start=aggregate']]) {
        for (const { id, source, meta } of JSON.parse(xhprof('list', '--json', `--output-dir=${folder}`, ...more)).runs) {
            ids[source] = id;
            modes[source] = meta.mode;
        }
    }
}

/** @param {string[]} words */
function xhprof(...words) {
    return execFileSync(PHP, [join(ROOT, 'bin/xhprof'), ...words], { encoding: 'utf8' });
}

const { site, onPage } = withSite(existsSync(EXTENSION) ? { runs: record } : {});

/** @typedef {Map<string, {incl: number, excl: number, ct: number}>} Figures of functions, µs */

/**
 * @param {string} kind
 * @param {string} what
 * @returns {Promise<any>}
 */
async function answer(kind, what) {
    const response = await fetch(`${site.root}api.php?get=${what}&run=${ids[kind]}&source=${kind}`);
    assert.equal(response.status, 200, what);

    return response.json();
}

/**
 * @param {string} kind
 * @param {string} name of the document
 * @param {string} [range]
 * @returns {Promise<any>}
 */
async function document(kind, name, range = '') {
    const response = await fetch(`${site.root}api.php?get=columns&documents=${name}&run=${ids[kind]}&source=${kind}${range}`);
    assert.equal(response.status, 200, name);

    return readRun(await response.arrayBuffer()).document(name);
}

/** All views of a run's functions. */
const VIEWS = {
    /** @returns {Promise<Figures>} */
    async Functions(/** @type {string} */ kind, range = '') {
        const { names, m } = await answer(kind, `functions${range}`);

        return new Map(names.map((/** @type {string} */ name, /** @type {number} */ i) => [name, { incl: m.wt[i], excl: m.excl_wt[i], ct: m.ct[i] }]));
    },
    /** @returns {Promise<Figures>} */
    async 'Call graph'(/** @type {string} */ kind, range = '') {
        const { graph } = await answer(kind, `graph&metric=wt&threshold=0&nodes=1000${range}`);

        return new Map(graph.nodes.map((/** @type {any} */ { name, incl, excl, ct }) => [name, { incl, excl, ct }]));
    },
    /** @returns {Promise<Figures>} */
    async 'Flame graph and sandwich'(/** @type {string} */ kind, range = '') {
        const tree = Tree.of(await document(kind, 'tree', range));
        const { fn, inclusive, exclusive, ct } = functionsOf(tree, 'wt');

        return new Map([...fn].map((index, i) => [
            tree.names[index], { incl: inclusive[i] / 1000, excl: exclusive[i] / 1000, ct: ct[i] },
        ]));
    },
    /** @returns {Promise<Figures>} */
    async 'Comparison with itself'(/** @type {string} */ kind) {
        const response = await fetch(`${site.root}api.php?get=diff&run1=${ids[kind]}&run2=${ids[kind]}&source=${kind}`);
        const { names, a } = await response.json();

        return new Map(names.map((/** @type {string} */ name, /** @type {number} */ i) => [name, { incl: a.wt[i], excl: a.excl_wt[i], ct: a.ct[i] }]));
    },
    /** @returns {Promise<Figures>} */
    async 'bin/xhprof report'(/** @type {string} */ kind) {
        const { functions } = JSON.parse(xhprof('report', '--json', '--limit=0', `--output-dir=${site.folder}`, `--source=${kind}`, ids[kind]));

        return new Map(functions.map((/** @type {any} */ row) => [row.name ?? row.fn, { incl: row.wt, excl: row.excl_wt, ct: row.ct }]));
    },
};

test('a run says how it was recorded', NEEDS, async () => {
    const recorded = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, modes[kind]]));
    assert.deepEqual(recorded, { exact: 'exact', allocations: 'alloc', sampled: 'sample', aggregate: 'aggregate', timed: 'exact' });
});

describe('figures of a function', () => {
    for (const kind of [...Object.keys(KINDS), 'imported']) {
        test(`agree in every view: ${kind}`, NEEDS, async () => {
            const [first, ...others] = await Promise.all(Object.values(VIEWS).map((view) => view(kind)));
            const names = [...first.keys()].sort();
            assert.ok(names.some((name) => name.startsWith('run_init::') && name.endsWith('/file.php')), names.join(', '));
            assert.ok(!names.includes('run_init::program/script.php'), 'the script that was started is main()');
            // The time of each call path is rounded to µs.
            const paths = Tree.of(await document(kind, 'tree')).n;
            others.forEach((view, index) => {
                const where = `${Object.keys(VIEWS)[index + 1]}, ${kind}`;
                assert.deepEqual([...view.keys()].sort(), names, where);
                for (const [name, { incl, excl, ct }] of view) {
                    const shown = /** @type {{incl: number, excl: number, ct: number}} */ (first.get(name));
                    assert.ok(Math.abs(incl - shown.incl) <= paths, `${name} inclusive ${incl}, ${shown.incl}: ${where}`);
                    assert.ok(Math.abs(excl - shown.excl) <= paths, `${name} exclusive ${excl}, ${shown.excl}: ${where}`);
                    // The edges of a sampled run have at least one call each, and the call graph does not show their number.
                    if (!['sampled', 'aggregate'].includes(kind) || !where.startsWith('Call graph')) {
                        assert.equal(ct, shown.ct, `${name} calls: ${where}`);
                    }
                }
            });
        });
    }
});

describe('figures of a range of time', () => {
    for (const [kind, timeline] of Object.entries(TIMED)) {
        test(`agree in every view: ${kind}`, NEEDS, async () => {
            const range = `&x0=${RANGE[0] / 1000}&x1=${RANGE[1] / 1000}`;
            const tree = await timeline();
            const { fn, inclusive, exclusive } = functionsOf(tree, 'wt');
            const shown = new Map([...fn].map((index, i) => [tree.names[index], { incl: inclusive[i] / 1000, excl: exclusive[i] / 1000 }]));
            const total = (RANGE[1] - RANGE[0]) / 1000;
            assert.ok(Math.abs(/** @type {any} */ (shown.get('main()')).incl - total) < (kind === 'timed' ? 1 : total / 2));
            for (const name of /** @type {const} */ (['Functions', 'Call graph', 'Flame graph and sandwich'])) {
                const view = await VIEWS[name](kind, range);
                assert.deepEqual([...view.keys()].sort(), [...shown.keys()].sort(), name);
                for (const [fn, { incl, excl }] of view) {
                    const other = /** @type {{incl: number, excl: number}} */ (shown.get(fn));
                    assert.ok(Math.abs(incl - other.incl) <= tree.n, `${fn} inclusive ${incl}, ${other.incl}: ${name}`);
                    assert.ok(Math.abs(excl - other.excl) <= tree.n, `${fn} exclusive ${excl}, ${other.excl}: ${name}`);
                }
            }
        });
    }
});

describe('what a sampled run counts are samples', () => {
    // The function that samples certainly have.
    const sel = `sel=${encodeURIComponent('run_init::program/file.php')}`;
    const views = {
        'flame graph': [`&view=flame&${sel}`, '.island .inspector dl'],
        sandwich: [`&view=sandwich&${sel}`, '.function-list tbody tr[aria-rowindex]'],
        'call graph': [`&view=graph&${sel}`, '.inspector dl'],
        timeline: [`&view=timeline&${sel}`, '.function-list tbody tr[aria-rowindex]'],
        functions: ['', '.virtual tbody tr[aria-rowindex]'],
    };
    for (const [kind, view] of ['sampled', 'aggregate'].flatMap((one) => Object.keys(views).map((name) => /** @type {const} */ ([one, name])))) {
        const [parameters, filled] = views[/** @type {keyof typeof views} */ (view)];
        test(`${view}, ${kind}`, kind === 'aggregate' && view === 'timeline' ? { skip: 'no time is kept' } : NEEDS, async () => {
            await onPage({}, async (page) => {
                await page.goto(`${site.root}index.php?run=${ids[kind]}&source=${kind}${parameters}`);
                await page.locator(filled).first().waitFor();
                const said = await page.evaluate(() => [
                    ...[...document.querySelectorAll('main th, main dt, main option, main dd, main svg title')].map((one) => one.textContent ?? ''),
                    ...[...document.querySelectorAll('main [title]')].map((one) => one.getAttribute('title') ?? ''),
                ]);
                assert.deepEqual(said.filter((text) => /^calls$|^per call|number of calls|\d calls?\b(?! path)/im.test(text)), []);
                assert.ok(view === 'call graph' || said.some((text) => /(self|total) samples/i.test(text)), 'it names its samples');
            });
        });
    }
});
