/**
 * Export and import as a user does it: every format downloaded, the HTML file opened from the disk without a server, files
 * sent by the form; and speedscope, which reads the exported files.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { AFTER, BEFORE, CORRECTED, HOSTILE, assertAccessible, assertFits, fixtures, saveRuns, shot, withSite } from './support.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const GOLDEN = join(HERE, '../../lib/golden/export');
const SPEEDSCOPE = join(dirname(createRequire(import.meta.url).resolve('speedscope/package.json')), 'dist/release/index.html');
const RUN = `index.php?run=${CORRECTED}&source=api`;

const { site, onPage } = withSite();

/**
 * @param {import('playwright-core').Page} page
 * @param {string} query of api.php?get=export
 * @param {string} name
 * @returns {Promise<string>} path of the file, kept beside the runs
 */
async function fetched(page, query, name) {
    const response = await page.request.get(`${site.root}api.php?get=export&${query}`);
    assert.equal(response.status(), 200, await response.text());
    const path = join(site.folder, name);
    writeFileSync(path, await response.body());

    return path;
}

/**
 * Opens a file from the disk; fails on any message of the browser and on any request except for files and the page's own blobs.
 *
 * @param {string} path
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page) => Promise<void>} visit
 * @param {string} [query]
 */
async function onFile(path, options, visit, query = '') {
    const context = await site.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on('request', (request) => {
        if (!/^(file|blob|data):/.test(request.url())) {
            complaints.push(`request: ${request.url()}`);
        }
    });
    try {
        await page.goto(pathToFileURL(path).href + query);
        await visit(page);
        assert.deepEqual(complaints, []);
    } finally {
        await context.close();
    }
}

/** Downloads the formats of these places in the list: a browser allows a page ten downloads. */
const downloads = async (from, to) => {
    const names = [];
    await onPage({ acceptDownloads: true }, async (page) => {
        await page.goto(`${site.root}${RUN}&view=export`);
        const links = page.locator('table.formats th a');
        for (let index = from, count = await links.count(); index < Math.min(to, count); index++) {
            const [download] = await Promise.all([page.waitForEvent('download'), links.nth(index).click()]);
            const path = await download.path();
            assert.ok(readFileSync(path).length > 200, download.suggestedFilename());
            names.push(download.suggestedFilename());
        }
    });
    return names;
};

