/** Pictures of call paths, as people use them: flame graph, sandwich, timeline, flame graph of a comparison. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runFile } from '../../js/support.mjs';
import { assertAccessible, assertFits, saveRuns, shot, withSite } from './support.mjs';

const [ONE, TWO, SAMPLED, MEMORY] = ['1', '2', '3', '4'].map((digit) => `f${digit.repeat(31)}`);
const FLAME = `index.php?run=${ONE}&source=shop&view=flame`;
const SANDWICH = `index.php?run=${ONE}&source=shop&view=sandwich`;
const TIMELINE = `index.php?run=${SAMPLED}&source=worker&view=timeline`;
const DIFF = `index.php?run1=${ONE}&run2=${TWO}&source=shop&view=flame`;

/** main() 100 ms > App\Kernel::handle 90 > (Db\Pdo::query 40 > wait 10, App\View::render 30 > App\View::render 20), strlen 5 */
const TREE = {
    v: 1, kind: 'tree', order: 'preorder', n: 7,
    names: ['main()', 'App\\Kernel::handle', 'Db\\Pdo::query', 'wait', 'App\\View::render', 'strlen'],
    fn: [0, 1, 2, 3, 4, 4, 5], depth: [0, 1, 2, 3, 2, 3, 1], ct: [1, 1, 4, 4, 2, 6, 10],
    self: { wt: [5, 20, 30, 10, 10, 20, 5].map((ms) => ms * 1e6), cpu: [5, 20, 3, 0, 10, 20, 5].map((ms) => ms * 1e6) },
};
/** The same where queries take twice as long, wait is gone and a function is new. */
const SLOWER = {
    ...TREE, names: [...TREE.names.slice(0, 3), 'App\\Cache::get', ...TREE.names.slice(4)],
    self: { wt: [5, 20, 60, 10, 10, 12, 5].map((ms) => ms * 1e6), cpu: [5, 20, 33, 0, 10, 12, 5].map((ms) => ms * 1e6) },
};
/** Samples every 10 ms: half a second of one function, then of another. */
const samples = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [
    (1763680000 + i / 100).toFixed(6), i < 50 ? 'main()==>App\\Job::load==>fread' : 'main()==>App\\Job::run',
]));
const freed = { ...TREE, self: { wt: TREE.self.wt, mu: [100, 2000, 500, -300, 4000, -1200, 0] } };

/** @param {string} folder */
function runs(folder) {
    const made = [
        { id: ONE, source: 'shop', tree: TREE }, { id: TWO, source: 'shop', tree: SLOWER },
        { id: MEMORY, source: 'shop', tree: freed }, { id: SAMPLED, source: 'worker', samples },
    ];
    saveRuns(folder, made);
}

const { site, onPage } = withSite({ runs });

/**
 * @param {import('playwright-core').Page} page
 * @param {string} url
 */
async function open(page, url) {
    await page.goto(site.root + url);
    await painted(page);
}

/**
 * Waits until the picture has been drawn and nothing is loading.
 *
 * @param {import('playwright-core').Page} page
 */
async function painted(page) {
    await page.evaluate(async () => {
        const until = performance.now() + 20000;
        let still = 0;
        while (still < 4 && performance.now() < until) {
            const drawn = performance.getEntriesByName('flame-draw').length;
            await new Promise((resolve) => setTimeout(resolve, 60));
            const same = drawn > 0 && drawn === performance.getEntriesByName('flame-draw').length;
            still = same && document.querySelector('.busy') === null ? still + 1 : 0;
        }
    });
}

/**
 * A point of the canvas in the given frame: part of the width, and level from the top.
 *
 * @param {import('playwright-core').Page} page
 * @param {number} part
 * @param {number} level
 * @param {number} [nth] of the canvases
 */
async function point(page, part, level, nth = 0) {
    const box = await page.locator('.flame-canvas').nth(nth).boundingBox();
    assert.ok(box !== null);

    return { x: box.x + box.width * part, y: box.y + level * 18 + 9 };
}

/**
 * @param {import('playwright-core').Page} page
 * @param {any} tree that the server answers with
 */
const sendTree = (page, tree) => page.route('**/api.php?get=columns*', (route) => route.fulfill({
    contentType: 'application/octet-stream', body: Buffer.from(runFile({ tree })),
}));

/** @param {import('playwright-core').Page} page */
const pixels = (page, nth = 0) => page.locator('.flame-canvas').nth(nth).evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL());
const text = (page, selector) => page.locator(selector).first().innerText();
const query = (page) => Object.fromEntries(new URL(page.url()).searchParams);

