/** A finding that is clicked is lit in the timeline and in the flame graph, down to calls that are narrower than a pixel. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, saveRuns, shot, withSite } from './support.mjs';

const RUN = 'f9999999999999999999999999999999';
const QUERIES = 150;

/** A second, of which 15 ms are 150 queries in a loop of list(), and 3 of other(). */
const { site, onPage } = withSite({
    runs(folder) {
        const tree = {
            v: 1, kind: 'tree', names: ['main()', 'Shelf::list', 'Shelf::book', 'PDOStatement::execute', 'render', 'other'], fn: [0, 1, 2, 3, 4, 5, 3],
            depth: [0, 1, 2, 3, 1, 1, 2], ct: [1, 1, QUERIES, QUERIES, 1, 1, 3], self: { wt: [1e6, 1e6, 5e6, 8e6, 900e6, 84.7e6, 300000] },
        };
        const [t, d, node] = [[0], [15e6], [1]];
        for (let i = 0; i < QUERIES; i++) {
            t.push(i * 1e5, i * 1e5 + 20000);
            d.push(90000, 50000);
            node.push(2, 3);
        }
        t.push(15e6, 915e6, 920e6, 921e6, 922e6);
        d.push(900e6, 85e6, 100000, 100000, 100000);
        node.push(4, 5, 6, 6, 6);
        saveRuns(folder, [{ id: RUN, source: 'shop', documents: { tree, timeline: { v: 1, kind: 'timeline', duration: 1e9, asked_threshold: 0, threshold: 0, t, d, node } } }]);
    },
});

const run = () => `${site.root}index.php?run=${RUN}&source=shop`;
const settled = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.flame-status')?.textContent ?? ''), pattern.source);

/**
 * Reads a line of a canvas.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} selector
 * @returns {Promise<number>} the most stretches of lit pixels in any of its lines
 */
const ticks = (page, selector) => page.locator(selector).first().evaluate(async (canvas) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const probe = document.createElement('i');
    probe.style.color = 'var(--frame-hit)';
    document.querySelector('.flame-view').append(probe);
    const wanted = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number);
    probe.remove();
    const { width, height } = canvas;
    // Reading the canvas itself often makes the browser complain.
    const copy = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    let most = 0;
    for (let y = 0; y < height; y++) {
        let [count, was] = [0, false];
        for (let x = 0; x < width; x++) {
            const at = (y * width + x) * 4;
            const is = wanted.every((part, i) => Math.abs(data[at + i] - part) <= 2);
            count += is && !was ? 1 : 0;
            was = is;
        }
        most = Math.max(most, count);
    }

    return most;
});

describe('a finding', () => {
    test('that is clicked has a tick for each of its calls in the timeline, and goes along to the flame graph', () => onPage({}, async (page) => {
        await page.goto(run());
        const finding = page.locator('.findings li', { hasText: '150 queries' });
        await finding.locator('a.lit-link').click();
        await page.waitForURL(/view=timeline&lit=n-plus-one-[0-9a-f]{8}/);
        await settled(page, /^1\.00 s, 306 calls$/);
        assert.match(await page.locator('.lit-note').innerText(), /^150 queries, .* Shelf::list: its calls are lit\./);
        // Each is a twentieth of a pixel wide, all together some pixels.
        assert.ok(await ticks(page, '.timeline-tracks') >= 1);
        assert.ok(await ticks(page, '.flame-canvas') >= 1);
        await page.getByRole('button', { name: 'Zoom to what is lit' }).click();
        await settled(page, /of 1\.00 s, 301 calls$/);
        assert.equal(await ticks(page, '.timeline-tracks'), QUERIES);
        assert.equal(await ticks(page, '.flame-canvas'), QUERIES);
        await assertAccessible(page);
        await shot(page, 'lit-timeline');
        await page.reload();
        await settled(page, /of 1\.00 s, 301 calls$/);
        assert.equal(await ticks(page, '.flame-canvas'), QUERIES, 'the address has it');
        await page.goto(page.url().replace(/&x[01]=\d+/g, ''));
        await page.locator('.lit-note').getByRole('link', { name: 'flame graph' }).click();
        await page.waitForURL(/view=flame/);
        // Not the three of other().
        await settled(page, /^1 frame is lit, 150 calls: 8\.00 ms, 0\.8 % of all$/);
        assert.equal(await ticks(page, '.flame-canvas'), 1);
        await page.locator('.stepper').getByRole('button', { name: 'Next' }).click();
        await page.locator('.flame-view .sr', { hasText: /PDOStatement::execute, level 3/ }).waitFor({ state: 'attached' });
        await shot(page, 'lit-flame');
        await assertAccessible(page);
        // A search shows what it finds alone.
        await page.goto(`${page.url().replace(/&(?:root|zoom)=[^&]*/g, '')}&q=render`);
        await settled(page, /^1 frame matches: 900 ms/);
        await page.locator('.lit-note').getByRole('link', { name: 'Turn the light off' }).click();
        await page.waitForURL((url) => !url.searchParams.has('lit'));
        assert.equal(await page.locator('.lit-note').count(), 0);
    }));

    test('stays lit in the tabs, and none of another run is', () => onPage({}, async (page) => {
        await page.goto(run());
        await page.locator('.findings li', { hasText: '150 queries' }).getByRole('link', { name: 'flame graph' }).click();
        await settled(page, /^1 frame is lit/);
        await page.keyboard.press('l');
        await page.waitForURL(/view=timeline.*lit=n-plus-one/);
        await settled(page, /calls$/);
        assert.ok(await ticks(page, '.timeline-tracks') >= 1);
        await page.goto(`${run()}&view=flame&lit=n-plus-one-00000000`);
        await settled(page, /^7 frames/);
        assert.match(await page.locator('.lit-note').innerText(), /is not one of this run/);
        assert.equal(await ticks(page, '.flame-canvas'), 0);
    }));

    for (const [width, colorScheme] of [[390, 'light'], [1440, 'dark']]) {
        test(`is accessible and fits ${width} px, ${colorScheme}`, () => onPage({ viewport: { width, height: 844 }, colorScheme }, async (page) => {
            await page.goto(run());
            await assertFits(page);
            await page.locator('.findings li', { hasText: '150 queries' }).locator('a.lit-link').click();
            await settled(page, /calls$/);
            assert.ok(await ticks(page, '.timeline-tracks') >= 1);
            await assertAccessible(page);
            await assertFits(page);
            await shot(page, `lit-${width}-${colorScheme}`);
        }));
    }
});