test('each format is downloaded from the page, under a name of its own', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}${RUN}&view=export`);
        await assertAccessible(page);
        await assertFits(page);
        await shot(page, 'export');
    });
    const id = `${CORRECTED}.api`;
    assert.deepEqual([...await downloads(0, 6), ...await downloads(6, Infinity)], [
        'html', 'speedscope.json', 'pb.gz', 'otlp.pb', 'callgrind.out', 'folded.txt', 'trace.json', 'csv', 'run.json', 'xhprof', 'dot',
    ].map((extension) => `${id}.${extension}`));
});

test('a run without call paths offers what needs none', () => onPage({}, async (page) => {
    await page.goto(`${site.root}index.php?run=${BEFORE}&source=shop&view=export`);
    assert.deepEqual(await page.locator('tr.absent th').allInnerTexts(), ['speedscope', 'pprof', 'OpenTelemetry', 'Folded stacks', 'Chrome trace']);
    assert.match(await page.locator('.note').innerText(), /no call paths/);
    await assertAccessible(page);
}));

test('the HTML file works from the disk: table, filter, inspector, flame graph, sandwich', async () => {
    let path = '';
    await onPage({}, async (page) => {
        path = await fetched(page, `format=html&run=${CORRECTED}&source=api`, 'run.html');
    });
    await onFile(path, {}, async (page) => {
        const first = page.locator('.virtual tbody th').first();
        await first.waitFor();
        assert.equal(await first.innerText(), 'strlen', 'by its own time');
        await page.getByRole('link', { name: 'Calls' }).click();
        assert.equal(await page.locator('.virtual th[aria-sort=descending]').innerText(), 'Calls ▼');
        const calls = (await page.locator('.virtual tbody:not(.spacer) td:nth-child(2)').allInnerTexts()).map((text) => Number(text.replaceAll(/\s/g, '')));
        assert.deepEqual(calls, [...calls].sort((a, b) => b - a));
        await page.keyboard.press('/');
        await page.keyboard.type('strlen');
        await page.locator('.count q', { hasText: 'strlen' }).waitFor();
        assert.ok((await page.locator('.virtual tbody:not(.spacer) th').allInnerTexts()).every((name) => name.includes('strlen')));
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        await page.locator('.virtual tbody th a').first().click();
        await page.waitForURL(/[?&]sel=/);
        await page.locator('[data-pane=functions] .inspector h2').waitFor();
        await shot(page, 'standalone-functions');
        await assertAccessible(page);
        await page.getByRole('link', { name: 'Clear the filter' }).click();
        await page.keyboard.press('p');
        await page.locator('.call-tree tbody td.num').first().waitFor();
        await page.fill('input[name=q]', '/^str(len)$/');
        await page.locator('.call-tree tr.found').first().waitFor();
        await assertAccessible(page);
        await page.fill('input[name=q]', '');
        await page.keyboard.press('Escape');
        await page.keyboard.press('f');
        await page.getByText(/^1 501 frames, \d+ levels$/).waitFor();
        await untilPainted(page, '[data-pane=flame] canvas');
        await shot(page, 'standalone-flame');
        await assertAccessible(page);
        await page.keyboard.press('s');
        await page.getByText(/on \d+ call paths?$/).waitFor();
        await shot(page, 'standalone-sandwich');
        await page.goBack();
        await page.locator('[data-pane=flame]').waitFor({ state: 'visible' });
        await page.reload();
        await page.getByText(/^1 501 frames/).waitFor();
    });
    await onFile(path, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, async (page) => {
        await page.locator('.virtual').waitFor();
        await assertFits(page);
        await assertAccessible(page);
    });
    await onFile(path, { javaScriptEnabled: false }, async (page) => {
        assert.equal(await page.locator('table.functions tbody tr').count(), 100);
        assert.equal(await page.locator('nav.tabs').isVisible(), false);
        assert.match(await page.locator('.count').first().innerText(), /^Top 100 of 133 rows; JavaScript/);
        await shot(page, 'standalone-no-script');
    });
});

test('the HTML file has the timeline of calls, or of samples', async () => {
    const evil = '</script><img src=x onerror=alert(1)>';
    const tree = {
        v: 1, kind: 'tree', n: 3, names: ['main()', evil, 'work'], fn: [0, 1, 2], depth: [0, 1, 1], ct: [1, 2, 1], self: { wt: [2e8, 4e8, 4e8] },
    };
    const timeline = {
        v: 1, kind: 'timeline', duration: 1e9, asked_threshold: 0, threshold: 0, t: [0, 300e6, 800e6], d: [200e6, 400e6, 200e6], node: [1, 2, 1],
        spans: { t: [300e6], d: [300e6], name: [1] },
    };
    const samples = { v: 1, kind: 'samples', interval_us: 1000, start_us: 1e15, t: [0, 200], n: [200, 800], node: [1, 2] };
    const shown = { timed: /^1\.00 s, 3 calls$/, drawn: /^1\.00 s, 1 000 samples$/ };
    for (const [id, documents] of Object.entries({ timed: { timeline }, drawn: { samples } })) {
        saveRuns(site.folder, [{ id, source: 'shop', documents: { tree, ...documents } }]);
        let path = '';
        await onPage({}, async (page) => {
            path = await fetched(page, `format=html&run=${id}&source=shop`, `${id}.html`);
        });
        await onFile(path, {}, async (page) => {
            await page.locator('.virtual').waitFor();
            await page.keyboard.press('l');
            const status = page.locator('[data-pane=timeline] .flame-status');
            await status.filter({ hasText: shown[id] }).waitFor();
            assert.ok((await page.locator('[data-pane=timeline] .function-list').innerText()).includes(evil));
            await untilPainted(page, '[data-pane=timeline] canvas.flame-canvas');
            await assertAccessible(page);
            const ruler = await page.locator('.timeline-tracks').boundingBox();
            await page.mouse.move(ruler.x + ruler.width * 0.4, ruler.y + 8);
            await page.mouse.down();
            await page.mouse.move(ruler.x + ruler.width * 0.6, ruler.y + 8, { steps: 3 });
            await page.mouse.up();
            await status.filter({ hasText: / of 1\.00 s, / }).waitFor();
            await page.locator('[data-pane=timeline] .function-list tbody:not(.spacer) th', { hasText: 'work' }).waitFor();
            assert.equal(await page.locator('[data-pane=timeline] .function-list tbody:not(.spacer) th', { hasText: 'onerror' }).count(), 0);
            await shot(page, `standalone-timeline-${id}`);
            await page.keyboard.press('f');
            await page.getByText(/^3 frames/).waitFor();
        });
    }
});

test('a finding that is clicked in the HTML file is lit in its pictures', async () => {
    const tree = {
        v: 1, kind: 'tree', names: ['main()', '<b>list', 'book', 'PDOStatement::execute', 'other'], fn: [0, 1, 2, 3, 4, 3],
        depth: [0, 1, 2, 3, 1, 2], ct: [1, 1, 150, 150, 1, 3], self: { wt: [1e6, 1e6, 5e6, 8e6, 98e7, 5e6] },
    };
    const [t, d, node] = [[0], [15e6], [1]];
    for (let i = 0; i < 150; i++) {
        t.push(i * 1e5, i * 1e5 + 20000);
        d.push(90000, 50000);
        node.push(2, 3);
    }
    t.push(15e6, 920e6);
    d.push(984e6, 100000);
    node.push(4, 5);
    saveRuns(site.folder, [{ id: 'found', source: 'shop', documents: { tree, timeline: { v: 1, kind: 'timeline', duration: 1e9, asked_threshold: 0, threshold: 0, t, d, node } } }]);
    let path = '';
    await onPage({}, async (page) => {
        path = await fetched(page, 'format=html&run=found&source=shop', 'found.html');
    });
    for (const options of [{}, { viewport: { width: 390, height: 800 }, colorScheme: 'dark' }]) {
        await onFile(path, options, async (page) => {
            await page.locator('.virtual').waitFor();
            await page.locator('.findings li', { hasText: '150 queries' }).locator('a.lit-link').click();
            const note = page.locator('.lit-note:visible');
            await note.waitFor();
            assert.match(await note.innerText(), /^150 queries.*, <b>list: its calls are lit\. Turn the light off$/);
            await page.getByRole('button', { name: 'Zoom to what is lit' }).waitFor();
            assert.match(page.url(), /view=timeline.*lit=n-plus-one-[0-9a-f]{8}|lit=n-plus-one-[0-9a-f]{8}.*view=timeline/);
            await assertAccessible(page);
            await assertFits(page);
            await shot(page, `standalone-lit-${options.colorScheme ?? 'light'}`);
            await page.keyboard.press('f');
            await page.getByText(/^1 frame is lit, 150 calls: 8\.00 ms/).waitFor();
            await page.getByRole('button', { name: 'Turn the light off' }).click();
            await page.getByText(/^6 frames/).waitFor();
            assert.equal(await page.locator('.lit-note:visible').count(), 0);
        });
    }
});

test('names that attack the HTML file are text in it', async () => {
    let path = '';
    await onPage({}, async (page) => {
        path = await fetched(page, `format=html&run=${HOSTILE}&source=hostile`, 'hostile.html');
    });
    await onFile(path, {}, async (page) => {
        await page.locator('.virtual').waitFor();
        assert.ok((await page.locator('.virtual').innerText()).includes('<script>alert(1)</script>'));
        assert.equal(await page.locator('[data-tab]').count(), 0);
    });
});

/**
 * Opens each view of a file, and checks what each looks like.
 *
 * @param {string} path
 * @param {string} name of screenshots
 */
async function everyView(path, name) {
    for (const [look, options] of /** @type {[string, import('playwright-core').BrowserContextOptions][]} */ ([
        ['light', {}], ['dark', { colorScheme: 'dark' }], ['phone', { viewport: { width: 390, height: 844 } }],
    ])) {
        await onFile(path, { ...options, offline: true }, async (page) => {
            for (const tab of await page.locator('[data-tab]').all()) {
                await tab.click();
                await page.locator(`[data-pane="${await tab.getAttribute('data-tab')}"]`).waitFor({ state: 'visible' });
                await page.waitForFunction(() => document.querySelector('[aria-busy]') === null);
                assert.equal(await page.locator('[data-pane]:visible').count(), 1);
                assert.equal(await page.locator('.warning.failed:visible, #problem:visible').count(), 0);
                await assertAccessible(page);
                await assertFits(page);
                await shot(page, `${name}-${await tab.getAttribute('data-tab')}-${look}`);
            }
        });
    }
    await onFile(path, { javaScriptEnabled: false, offline: true }, async (page) => {
        assert.ok(await page.locator('table:visible').count() > 0);
        assert.equal(await page.locator('nav.tabs[data-live]').isVisible(), false);
        await assertFits(page);
    });
}

test('the file of a comparison has functions, call tree, flame graph, sandwich and operations, without a network', async () => {
    const tree = (/** @type {number} */ wt) => ({
        v: 1, kind: 'tree', n: 2, names: ['main()', 'PDO::query'], fn: [0, 1], depth: [0, 1], ct: [1, 4], self: { wt: [2e6, wt], cpu: [2e6, 1e6] },
    });
    const operations = (/** @type {string} */ text, /** @type {number} */ total) => ({
        lost: 0, kinds: ['sql'], texts: [text], kind_of_text: [0], distinct_of_text: [1], text: [0], node: [1], ct: [1], total: [total], max: [total],
        distinct: [1], bounds: [0, 1000], bucket: { row: [], number: [], ct: [] },
    });
    saveRuns(site.folder, [
        { id: 'c0a', source: 'both', documents: { tree: tree(5e6), operations: operations('SELECT old', 4e6) } },
        { id: 'c0b', source: 'both', documents: { tree: tree(9e7), operations: operations('SELECT "</script><b>new', 8e7) } },
    ]);
    let path = '';
    await onPage({}, async (page) => {
        path = await fetched(page, 'format=html&run1=c0a&run2=c0b&source=both', 'both.html');
    });
    await onFile(path, { offline: true }, async (page) => {
        await page.locator('.virtual tbody th').first().waitFor();
        await page.keyboard.press('w');
        const rows = page.locator('[data-pane=operations] tbody tr');
        assert.match(await rows.nth(0).innerText(), /SELECT "<\/script><b>new\s+new/);
        assert.match(await rows.nth(1).innerText(), /SELECT old\s+gone/);
        await page.keyboard.press('f');
        await page.getByText(/^All: ▲ \+85\.0 ms/).waitFor();
        await untilPainted(page, '[data-pane=flame] canvas');
        assert.equal(await page.locator('[data-pane=flame] .legend-colours span, [data-pane=flame] .legend span').filter({ hasText: /^$/ }).count(), 0);
        await page.keyboard.press('p');
        await page.locator('[data-pane=calltree] .call-tree tr', { hasText: 'PDO::query' }).locator('.fn').click();
        assert.match(await page.locator('[data-pane=calltree] .call-tree tr[aria-selected=true]').innerText(), /PDO::query\s+5\.00 ms\s+90\.0 ms\s+▲ \+85\.0 ms/);
        await page.keyboard.press('s');
        await page.locator('[data-pane=sandwich] .filling', { hasText: /PDO::query total 5\.00 ms → 90\.0 ms/ }).waitFor();
        await untilPainted(page, '[data-pane=sandwich] canvas');
    });
    await everyView(path, 'standalone-both');
});

test('the file of a heap snapshot has its views, and a treemap that opens, without a network', async () => {
    const folder = mkdtempSync(join(site.folder, 'heap-'));
    fixtures(folder, 'heap');
    for (const name of ['worker-after', 'hostile']) {
        const path = join(folder, `${name}.html`);
        execFileSync(process.env.PHP_BINARY ?? 'php', [
            join(HERE, '../../../bin/xhprof'), 'heap', 'export', join(folder, `${name}.heap.jsonl`), '--format=html', `--output=${path}`,
        ], { stdio: 'pipe' });
        await everyView(path, `standalone-heap-${name}`);
    }
    await onFile(join(folder, 'worker-after.html'), { offline: true }, async (page) => {
        await page.locator('.treemap canvas').waitFor();
        await page.locator('details.twin summary').filter({ hasText: 'What holds the most' }).click();
        await page.locator('[data-holders-table] a').first().click();
        await page.waitForURL(/[?&]at=0x/);
        await page.locator('.treemap-path [aria-current=location]').filter({ hasNotText: 'The heap' }).waitFor();
    });
});

test('the page of a run shares it: a file, and Markdown that is copied', () => onPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await page.goto(`${site.root}${RUN}`);
    await page.keyboard.press('S');
    await page.locator('.share-menu[open]').waitFor();
    await assertAccessible(page);
    await shot(page, 'share');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'One HTML file' }).click()]);
    assert.equal(download.suggestedFilename(), `${CORRECTED}.api.html`);
    await page.keyboard.press('S');
    await page.getByRole('link', { name: 'Markdown' }).click();
    await page.getByText('Markdown copied').waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^### Run /);
    await page.keyboard.press('S');
    await page.locator('.share-menu[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.share-menu:not([open])').waitFor();
}));

test('a comparison as CSV', () => onPage({}, async (page) => {
    const path = await fetched(page, `format=csv&run1=${BEFORE}&run2=${AFTER}&source=shop`, 'diff.csv');
    const lines = readFileSync(path, 'utf8').split('\r\n');
    assert.match(lines[0] ?? '', /^function,status,ct_before,ct_after,ct_change,ct_noise,wt_us_before,/);
    assert.ok(lines.some((line) => /^Monolog\\Logger::formatRecord,new,0,\d+,/.test(line)));
}));

test('a file sent by the form becomes a run', () => onPage({}, async (page) => {
    await page.goto(`${site.root}index.php?view=import`);
    await assertAccessible(page);
    await shot(page, 'import');
    await page.locator('input[type=file]').setInputFiles(join(GOLDEN, 'small.speedscope.json'));
    await page.getByLabel('Source of the new runs').fill('from-a-test');
    await page.getByRole('button', { name: 'Import' }).click();
    await page.waitForURL(/run=[0-9a-f]{32}&source=from-a-test/);
    assert.match(await page.locator('h1').innerText(), /orders:close/);
    assert.match(await page.locator('.tiles').innerText(), /1\.08 ms/);
    await page.keyboard.press('f');
    await page.getByText(/^9 frames/).waitFor();
}));

test('records that fail are reported, the others become runs; without JavaScript too', () => onPage({ javaScriptEnabled: false }, async (page) => {
    const edges = { 'main()': { ct: 1, wt: 7 }, 'main()==>f': { ct: 1, wt: 3 } };
    const lines = [{ profile: edges, meta: { url: '/a' } }, { profile: edges, meta: { url: '/b' } }, { profile: 3 }];
    const file = { name: 'xhgui.jsonl', mimeType: 'application/json', buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')) };
    await page.goto(`${site.root}index.php?view=import`);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Import' }).click();
    assert.equal(await page.locator('#outcome').innerText(), '2 runs imported, 1 record failed');
    assert.equal(await page.locator('.failed').innerText(), 'line 3: it has no profile');
    await page.locator('.outcome a').first().click();
    assert.match(await page.locator('h1').innerText(), /\/a/);
}));

test('what is no profile is refused with a reason', () => onPage({}, async (page) => {
    await page.goto(`${site.root}index.php?view=import`);
    await page.locator('input[type=file]').setInputFiles({ name: '<b>.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG\0') });
    await page.getByRole('button', { name: 'Import' }).click();
    assert.match(await page.locator('[role=alert]').innerText(), /^This file cannot be imported: the content is not in a known format/);
    await assertAccessible(page);
}, 400));

test('speedscope reads what is written, with the same figures', async () => {
    const context = await site.browser.newContext({ viewport: { width: 1280, height: 800 } });
    try {
        const figures = [
            ['small.speedscope.json', ['1.08ms (100%)', '250.00µs (23%)', 'App\\Shop::order', '676.00µs (63%)', '350.13µs (33%)']],
            ['small.callgrind.out', ['1,076,000 (100%)', 'App\\Shop::order', '676,000 (63%)', '280,500 (26%)']],
            ['small.folded.txt', ['1,076,000', 'App\\Shop::order', '676,000 (63%)', '280,500 (26%)']],
            ['small.pb.gz', ['1.08ms (100%)', 'App\\Shop::order', '676.00µs (63%)', '350.13µs (33%)']],
            ['small.trace.json', ['1.08ms (100%)', 'App\\Shop::order', '676.00µs (63%)', '250.00µs (23%)']],
            ['sampled.speedscope.json', ['500.00ms (100%)', '300.00ms (60%)', '200.00ms (40%)']],
            ['hostile.speedscope.json', ['(12) fn=x calls=3', '</script>', 'bad\\xFF\\xC3(utf-8', 'semi;colon']],
        ];
        for (const [file, expected] of /** @type {[string, string[]][]} */ (figures)) {
            const page = await context.newPage();
            await page.goto(pathToFileURL(SPEEDSCOPE).href);
            const golden = readFileSync(join(GOLDEN, file.replace(/\.gz$/, '')));
            const buffer = file.endsWith('.gz') ? gzipSync(golden) : golden;
            await page.locator('input[type=file]').setInputFiles({ name: file, mimeType: 'application/octet-stream', buffer });
            await page.getByText('Sandwich').click();
            // It draws the names of columns before the rows. A figure that does not come is named below.
            await page.waitForFunction((figures) => figures.every((figure) => document.body.innerText.includes(figure)), expected)
                .catch(() => {});
            const text = await page.locator('body').innerText();
            for (const figure of expected) {
                assert.ok(text.includes(figure), `${file}: ${figure} is not in ${text}`);
            }
            await page.close();
        }
    } finally {
        await context.close();
    }
});

/**
 * Waits until a canvas shows more than one colour: a picture is drawn in the frame after the one that has its figures.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} selector of canvases
 */
async function untilPainted(page, selector) {
    await page.waitForFunction((name) => [...document.querySelectorAll(name)].some((canvas) => {
        const context = /** @type {HTMLCanvasElement} */ (canvas).getContext('2d');
        const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
        const pixels = new Set(new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(0)));

        return pixels.size > 3;
    }), selector);
}