describe('while the call paths are on their way', () => {
    for (const [name, path] of Object.entries({
        flame: FLAME, sandwich: SANDWICH, 'call tree': FLAME.replace('flame', 'calltree'), comparison: DIFF,
    })) {
        test(`${name}: the metric is there, and no other appears then`, () => onPage({}, async (page) => {
            /** @type {() => void} */
            let go = () => undefined;
            const held = new Promise((resolve) => { go = () => resolve(undefined); });
            await page.route(/get=columns/, async (route) => {
                await held;
                await route.continue();
            });
            await page.goto(`${site.root}${path}&metric=cpu`);
            await page.locator('.busy', { hasText: 'Loading the call tree' }).waitFor();
            const metric = page.getByLabel('Metric');
            const shown = async () => [await metric.inputValue(), await metric.locator('option').allTextContents()];
            const before = await shown();
            const parts = name === 'comparison' ? [] : ['On CPU', 'Waiting', 'Not running'];
            assert.deepEqual(before, ['cpu', ['Wall time', 'CPU time', ...parts, 'Calls']]);
            go();
            await page.locator('.busy').waitFor({ state: 'detached' });
            assert.deepEqual(await shown(), before);
        }));
    }

    test('the bar knows its end, also of what is compressed on its way', () => onPage({}, async (page) => {
        await page.goto(site.root);
        const shown = await page.evaluate(async () => {
            const at = (/** @type {string} */ file) => new URL(`assets/js/${file}`, document.baseURI).href;
            const { busy } = await import(at('core/api.js'));
            const { loadTree } = await import(at('paths/loading.js'));
            const halves = [`"${'x'.repeat(524287)}`, `${'x'.repeat(524287)}"`].map((text) => new TextEncoder().encode(text));
            /** @type {any[]} */
            const seen = [];
            const wait = busy(document.body, 'Loading…');
            const progress = (/** @type {string} */ text, /** @type {number} */ part, /** @type {number} */ whole) => {
                wait.setText(text);
                wait.progress(part, whole);
            };
            const load = async (/** @type {Record<string, string>} */ headers) => {
                const body = new ReadableStream({
                    async start(controller) {
                        for (const piece of halves) {
                            const shown = () => document.querySelector('.busy span')?.textContent ?? '';
                            const before = shown();
                            controller.enqueue(piece);
                            for (let frame = 0; frame < 600 && (shown() === before || !shown().includes('MB')); frame++) {
                                await new Promise(requestAnimationFrame);
                            }
                            seen.push([shown(), document.querySelector('progress')?.position]);
                        }
                        controller.close();
                    },
                });
                const [server, fetched] = [window.fetch, Promise.resolve(new Response(body, { headers }))];
                window.fetch = () => fetched;
                await loadTree('x', progress, 'the call tree').catch(() => undefined);
                window.fetch = server;
            };
            await load({ 'Content-Encoding': 'gzip', 'Content-Length': '99', 'X-XHProf-Bytes': String(1 << 20) });

            return seen;
        });
        assert.deepEqual(shown, [['Loading the call tree… 0.5 of 1.0 MB', 0.5], ['Loading the call tree… 1.0 of 1.0 MB', 1]]);
    }));
});

