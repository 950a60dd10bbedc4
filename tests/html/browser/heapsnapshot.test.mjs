/**
 * Heap snapshots for Chrome's DevTools, read by the code of DevTools itself: Chromium serves it beside its debugging port.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { PHP } from './support.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const GOLDEN = join(HERE, '../../../extension/tests/unit/golden');
const BUILT = join(HERE, '../../../extension/modules/xhprof.so');
const XHPROF = join(HERE, '../../../bin/xhprof');
const WORKER = '/devtools/entrypoints/heap_snapshot_worker/heap_snapshot_worker.js';

const folder = mkdtempSync(join(tmpdir(), 'xhprof-devtools-'));
/** @type {import('node:child_process').ChildProcess | undefined} */
let program;
/** @type {import('playwright-core').Browser | undefined} */
let browser;
/** @type {import('playwright-core').Page} */
let page;
/** The reason why DevTools cannot be used, or ''. */
let missing = '';

before(async () => {
    program = spawn(process.env.CHROMIUM ?? '/usr/bin/chromium', [
        '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync', '--remote-debugging-port=0', `--user-data-dir=${folder}/profile`,
        'about:blank',
    ], { stdio: ['ignore', 'ignore', 'pipe'] });
    const port = await new Promise((resolve, reject) => {
        let text = '';
        program?.on('error', reject);
        program?.on('exit', () => reject(new Error(`Chromium has ended: ${text}`)));
        program?.stderr?.on('data', (part) => {
            text += part;
            const match = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(text);
            if (match !== null) {
                resolve(match[1]);
            }
        });
    });
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    page = await (browser.contexts()[0] ?? await browser.newContext()).newPage();
    await page.goto(`http://127.0.0.1:${port}/json/version`);
    const found = await page.evaluate(async (url) => {
        try {
            const worker = await import(url);
            return typeof worker.HeapSnapshotLoader?.HeapSnapshotLoader === 'function'
                && typeof worker.HeapSnapshot?.SecondaryInitManager === 'function';
        } catch {
            return false;
        }
    }, WORKER);
    missing = found ? '' : 'this Chromium has no DevTools, or others';
});

