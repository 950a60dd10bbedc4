/**
 * The timeline of calls, as people use it; and one of a million calls, whose drawing costs what its visible part does. No times are
 * tested, so that a busy machine makes no test fail.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, saveRuns, shot, withSite } from './support.mjs';

const SMALL = 'f6666666666666666666666666666666';
const HUGE = 'f7777777777777777777777777777777';
const WHOLE = 'f8888888888888888888888888888888';
const MILLION = 1e6;

/** A second of 4 calls with marks of every kind. */
const TREE = {
    v: 1, kind: 'tree', n: 5, names: ['main()', 'load', 'fread', 'run', 'job'], fn: [0, 1, 2, 3, 4], depth: [0, 1, 2, 1, 1],
    ct: [1, 1, 1, 2, 1], self: { wt: [2e8, 1e8, 2e8, 4e8, 1e8] },
};
const TIMELINE = {
    v: 1, kind: 'timeline', duration: 1e9, asked_threshold: 25000, threshold: 50000, raised: 1, folded: 3,
    t: [0, 50e6, 400e6, 650e6, 700e6], d: [250e6, 100e6, 200e6, 50e6, 200e6], node: [1, 2, 3, 4, 3], memory: [4e6, 6e6, 9e6, 9e6, 2e6],
    fiber: [0, 0, 0, 1, 0], fibers: { t: [0, 650e6, 700e6], d: [650e6, 50e6, 300e6], fiber: [0, 1, 0] },
    gc: { t: [300e6], d: [5e6], freed: [10] }, spans: { t: [400e6], d: [300e6], name: [4] }, alloc_marks: { t: [100e6], d: [0], mark: [1] },
};

/** Calls of three levels. */
function millionOfCalls() {
    const [t, d, node] = [[], [], []];
    for (let i = 0; t.length < MILLION; i++) {
        t.push(i * 1000, i * 1000 + 100, i * 1000 + 150, i * 1000 + 600);
        d.push(900, 400, 300, 200);
        node.push(3, 1, 2, 1);
    }

    return { v: 1, kind: 'timeline', duration: t[t.length - 1] + 1000, asked_threshold: 0, threshold: 0, t, d, node, memory: t.map((at) => at % 4096) };
}

const { site, onPage } = withSite({
    runs: (folder) => {
        const deep = { ...TREE, n: 5, names: ['main()', 'run', 'fread', 'loop', 'job'], fn: [0, 3, 1, 2, 1], depth: [0, 1, 2, 3, 2], ct: [1, ...Array(4).fill(MILLION / 4)] };
        // A quarter of the million calls are operations.
        const operations = {
            v: 1, kind: 'operations', n: 5, kinds: ['sql'], texts: ['SELECT 1'], kind_of_text: [0], text: [0], node: [2], ct: [250000], total: [1e8],
        };
        for (const [id, tree, timeline] of [[SMALL, TREE, TIMELINE], [WHOLE, TREE, { ...TIMELINE, asked_threshold: 0, threshold: 0, raised: 0, folded: 0 }], [HUGE, deep, { ...millionOfCalls(), node: undefined }]]) {
            if (id === HUGE) {
                timeline.node = timeline.t.map((_, i) => [1, 2, 3, 4][i % 4]);
            }
            saveRuns(folder, [{ id, source: 'shop', documents: { tree, timeline, ...(id === HUGE ? { operations } : {}) } }]);
        }
    },
});

const url = (id) => `${site.root}index.php?run=${id}&source=shop&view=timeline`;
const text = (page, selector) => page.locator(selector).first().innerText();
const settled = (page, pattern) => page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector('.flame-status')?.textContent ?? ''),
    pattern.source,
    { timeout: 600000 },
);
/** Heads of the list of functions, and its row of a function. */
const listed = async (page, name) => [
    await page.locator('.function-list thead th').allTextContents(),
    await page.locator('.function-list tbody tr').filter({ has: page.locator('th', { hasText: name }) }).locator('td').allInnerTexts(),
].map((cells) => cells.map((cell) => cell.split('\n')[0].replace(/ [▲▼]$/, '')));
const functions = (page) => page.locator('.function-list tbody:not(.spacer) th').allTextContents();