describe('flame graph', () => {
    test('colours show packages, and categories that the reader makes', () => onPage({}, async (page) => {
        await open(page, FLAME);
        const legend = async () => (await text(page, '.flame-legend')).replace(/\s+/g, ' ').replace(/ Click: .*$/, '');
        assert.equal(await legend(), 'Package: App\\ 50.0 % Db\\ 40.0 % none 10.0 %', 'wait is a part of Db');
        await page.keyboard.press('c');
        assert.match(await legend(), /^Self wall time: less/);
        assert.equal(query(page).colour, 'cost');
        await page.keyboard.press('c');
        await page.locator('.flame-legend', { hasText: 'Where the time was:' }).waitFor();
        assert.equal(query(page).colour, 'where');
        await page.keyboard.press('c');
        await page.getByRole('button', { name: 'Categories…' }).click();
        await assertAccessible(page);
        await shot(page, 'flame-categories');
        await page.fill('.categories textarea', 'Templates: /render$/\nDatabase: Pdo');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.locator('.flame-legend').filter({ hasText: 'Templates 30.0 %' }).waitFor();
        assert.equal(await legend(), 'Category: Templates 30.0 % Database 30.0 % none 40.0 %');
        await painted(page);
        const sent = page.url();
        await page.evaluate(() => localStorage.clear());
        await open(page, sent.slice(site.root.length));
        await page.locator('.flame-legend').filter({ hasText: 'Templates 30.0 %' }).waitFor();
        await page.getByRole('button', { name: 'Categories…' }).click();
        await page.fill('.categories textarea', 'Broken: /(/');
        await page.getByRole('button', { name: 'Save' }).click();
        assert.match(await text(page, '.categories [role=alert]'), /^Broken: This is no regular expression/);
        await page.getByRole('button', { name: 'Usual ones' }).click();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.locator('.flame-legend').filter({ hasText: 'Database 30.0 %' }).waitFor();
        assert.equal(query(page).categories, undefined);
    }));

    test('"back" undoes zooms and selections one by one', () => onPage({}, async (page) => {
        await open(page, FLAME);
        const at = () => [query(page).sel ?? '', (query(page).root ?? '').split('-')[0]].join(' ');
        for (const [part, level] of [[0.2, 1], [0.2, 2]]) {
            const over = await point(page, part, level);
            await page.mouse.click(over.x, over.y);
            await painted(page);
        }
        assert.equal(at(), 'Db\\Pdo::query 2');
        await page.locator('.flame-canvas').focus();
        await page.keyboard.press('0');
        await painted(page);
        assert.equal(at(), 'Db\\Pdo::query ');
        for (const wanted of ['Db\\Pdo::query 2', 'App\\Kernel::handle 1', ' ']) {
            await page.goBack();
            await painted(page);
            assert.equal(at(), wanted);
        }
        assert.equal((await text(page, '.frame-path')).trim(), 'main()');
        // A movement, however long, is one step.
        const over = await point(page, 0.5, 1);
        await page.mouse.move(over.x, over.y);
        await page.keyboard.down('Control');
        for (let turn = 0; turn < 3; turn++) {
            await page.mouse.wheel(0, -60);
            await page.waitForFunction((before) => new URL(location.href).searchParams.get('zoom') !== before, query(page).zoom ?? null);
        }
        await page.keyboard.up('Control');
        await page.goBack();
        await painted(page);
        assert.equal(query(page).zoom, undefined);
    }));

    test('a menu, by mouse or keys, copies, and takes functions out; buttons and "back" undo that', () => onPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
        await open(page, FLAME);
        const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
        const choose = async (/** @type {string} */ name) => {
            await page.getByRole('menuitem', { name, exact: true }).click();
            await painted(page);
        };
        const over = await point(page, 0.55, 3);
        await page.mouse.click(over.x, over.y, { button: 'right' });
        await assertAccessible(page);
        await shot(page, 'flame-menu');
        await choose('Copy stack');
        await page.locator('.toast').filter({ hasText: 'Stack copied' }).waitFor();
        assert.equal(await clipboard(), 'App\\View::render\nApp\\View::render\nApp\\Kernel::handle\nmain()');
        assert.equal(query(page).sel, undefined, 'the menu selects nothing');
        await page.keyboard.press('Control+c');
        await page.locator('.toast').filter({ hasText: 'Name copied' }).waitFor();
        assert.equal(await clipboard(), 'App\\View::render');
        await page.keyboard.press('Shift+F10');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.locator('.toast').filter({ hasText: 'Link copied' }).waitFor();
        assert.match(await clipboard(), /view=flame&sel=App%5CView%3A%3Arender&root=3-[0-9a-f]+$/);

        await page.keyboard.press('Shift+F10');
        await choose('Merge recursion');
        assert.equal(await text(page, '.flame-status'), '6 frames, 4 levels');
        assert.equal(await text(page, '.chip'), 'Recursion merged ✕');
        const render = await point(page, 0.55, 2);
        await page.mouse.move(render.x, render.y);
        assert.match((await text(page, '.flame-tip')).replace(/\s+/g, ' '), /^App\\View::render Total 30\.0 ms, 30\.0 % Self 30\.0 ms, 30\.0 % Calls 8/);
        const kernel = await point(page, 0.2, 1);
        await page.mouse.click(kernel.x, kernel.y, { button: 'right' });
        await choose('Hide this function');
        assert.equal(await text(page, '.flame-status'), '5 frames, 3 levels');
        const queries = await point(page, 0.2, 1);
        await page.mouse.click(queries.x, queries.y, { button: 'right' });
        await choose('Only this function, all its calls merged');
        assert.equal(await text(page, '.flame-status'), '2 frames, 2 levels');
        assert.deepEqual(await page.locator('.chip').allInnerTexts(), ['Only Pdo::query ✕', 'Hidden: Kernel::handle ✕', 'Recursion merged ✕']);
        await page.goBack();
        await painted(page);
        assert.equal(await text(page, '.flame-status'), '5 frames, 3 levels');
        await page.locator('.chip').first().click();
        await painted(page);
        await page.locator('.chip').first().click();
        await painted(page);
        assert.equal(await text(page, '.flame-status'), '7 frames, 4 levels');
        await page.mouse.click(over.x, over.y, { button: 'right' });
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('.menu').count(), 0);
        await page.mouse.click(over.x, over.y, { button: 'right' });
        await page.getByRole('menuitem', { name: 'In the call tree', exact: true }).click();
        await page.locator('.call-tree tr[aria-selected="true"][aria-level="4"]').waitFor();
    }));

    test('a regular expression finds frames, keys go from one to the next, and one that never ends is given up', () => onPage({}, async (page) => {
        await open(page, FLAME);
        await page.fill('input[name=q]', '/::(query|render)$/');
        await page.locator('.flame-status').filter({ hasText: '3 frames match: 70.0 ms, 70.0 % of all' }).waitFor();
        await page.keyboard.press('Escape');
        const heard = async () => (await text(page, '.flame-view [aria-live]')).split(', ').slice(0, 2).join(', ');
        for (const [key, frame, place] of [
            ['.', 'Db\\Pdo::query, level 2', 1], ['.', 'App\\View::render, level 2', 2], ['.', 'App\\View::render, level 3', 3],
            ['.', 'Db\\Pdo::query, level 2', 1], [',', 'App\\View::render, level 3', 3],
        ]) {
            await page.keyboard.press(String(key));
            assert.equal(await heard(), frame);
            assert.match(await text(page, '.flame-status'), new RegExp(`; ${place} of 3$`));
        }
        await page.goto(`${site.root}${FLAME}&q=${encodeURIComponent('/(/')}`);
        await page.locator('.flame-status').filter({ hasText: /^This is no regular expression: Unterminated group$/ }).waitFor();
        // Names are tried in a worker, which ends with its time: there are more than 10^12 ways to try a name of 18 letters.
        await page.goto(`${site.root}${FLAME}&q=${encodeURIComponent('/^(((((\\D+)+)+)+)+)+\\d$/')}`);
        await page.locator('.flame-status').filter({ hasText: 'This regular expression takes too long' }).waitFor();
    }));

    test('a person looks, zooms, selects, searches, changes the metric, and the address has it all', () => onPage({}, async (page) => {
        await open(page, FLAME);
        assert.equal(await text(page, '.flame-status'), '7 frames, 4 levels');
        assert.equal(await text(page, '.frame-figure'), '100 ms', 'the whole run');
        const over = await point(page, 0.2, 2);
        await page.mouse.move(over.x, over.y);
        const tip = (await text(page, '.flame-tip')).replace(/\s+/g, ' ');
        assert.match(tip, /^Db\\Pdo::query Total 40\.0 ms, 40\.0 % Self 30\.0 ms, 30\.0 % Calls 4 Total per call 10\.0 ms$/);
        await page.mouse.click(over.x, over.y);
        await painted(page);
        assert.equal(await text(page, '.frame-figure'), '40.0 ms of 100 ms, 40.0 %');
        assert.deepEqual([query(page).sel, query(page).zoom], ['Db\\Pdo::query', undefined]);
        assert.match(query(page).root, /^2-[0-9a-f]+$/);
        assert.equal((await text(page, '.frame-path')).replace(/\s+/g, ' '), 'main() Kernel::handle Pdo::query');
        const figures = /Db\\Pdo::query[\s\S]*40\.0 ms[\s\S]*Callers 1[\s\S]*Kernel::handle[\s\S]*Callees 1[\s\S]*wait/;
        await page.locator('.inspector').filter({ hasText: figures }).waitFor();
        const inner = await point(page, 0.1, 3);
        await page.mouse.move(inner.x, inner.y);
        assert.match((await text(page, '.flame-tip')).replace(/\s+/g, ' '), /^wait .*Of the zoomed frame 25\.0 %/);

        await page.getByRole('button', { name: 'Kernel::handle' }).first().click();
        await painted(page);
        await page.fill('input[name=q]', 'render');
        await page.keyboard.press('Escape');
        await painted(page);
        assert.equal(await text(page, '.flame-status'), '2 frames match: 30.0 ms, 33.3 % of the zoomed frame');
        await page.keyboard.press('Escape');
        await page.selectOption('.flame-bar select >> nth=0', 'cpu');
        await page.getByRole('button', { name: 'Left heavy' }).click();
        await page.getByRole('button', { name: 'Flame', exact: true }).click();
        await page.selectOption('.flame-bar select >> nth=1', 'space');
        await painted(page);
        const here = query(page);
        assert.deepEqual([here.metric, here.order, here.flip, here.colour, here.q], ['cpu', 'heavy', '1', 'space', 'render']);
        assert.match(await text(page, '.flame-legend'), /Package:\s+App\\/);
        const before = [await pixels(page), await text(page, '.frame-path'), await text(page, '.flame-status')];
        await page.mouse.move(5, 5);
        await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
        before[0] = await pixels(page);
        await open(page, page.url().slice(site.root.length));
        assert.deepEqual([await pixels(page), await text(page, '.frame-path'), await text(page, '.flame-status')], before, 'reloaded, the same');
        await assertAccessible(page);
    }));

    test('the shared state goes along to the other views', () => onPage({}, async (page) => {
        await open(page, `${FLAME}&metric=cpu`);
        await page.fill('input[name=q]', 'handle');
        await page.keyboard.press('Escape');
        const spot = await point(page, 0.5, 1);
        await page.mouse.click(spot.x, spot.y);
        await painted(page);
        await page.getByRole('link', { name: 'Sandwich' }).first().click();
        await painted(page);
        assert.deepEqual([query(page).view, query(page).metric, query(page).q, query(page).sel], ['sandwich', 'cpu', 'handle', 'App\\Kernel::handle']);
        assert.match(await text(page, '.filling'), /App\\Kernel::handle 53\.0 ms, 84\.1 % of all/);
    }));

    test('with the keyboard alone', () => onPage({ reducedMotion: 'reduce' }, async (page) => {
        await open(page, FLAME);
        await page.locator('.flame-canvas').focus();
        const live = () => page.locator('.flame-view [aria-live]').innerText();
        assert.match(await live(), /^main\(\), level 0, Total 100 ms/);
        for (const [key, expected] of [
            ['ArrowDown', 'App\\Kernel::handle, level 1'], ['ArrowRight', 'strlen, level 1'], ['ArrowLeft', 'App\\Kernel::handle'],
            ['ArrowDown', 'Db\\Pdo::query, level 2, Total 40.0 ms, 40.0 %'], ['ArrowRight', 'App\\View::render, level 2'], ['ArrowUp', 'App\\Kernel::handle'],
        ]) {
            await page.keyboard.press(key);
            assert.ok((await live()).startsWith(expected), `${key}: ${await live()}`);
        }
        await page.keyboard.press('Enter');
        await painted(page);
        assert.equal(query(page).sel, 'App\\Kernel::handle');
        assert.match(query(page).root, /^1-/);
        await page.keyboard.press('+');
        await painted(page);
        assert.match(query(page).zoom, /^0\.\d+~0\.\d+$/);
        await page.keyboard.press('Backspace');
        await page.keyboard.press('Backspace');
        await painted(page);
        assert.equal(query(page).root, undefined);
        await page.keyboard.press('Shift+ArrowRight');
        await page.keyboard.press('0');
        await painted(page);
        assert.equal(query(page).zoom, undefined);
        await page.keyboard.press('i');
        await page.keyboard.press('o');
        await page.keyboard.press('c');
        assert.deepEqual([query(page).flip, query(page).order, query(page).colour], ['1', 'heavy', 'cost']);
        await page.keyboard.press('/');
        await page.keyboard.type('wait');
        await page.locator('.flame-status', { hasText: '1 frame matches: 10.0 ms, 10.0 % of all' }).waitFor();
        // The list of offers closes first, or may still be loading.
        for (let i = 0; i < 20 && await page.evaluate(() => document.activeElement !== document.body); i++) {
            await page.keyboard.press('Escape');
        }
        await page.keyboard.press('?');
        assert.match(await text(page, 'dialog'), /Flame graph[\s\S]*Icicle or flame/);
    }));

    test('wheel, drag and the strip', () => onPage({}, async (page) => {
        await open(page, FLAME);
        const at = await point(page, 0.3, 2);
        await page.mouse.move(at.x, at.y);
        await page.keyboard.down('Control');
        await page.mouse.wheel(0, -300);
        await page.keyboard.up('Control');
        await painted(page);
        const [from, to] = query(page).zoom.split('~').map(Number);
        assert.ok(to - from < 0.8 && Math.abs((0.3 - from) / (to - from) - 0.3) < 0.02, 'what is under the pointer stays there');
        await page.mouse.down();
        await page.mouse.move(at.x - 100, at.y, { steps: 4 });
        await page.mouse.up();
        await painted(page);
        assert.ok(Number(query(page).zoom.split('~')[0]) > from);
        assert.equal(query(page).sel, undefined, 'a drag is no click');
        await page.mouse.move(at.x, at.y);
        await page.mouse.wheel(-5000, 0);
        await painted(page);
        assert.ok(Number(query(page).zoom.split('~')[0]) < 1e-9);
        await page.locator('.flame-overview').dblclick();
        await painted(page);
        assert.equal(query(page).zoom, undefined);
        const strip = await page.locator('.flame-overview').boundingBox();
        await page.mouse.move(strip.x + strip.width * 0.25, strip.y + 20);
        await page.mouse.down();
        await page.mouse.move(strip.x + strip.width * 0.75, strip.y + 20, { steps: 4 });
        await page.mouse.up();
        await painted(page);
        const shown = query(page).zoom.split('~').map(Number);
        assert.ok(Math.abs(shown[0] - 0.25) < 0.01 && Math.abs(shown[1] - 0.75) < 0.01, String(shown));
        await page.goBack().catch(() => null);
    }));

    test('the table says what the picture shows', () => onPage({}, async (page) => {
        await open(page, FLAME);
        await page.getByRole('button', { name: 'Table', exact: true }).click();
        const rows = await page.locator('.flame-table tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
        assert.deepEqual(rows.map((row) => row[0]), ['main()', 'App\\Kernel::handle', 'Db\\Pdo::query', 'wait', 'App\\View::render', 'App\\View::render', 'strlen']);
        assert.deepEqual(rows[2], ['Db\\Pdo::query', '40.0 ms', '40.0 %', '30.0 ms', '4', '10.0 ms']);
        await page.locator('.flame-table').getByRole('button', { name: 'Db\\Pdo::query' }).click();
        await painted(page);
        assert.equal(await page.locator('.flame-table tbody tr').count(), 2);
        assert.equal(query(page).sel, 'Db\\Pdo::query');
        await assertAccessible(page);
    }));

    test('what was given back is said, and takes no width', () => onPage({}, async (page) => {
        await open(page, `index.php?run=${MEMORY}&source=shop&view=flame&metric=mu`);
        assert.match(await text(page, '.flame-note'), /^2 frames freed more than they allocated, 1\.46 KB in total: /);
        const at = await point(page, 0.5, 2);
        await page.mouse.move(at.x, at.y);
        assert.match((await text(page, '.flame-tip')).replace(/\s+/g, ' '), /^App\\View::render Total 2\.73 KB, 54\.9 % .*Freed below 1\.17 KB/);
        await shot(page, 'flame-memory');
    }));

    test('light and dark, live', () => onPage({ colorScheme: 'dark' }, async (page) => {
        await open(page, FLAME);
        const dark = await pixels(page);
        await page.emulateMedia({ colorScheme: 'light' });
        await painted(page);
        const light = await pixels(page);
        assert.notEqual(light, dark);
        await page.locator('[data-tools] button').first().click();
        await page.locator('[data-tools] button').first().click();
        await painted(page);
        assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
        assert.equal(await pixels(page), dark);
        await assertAccessible(page);
    }));

    test('on a phone', () => onPage({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true }, async (page) => {
        await open(page, FLAME);
        await assertFits(page);
        const sizes = await page.locator('.flame-canvas').evaluate((canvas) => [/** @type {HTMLCanvasElement} */ (canvas).width, canvas.clientWidth]);
        assert.ok(Math.abs(sizes[0] - 2 * sizes[1]) <= 2, `device pixels: ${sizes}`);
        const at = await point(page, 0.5, 1);
        await page.touchscreen.tap(at.x, at.y);
        await painted(page);
        assert.equal(query(page).sel, 'App\\Kernel::handle');
        await page.setViewportSize({ width: 700, height: 800 });
        await painted(page);
        const wider = await page.locator('.flame-canvas').evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).width);
        assert.ok(wider > sizes[0] * 1.5, 'it grows with the window');
        await assertFits(page);
    }));

    test('without JavaScript: the heaviest paths', () => onPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto(site.root + FLAME);
        assert.match(await text(page, '.without-script .note'), /The picture needs JavaScript/);
        assert.equal(await page.locator('.paths summary').first().isVisible(), true);
        assert.match((await page.locator('.paths').innerText()).replace(/\s+/g, ' '), /^100 ms 100\.0 % main\(\) self 5\.00 ms, 1 call 90\.0 ms 90\.0 % App\\Kernel::handle/);
        await page.goto(`${site.root}${FLAME}&metric=cpu`);
        assert.match((await page.locator('.paths').innerText()).replace(/\s+/g, ' '), /^63\.0 ms 100\.0 % main\(\)/);
        await shot(page, 'flame-without-script');
    }));

    test('a damaged tree says so', () => onPage({}, async (page) => {
        await sendTree(page, { ...TREE, depth: [0, 1, 2, 4, 2, 3, 1] });
        await page.goto(site.root + FLAME);
        await page.getByRole('alert').waitFor();
        assert.equal(await text(page, '.failed'), 'Node 3 of the call tree has no parent.');
    }));

    test('without a tree the side does not claim that it lacks a function', () => onPage({}, async (page) => {
        await sendTree(page, { ...TREE, depth: [0, 1, 2, 4, 2, 3, 1] });
        // As of the merged paths of many hosts: the tree alone knows the functions.
        await page.route(/index\.php/, async (route) => {
            const response = await route.fetch();
            await route.fulfill({ response, body: (await response.text()).replace(/ data-symbol="[^"]*"/, '') });
        });
        for (const path of [FLAME, FLAME.replace('flame', 'calltree')]) {
            await page.goto(`${site.root}${path}&sel=strlen`);
            await page.locator('.inspector .warning').waitFor();
            assert.equal(await text(page, '.inspector .warning'), 'The call tree could not be loaded.');
        }
    }));

    test('the tip of a frame stays on a screen with little room above and below the pointer', () => onPage({}, async (page) => {
        await page.setViewportSize({ width: 1280, height: 120 });
        await open(page, FLAME);
        await page.locator('.flame-scroll').evaluate((frame) => frame.scrollIntoView());
        const over = await point(page, 0.2, 1);
        await page.mouse.move(over.x, over.y);
        const tip = await page.locator('.flame-tip').boundingBox();
        assert.ok(tip !== null && over.y - tip.height < 0 && over.y + tip.height > 120, 'room on neither side');
        assert.equal(tip.y, 4);
    }));

    test('names are text', () => onPage({}, async (page) => {
        const names = ['main()', '<img src=x onerror=alert(1)>', 'right\u202Eleft\u0000', '"><script>alert(2)</script>', 'a'.repeat(20000), 'x'];
        await sendTree(page, { ...TREE, names });
        await page.route('**/api.php?get=symbol*', (route) => route.fulfill({ status: 404, json: { v: 1, error: { code: 'x', message: 'No such function.' } } }));
        await open(page, `${FLAME}&table=1`);
        assert.match(await text(page, '.flame-table'), /<img src=x onerror=alert\(1\)>[\s\S]*right\\u\{202E\}left\\x00/);
        for (const [part, level] of [[0.5, 1], [0.3, 2]]) {
            const at = await point(page, part, level);
            await page.mouse.move(at.x, at.y);
            await page.mouse.click(at.x, at.y);
            await painted(page);
        }
        assert.equal(await page.locator('.island img, .island script').count(), 0);
    }, 404));
});