after(async () => {
    const ended = program === undefined ? undefined : new Promise((resolve) => program?.once('exit', resolve));
    // A request ends it with all of its processes, which write into the folder.
    await browser?.newBrowserCDPSession().then((session) => session.send('Browser.close')).catch(() => program?.kill('SIGKILL'));
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

/**
 * Converts the lines of a heap snapshot to the format of DevTools.
 *
 * @param {string} lines
 * @returns {string}
 */
function exported(lines) {
    const path = join(folder, 'exported.heapsnapshot');
    execFileSync(PHP, [XHPROF, 'heap', 'export', lines, '-f', 'heapsnapshot', '-q', '-o', path], {
        stdio: 'inherit', env: { ...process.env, XDG_CACHE_HOME: folder },
    });
    return readFileSync(path, 'utf8');
}

/**
 * A snapshot as read by DevTools.
 *
 * @param {string} text
 * @returns {Promise<any>}
 */
function load(text) {
    return page.evaluate(async ({ url, text }) => {
        const { HeapSnapshotLoader, HeapSnapshot } = await import(url);
        const warnings = [];
        const warn = console.warn;
        console.warn = (...what) => warnings.push(what.join(' '));
        const loader = new HeapSnapshotLoader.HeapSnapshotLoader({ sendEvent() {} });
        for (let at = 0; at < text.length; at += 100_000) {
            loader.write(text.slice(at, at + 100_000));
        }
        loader.close();
        const channel = new MessageChannel();
        const second = new HeapSnapshot.SecondaryInitManager(channel.port2);
        const snapshot = await loader.buildSnapshot(channel.port1);
        const aggregates = snapshot.getAggregatesByClassKey(false, 'all');
        const classes = {};
        for (const one of Object.values(aggregates)) {
            classes[one.name] = { count: one.count, self: one.self, retained: one.maxRet };
        }
        const root = snapshot.rootNode();
        const names = [];
        for (const edges = root.edges(); edges.hasNext(); edges.next()) {
            names.push(edges.edge.node().rawName());
        }
        console.warn = warn;
        void second;
        return {
            total: snapshot.totalSize, nodes: snapshot.nodeCount, retained: root.retainedSize(), statistics: snapshot.getStatistics(),
            classes, names, warnings,
        };
    }, { url: WORKER, text });
}

/**
 * Checks the invariants of every such file.
 *
 * @param {string} text
 */
function check(text) {
    const file = JSON.parse(text);
    const { meta, node_count: nodes, edge_count: edges } = file.snapshot;
    const [width, span] = [meta.node_fields.length, meta.edge_fields.length];
    assert.equal(file.nodes.length, nodes * width);
    assert.equal(file.edges.length, edges * span);
    const of = (/** @type {string} */ name) => meta.node_fields.indexOf(name);
    let edge = 0;
    const ids = new Set();
    for (let node = 0; node < nodes; node++) {
        const at = (/** @type {string} */ name) => file.nodes[node * width + of(name)];
        assert.ok(at('type') < meta.node_types[0].length && at('name') < file.strings.length && at('self_size') >= 0);
        assert.ok(at('id') > 0 && at('id') < 2 ** 32 && at('trace_node_id') === 0 && at('detachedness') === 0);
        ids.add(at('id'));
        edge += at('edge_count');
    }
    assert.equal(edge, edges, 'edges are in the order of their nodes');
    assert.equal(ids.size, nodes, 'no id twice');
    for (let i = 0; i < edges; i++) {
        const [type, name, to] = file.edges.slice(i * span, i * span + span);
        const kind = meta.edge_types[0][type];
        assert.ok(kind === 'element' || kind === 'hidden' ? name < 2 ** 31 : name < file.strings.length, kind);
        assert.ok(to % width === 0 && to / width < nodes);
    }
    assert.ok(file.strings.every((/** @type {unknown} */ one) => typeof one === 'string'));
    for (const empty of ['trace_function_infos', 'trace_tree', 'samples', 'locations']) {
        assert.deepEqual(file[empty], []);
    }
    return file;
}

test('a small heap, made by hand', async (t) => {
    const text = exported(join(GOLDEN, 'heap.jsonl'));
    const file = check(text);
    const sizes = file.nodes.filter((/** @type {number} */ _, /** @type {number} */ i) => i % 7 === 3);
    const total = sizes.reduce((/** @type {number} */ sum, /** @type {number} */ one) => sum + one, 0);
    if (missing !== '') {
        t.skip(missing);
        return;
    }
    const seen = await load(text);
    assert.equal(seen.total, total);
    assert.equal(seen.retained, total, 'the root holds all');
    assert.equal(seen.nodes, file.snapshot.node_count);
    assert.deepEqual(seen.warnings, []);
    assert.equal(seen.classes.Foo.count, 1);
    assert.equal(seen.classes.Node.count, 2);
    assert.equal(seen.classes.Node.retained, 112, 'a cycle that only the list of objects refers to');
    assert.equal(seen.statistics.total, total);
});

test('a heap without values', () => {
    check(exported(join(GOLDEN, 'heap.redacted.jsonl')));
});

test('a program\'s heap', async (t) => {
    const loaded = execFileSync(PHP, ['-r', 'echo (int) function_exists("xhprof_heap_snapshot");'], { encoding: 'utf8' }) === '1';
    if (missing !== '' || (!loaded && !existsSync(BUILT))) {
        t.skip(missing || 'the extension is neither loaded nor built');
        return;
    }
    const options = loaded ? [] : ['-d', `extension=${BUILT}`];
    const path = join(folder, 'program.heap.jsonl');
    execFileSync(PHP, [...options, join(HERE, '../../lib/Support/heap-program.php'), path], { stdio: 'inherit' });
    const text = exported(path);
    const file = check(text);
    const seen = await load(text);
    assert.deepEqual(seen.warnings, []);
    assert.equal(seen.nodes, file.snapshot.node_count);
    assert.equal(seen.retained, seen.total);
    assert.equal(seen.classes['App\\Item'].count, 620);
    // The list of 600 is held by its first one, whose shallow size DevTools take to be the object's.
    assert.ok(seen.classes['App\\Item'].retained >= 620 * 96, JSON.stringify(seen.classes['App\\Item']));
    assert.ok(seen.names.includes('call_frames') && seen.names.includes('(GC roots)'), seen.names.join());
    assert.ok(seen.statistics.v8heap.jsArrays > 8192 * 16, JSON.stringify(seen.statistics));
});