describe('timeline of calls', () => {
    test('a drag on the ruler selects the range of everything, and the address keeps it', () => onPage({}, async (page) => {
        await page.goto(url(SMALL));
        await settled(page, /^1\.00 s, 5 calls$/);
        assert.match(await text(page, '.flame-note'), /^5 calls kept\. Calls of 50\.0 µs or more are here/);
        assert.match(await text(page, '.flame-note'), /threshold was 25\.0 µs at first/);
        assert.match(await text(page, '.flame-note'), / 3 calls were left out: the run has more call paths than xhprof\.max_nodes\./);
        assert.match(await text(page, '.flame-note'), /Fibers: 3, Spans: 1, Garbage collector: 1, Marks: 1/);
        assert.deepEqual((await functions(page)).sort(), ['fread', 'job', 'load', 'main()', 'run']);
        const ruler = await page.locator('.timeline-tracks').boundingBox();
        await page.mouse.move(ruler.x + ruler.width * 0.35, ruler.y + 8);
        await page.mouse.down();
        await page.mouse.move(ruler.x + ruler.width * 0.62, ruler.y + 8, { steps: 5 });
        await page.mouse.up();
        await settled(page, /of 1\.00 s, 1 call$/);
        assert.deepEqual(await functions(page), ['main()', 'run']);
        const { searchParams } = new URL(page.url());
        assert.ok(Math.abs(Number(searchParams.get('x0')) - 350000) < 4000 && Math.abs(Number(searchParams.get('x1')) - 620000) < 4000, page.url());
        await page.reload();
        await settled(page, /of 1\.00 s, 1 call$/);
        await page.getByRole('button', { name: 'Show all' }).click();
        await settled(page, /^1\.00 s, 5 calls$/);
        const { x, y } = ruler;
        await page.mouse.move(x + 200, y + 10);
        await page.mouse.wheel(0, -300);
        await settled(page, /of 1\.00 s/);
        await assertAccessible(page);
        await shot(page, 'timeline-calls');
    }));

    test('columns of a timeline that lacks short calls are named for what is in them', () => onPage({}, async (page) => {
        await page.goto(url(SMALL));
        await settled(page, /^1\.00 s, 5 calls$/);
        // fread() has 100 ms in one call that was kept; in the tree it has 200 ms.
        assert.deepEqual(await listed(page, 'fread'), [['Function', 'Self + shorter', 'Total of kept', 'Calls kept'], ['100 ms', '100 ms', '1']]);
        await page.locator('.flame-canvas').first().focus();
        const tip = page.locator('.flame-tip:visible dt');
        // The paths of the range may be drawn after the calls: the pointer moves until there is a frame below it.
        for (let x = 300; await tip.count() === 0; x = 601 - x) {
            await page.locator('.flame-canvas').last().hover({ position: { x, y: 26 } });
            await page.waitForTimeout(50);
        }
        assert.deepEqual((await tip.allTextContents()).filter((term) => /self|total|calls/i.test(term)), ['Total of kept', 'Self + shorter', 'Calls kept']);
        await page.goto(url(WHOLE));
        await settled(page, /^1\.00 s, 5 calls$/);
        assert.deepEqual((await listed(page, 'fread'))[0], ['Function', 'Self', 'Total', 'Calls'], 'every call is there');
        assert.match(await text(page, '.flame-note'), /^5 calls\. Every call of the run is here\./);
    }));

    test('the range goes along to the other views of call paths, and back', () => onPage({}, async (page) => {
        await page.goto(`${url(SMALL)}&x0=350000&x1=620000`);
        await settled(page, /of 1\.00 s, 1 call$/);
        await page.keyboard.press('f');
        await page.waitForURL(/view=flame/);
        await settled(page, /^2 frames, 2 levels$/);
        assert.match(await text(page, '.range-note'), /^Only 350 ms to 620 ms of 1\.00 s · Calls that ran in this time; those shorter than 50 µs are part/);
        await assertAccessible(page);
        await page.keyboard.press('p');
        await page.waitForURL(/view=calltree/);
        await page.locator('.call-tree tbody td.num').first().waitFor();
        const rows = await page.locator('.call-tree tbody:not(.spacer) tr').evaluateAll((all) => all.map((row) => [...row.querySelectorAll('.fn, td span')].map((cell) => cell.textContent)));
        assert.deepEqual(rows, [['main()', '270 ms', '100.0 %', '70.0 ms', '25.9 %', '1'], ['run', '200 ms', '74.1 %', '200 ms', '74.1 %', '1']]);
        await page.keyboard.press('s');
        await page.waitForURL(/view=sandwich/);
        await page.locator('.function-list tbody th', { hasText: 'run' }).waitFor();
        assert.deepEqual(await functions(page), ['run', 'main()'], 'by self');
        await page.keyboard.press('l');
        await page.waitForURL(/view=timeline/);
        await settled(page, /of 1\.00 s, 1 call$/);
        await page.goBack();
        await page.getByRole('link', { name: 'Show the whole run' }).click();
        await page.waitForURL((address) => !address.searchParams.has('x0'));
        await page.locator('.function-list tbody th', { hasText: 'load' }).waitFor();
        assert.equal(await page.locator('.range-note').count(), 0);
    }));

    test('a selected range has the same figures in every view', () => onPage({}, async (page) => {
        await page.goto(url(SMALL));
        await settled(page, /^1\.00 s, 5 calls$/);
        const ruler = await page.locator('.timeline-tracks').boundingBox();
        await page.mouse.move(ruler.x + ruler.width * 0.11, ruler.y + 8);
        await page.mouse.down();
        await page.mouse.move(ruler.x + ruler.width * 0.75, ruler.y + 8, { steps: 5 });
        await page.mouse.up();
        await settled(page, /of 1\.00 s, 5 calls$/);
        /** Of each function its total and its self time, as text. @type {Map<string, [string, string]>} */
        const figures = new Map(await page.locator('.function-list tbody:not(.spacer) tr').evaluateAll((rows) => rows.map((row) => {
            const [self, total] = [...row.querySelectorAll('td')].map((cell) => cell.querySelector('span')?.textContent ?? cell.textContent);

            return [row.querySelector('th').textContent, [total, self]];
        })));
        assert.deepEqual([...figures.keys()].sort(), ['fread', 'job', 'load', 'main()', 'run']);
        const shown = async (view, key) => {
            await page.keyboard.press(key);
            await page.waitForURL(view);
            assert.match(await text(page, '.range-note'), /^Only 1\d\d ms to 7\d\d ms of 1\.00 s/);
        };
        await shown(/shop&x0/, 't');
        await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
        const row = (name) => page.locator('.virtual tbody tr[aria-rowindex]').filter({ has: page.getByRole('link', { name, exact: true }) });
        for (const [name, [total, self]] of figures) {
            const cells = await row(name).locator('td').allInnerTexts();
            assert.ok([total, self].every((figure) => cells.some((cell) => cell.startsWith(figure))), `${name}: ${cells}`);
        }
        await row('run').getByRole('link').first().click();
        await page.waitForURL(/symbol=run/);
        assert.match(await text(page, '.range-note'), /^Only /);
        assert.ok((await page.locator('main').innerText()).includes(figures.get('run')[0]));
        for (const [key, view] of [['g', /view=graph/], ['f', /view=flame/]]) {
            await shown(view, key);
            const inspector = page.locator('.inspector dl').first();
            await inspector.waitFor();
            const lines = await inspector.innerText();
            assert.ok(figures.get('run').every((figure) => lines.includes(figure)), `${view}: ${lines}`);
        }
        await shown(/view=calltree/, 'p');
        await page.locator('.call-tree tbody td.num').first().waitFor();
        const [main] = await page.locator('.call-tree tbody:not(.spacer) tr').evaluateAll((all) => all.map((line) => [...line.querySelectorAll('.fn, td span')].map((cell) => cell.textContent)));
        assert.deepEqual([main[1], main[3]], figures.get('main()'));
        await page.keyboard.press('e');
        await page.waitForURL(/view=export/);
        assert.match(await text(page, '.range-note'), /^The whole run, not only 1\d\d ms/);
        await shot(page, 'range-export');
    }));

    for (const [width, colorScheme] of [[390, 'light'], [1440, 'dark']]) {
        test(`is accessible and fits ${width} px, ${colorScheme}`, () => onPage({ viewport: { width, height: 900 }, colorScheme }, async (page) => {
            await page.goto(url(SMALL));
            await settled(page, /5 calls$/);
            await assertAccessible(page);
            await assertFits(page);
            await shot(page, `timeline-calls-${width}-${colorScheme}`);
        }));
    }
});