test('the second link of the page leads to the picture', () => onPage({}, async (page) => {
    await open(page, FLAME);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the picture');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.classList.contains('flame-canvas'));
}));

describe('sandwich', () => {
    test('a function, its callers and its callees', () => onPage({}, async (page) => {
        await page.goto(`${site.root}${SANDWICH}`);
        await page.locator('.function-list tbody tr').nth(2).waitFor();
        await painted(page);
        assert.match(await text(page, '.filling'), /^Db\\Pdo::query 40\.0 ms/, 'without a selection: what takes most itself');
        assert.equal(query(page).sel, undefined);
        const names = () => page.locator('.function-list tbody:not(.spacer) th').allTextContents();
        assert.deepEqual((await names()).slice(0, 2), ['Pdo::query', 'View::render']);
        await page.getByRole('button', { name: 'Total' }).click();
        assert.deepEqual(await names(), ['main()', 'Kernel::handle', 'Pdo::query', 'View::render', 'wait', 'strlen']);
        await page.locator('.function-list tbody tr', { hasText: 'View::render' }).click();
        await painted(page);
        assert.match(await text(page, '.filling'), /^App\\View::render 30\.0 ms, 30\.0 % of all; self 30\.0 ms; on 1 call path Function page$/);
        assert.match(await text(page, '.flame-note'), /Recursive: 1 inner frame is counted once/);
        await page.getByRole('button', { name: 'Table', exact: true }).click();
        const rows = (nth) => page.locator('.flame-table').nth(nth).locator('tbody tr').evaluateAll((all) => all.map((row) => `${row.children[0].textContent} ${row.children[1].textContent}`));
        assert.deepEqual(await rows(0), ['App\\View::render 30.0 ms', 'App\\Kernel::handle 30.0 ms', 'main() 30.0 ms']);
        assert.deepEqual(await rows(1), ['App\\View::render 30.0 ms', 'App\\View::render 20.0 ms']);
        const at = await point(page, 0.5, 1, 0);
        await page.mouse.click(at.x, at.y);
        await painted(page);
        assert.equal(query(page).sel, 'App\\View::render', 'a click in a picture zooms it');
        await page.mouse.dblclick(at.x, at.y);
        await painted(page);
        assert.equal(query(page).sel, 'App\\Kernel::handle', 'two make its function the filling');
        assert.match(await text(page, '.filling'), /^App\\Kernel::handle 90\.0 ms/);
        await assertAccessible(page);
        await shot(page, 'sandwich');
    }));

    test('without JavaScript: the way to the pages of functions, which have callers and callees', () => onPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto(site.root + SANDWICH);
        await page.locator('.without-script').getByRole('link', { name: 'All functions' }).click();
        await page.locator('table.run-functions').getByRole('link', { name: 'Db\\Pdo::query' }).click();
        assert.match(await text(page, 'h2#callers'), /^Callers 1 /);
        assert.deepEqual(await page.locator('section[aria-labelledby=callees] tbody th').allInnerTexts(), ['wait']);
    }));
});

