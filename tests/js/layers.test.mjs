/** tools/lint/js-layers.mjs finds every way in which a module uses a room above its own, and nothing else. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const LINT = fileURLToPath(new URL('../../tools/lint/js-layers.mjs', import.meta.url));

/** @param {...string} folder @returns {{ status: number | null, lines: string[] }} */
function run(...folder) {
    const { status, stdout } = spawnSync(process.execPath, [LINT, ...folder], { encoding: 'utf8' });

    return { status, lines: stdout.split('\n').filter((line) => line !== '') };
}

/**
 * @param {Record<string, string>} modules by path
 * @returns {string[]} offences, without those of the list itself: few of its entries are used here
 */
function offences(modules) {
    const folder = mkdtempSync(join(tmpdir(), 'xhprof-js-layers-'));
    try {
        for (const [path, source] of Object.entries(modules)) {
            mkdirSync(dirname(join(folder, path)), { recursive: true });
            writeFileSync(join(folder, path), source);
        }
        const { status, lines } = run(folder);
        assert.equal(status, 1);

        return lines.filter((line) => !/^tools\/lint\/js-layers\.mjs: .* any more/.test(line)).map((line) => line.replace(`${folder}/`, ''));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

test('the modules of the pages keep their layers', () => {
    assert.deepEqual(run(), { status: 0, lines: [] });
});

test('uses of rooms below and of the same room pass', () => {
    assert.deepEqual(offences({
        'app.js': "import { a } from './core/a.js';\n",
        'graph/a.js': "import { b } from './b.js';\nimport V from '../../vendor/v/v.js';\n/** @type {import('../profile/tree.js').Tree} */\nexport const path = 'pages/a.js';\n",
        'paths/a.js': "import { a } from '../flame/a.js';\nnew Worker(new URL('../paths/b.js', import.meta.url), { type: 'module' });\n",
    }), []);
});

test('uses of rooms above, and beside, are offences: imports now and later, types, workers', () => {
    assert.deepEqual(offences({
        'core/a.js': "import V from '../../vendor/v/v.js';\nexport { b } from '../app.js';\n",
        'flame/a.js': "import {\n    a,\n} from '../paths/a.js';\n/** @param {import('../paths/b.js').B} b */\n"
            + "import '../paths/c.js';\nvoid import('../pages/d.js');\nnew Worker(new URL('../timeline/worker.js', import.meta.url), { type: 'module' });\n",
        'heap/a.js': "import { a } from '../graph/a.js';\n",
        'table/deep/a.js': "import { a } from '../../compare/a.js';\n",
    }), [
        'core/a.js:1: core must not use ../vendor/v/v.js',
        'core/a.js:2: core must not use app.js',
        'flame/a.js:3: flame must not use paths/a.js',
        'flame/a.js:4: flame must not use paths/b.js',
        'flame/a.js:5: flame must not use paths/c.js',
        'flame/a.js:6: flame must not use pages/d.js',
        'flame/a.js:7: flame must not use timeline/worker.js',
        'heap/a.js:1: heap must not use graph/a.js',
        'table/deep/a.js:1: table must not use compare/a.js',
    ]);
});

test('a folder without a line is an offence, and so is a line that nothing needs', () => {
    assert.deepEqual(offences({ 'nowhere/a.js': '' }), ['nowhere/a.js: tools/lint/js-layers.mjs does not know this folder']);
    const folder = mkdtempSync(join(tmpdir(), 'xhprof-js-layers-'));
    const { lines } = run(folder);
    rmSync(folder, { recursive: true });
    assert.ok(lines.includes('tools/lint/js-layers.mjs: compare does not use table any more: take it from the list'));
});

test('the map of the modules has the rooms in the order of the lint', () => {
    const map = readFileSync(new URL('../../xhprof_html/assets/js/README.md', import.meta.url), 'utf8');
    const rooms = [...map.slice(map.indexOf('## Rooms'), map.indexOf('## Workers')).matchAll(/^\| `(?:\.\.\/)?([\w.]+)` \|/mg)].map(([, room]) => room);
    const list = [...readFileSync(LINT, 'utf8').matchAll(/^    (?:\[?(\w+)\]?): \[/mg)].map(([, room]) => (room === 'TOP' ? 'app.js' : room));
    assert.deepEqual(rooms, list);
    assert.ok(rooms.length > 10);
});