describe('a million calls', () => {
    test('are painted and moved; a drawing has no more rectangles than pixels need', { timeout: 900000 }, () => onPage({}, async (page) => {
        await page.addInitScript(() => {
            const fill = CanvasRenderingContext2D.prototype.fillRect;
            Object.assign(window, { rectangles: 0 });
            CanvasRenderingContext2D.prototype.fillRect = function (...box) {
                /** @type {any} */ (window).rectangles++;
                fill.apply(this, box);
            };
        });
        await page.goto(url(HUGE));
        await settled(page, /1\s000\s000 calls$/);
        assert.match(await text(page, '.flame-note'), /Operations: 250\s000\./);
        const { frames, draws, most, pixels, longest } = await page.evaluate(async () => {
            const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.timeline-tracks'));
            const box = canvas.getBoundingClientRect();
            await new Promise(requestAnimationFrame);
            const before = performance.getEntriesByName('tracks-draw').length;
            let most = 0;
            for (let frame = 0; frame < 24; frame++) {
                /** @type {any} */ (window).rectangles = 0;
                for (let event = 0; event < 4; event++) {
                    canvas.dispatchEvent(new WheelEvent('wheel', {
                        deltaY: frame < 12 ? -30 : 30, clientX: box.left + 300, clientY: box.top + 10, bubbles: true, cancelable: true,
                    }));
                }
                await new Promise(requestAnimationFrame);
                most = Math.max(most, /** @type {any} */ (window).rectangles);
            }
            const drawn = ['tracks-draw', 'flame-draw'].map((name) => performance.getEntriesByName(name).slice(-24).map(({ duration }) => duration));

            return {
                frames: 24, draws: performance.getEntriesByName('tracks-draw').length - before, most,
                // Rows: 5 levels, twice with those of the strip, the operations, and the ruler.
                pixels: box.width * 12, longest: drawn.map((times) => Math.max(...times)),
            };
        });
        console.log(`# a million calls: ${draws} drawings in ${frames} frames, at most ${most} rectangles; longest: tracks ${longest[0].toFixed(1)} ms, calls ${longest[1].toFixed(1)} ms`);
        assert.ok(draws > 0 && draws <= frames + 1, `${draws} drawings in ${frames} frames`);
        assert.ok(most > 100 && most < pixels, `${most} rectangles on ${pixels} pixels of rows`);
        await page.goto('about:blank');
    }));
});