describe('timeline', () => {
    test('a range of time is the range of everything', () => onPage({}, async (page) => {
        await open(page, TIMELINE);
        assert.equal(await text(page, '.flame-status'), '1.00 s, 100 samples');
        assert.match(await text(page, '.flame-note'), /Drag on the ruler to select a range of time; all views of this run follow it/);
        const strip = await page.locator('.flame-overview').boundingBox();
        await page.mouse.move(strip.x + 1, strip.y + 20);
        await page.mouse.down();
        await page.mouse.move(strip.x + strip.width * 0.25, strip.y + 20, { steps: 5 });
        await page.mouse.up();
        await painted(page);
        assert.match(await text(page, '.flame-status'), /of 1\.00 s, 2[56] samples$/);
        assert.ok(Math.abs(Number(query(page).x1) - 250000) < 3000, query(page).x1);
        assert.deepEqual(await page.locator('.function-list tbody:not(.spacer) th').allTextContents(), ['main()', 'Job::load', 'fread']);
        const before = await pixels(page, 1);
        await page.mouse.move(5, 5);
        await open(page, page.url().slice(site.root.length));
        assert.deepEqual(await pixels(page, 1), before);
        const figures = await page.locator('.function-list tbody:not(.spacer) tr').allInnerTexts();
        await page.keyboard.press('s');
        await page.waitForURL(/view=sandwich/);
        assert.match(await text(page, '.range-note'), /^Only \d+ µs to 25\d ms of 1\.00 s · Samples of this time/);
        await page.locator('.function-list tbody:not(.spacer) tr', { hasText: 'fread' }).waitFor();
        const times = (/** @type {string[]} */ rows) => rows.map((row) => row.match(/\S+ (?:ms|s|µs)/g)?.join()).sort();
        assert.deepEqual(times(await page.locator('.function-list tbody:not(.spacer) tr').allInnerTexts()), times(figures));
        await page.keyboard.press('l');
        await page.waitForURL(/view=timeline/);
        await painted(page);
        await page.keyboard.press('x');
        await painted(page);
        assert.equal(query(page).x1, undefined);
        assert.deepEqual((await page.locator('.function-list tbody:not(.spacer) th').allTextContents()).sort(), ['Job::load', 'Job::run', 'fread', 'main()']);
        await assertAccessible(page);
        await shot(page, 'timeline');
    }));

    test('of a run that was not sampled there is none', () => onPage({}, async (page) => {
        await page.goto(`${site.root}index.php?run=${ONE}&source=shop&view=timeline`);
        assert.match(await text(page, '.empty'), /does not record when calls were made/);
        // No tab, but a way to the reason.
        const links = page.getByRole('navigation', { name: 'Views of this run' }).getByRole('link', { name: 'Timeline' });
        assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.parentElement?.className)), ['missing']);
    }, 404));
});

describe('flame graph of a comparison', () => {
    test('widths, colours and words say what changed', () => onPage({}, async (page) => {
        await open(page, DIFF);
        assert.match(await text(page, '.flame-status'), /^All: ▲ \+22\.0 ms \(\+22\.0 %\)$/);
        assert.match(await text(page, '.flame-note'), /^1 new and 1 gone of 8 call paths\. Gone frames have no width here\./);
        assert.match(await text(page, '.flame-legend'), /▼ ≤ -30\.0 ms \(24\.6 % of the run after\)[\s\S]*▲ ≥ \+30\.0 ms/);
        const at = await point(page, 0.4, 2);
        await page.mouse.move(at.x, at.y);
        assert.match((await text(page, '.flame-tip')).replace(/\s+/g, ' '), /^Db\\Pdo::query Total 40\.0 ms → 70\.0 ms Total change ▲ \+30\.0 ms \(\+75\.0 %\) Self 30\.0 ms → 60\.0 ms/);
        const after = await pixels(page);
        await page.getByRole('button', { name: 'Larger of both' }).click();
        await page.getByRole('button', { name: 'Total change' }).click();
        await page.getByRole('button', { name: 'Table', exact: true }).click();
        await painted(page);
        assert.notEqual(await pixels(page), after);
        await page.locator('.flame-table').getByRole('button', { name: 'Db\\Pdo::query' }).click();
        await painted(page);
        const link = page.locator('.selected-function a');
        assert.equal(await link.innerText(), 'Db\\Pdo::query');
        assert.match(await link.getAttribute('href'), /^index\.php\?run1=.*&symbol=Db%5CPdo%3A%3Aquery$/);
        await page.locator('.frame-path button').first().click();
        await painted(page);
        assert.deepEqual([query(page).width, query(page).by], ['max', 'incl']);
        const rows = await page.locator('.flame-table tbody tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
        assert.deepEqual(rows.find((row) => row[0] === 'wait'), ['wait', '10.0 ms', '0 ns', '▼ -10.0 ms (-100.0 %)', '▼ -10.0 ms (-100.0 %)', 'gone']);
        assert.deepEqual(rows.find((row) => row[0] === 'App\\Cache::get'), ['App\\Cache::get', '0 ns', '10.0 ms', '▲ +10.0 ms', '▲ +10.0 ms', 'new']);
        await page.keyboard.press('w');
        await painted(page);
        assert.equal(query(page).width, undefined);
        await assertAccessible(page);
        await shot(page, 'flame-diff');
    }));

    test('several runs of a side are their mean', () => onPage({}, async (page) => {
        await open(page, `index.php?run1=${ONE},${TWO}&run2=${TWO}&source=shop&view=flame`);
        assert.match(await text(page, '.flame-note'), /A side of several runs is their mean/);
        assert.match(await text(page, '.flame-status'), /^All: ▲ \+11\.0 ms \(\+9\.9 %\)$/);
    }));
});
