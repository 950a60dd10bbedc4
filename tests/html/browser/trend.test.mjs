/** A URL's figures over its runs, as users look at them. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertAccessible, assertFits, fixtures, shot, withSite } from './support.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TREND = 'index.php?view=trend&source=nightly&url=%2Forders%3Fpage%3D2';
const ROUTE = 'index.php?view=trend&source=traffic&start=aggregate&route=GET%20%2Fsearch';
const RUN = 'index.php?run=ab000000000000000000000000000003&source=nightly';

// Without `make assets` the drawing stays; the test without JavaScript covers it.
const needsChart = { skip: !existsSync(join(HERE, '../../../xhprof_html/assets/vendor/uplot/uplot.js')) && 'uPlot is not there (make assets)' };

const { site, onPage } = withSite({
    runs: (folder) => {
        fixtures(folder, 'compare');
        fixtures(folder, 'automatic');
    },
});

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{ x: number, y: number, width: number, height: number }>} where the points are
 */
async function plot(page) {
    const over = page.locator('.trend .u-over');
    await over.waitFor();
    const box = await over.boundingBox();
    assert.ok(box !== null);

    return box;
}

test('from a run to its trend, along the points, into a run', needsChart, async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + RUN);
        await page.getByRole('link', { name: 'Trend', exact: true }).click();
        const box = await plot(page);
        await page.mouse.move(box.x + 4, box.y + 40);
        // The first run is somewhere at the left end.
        for (let x = 8; x < 60 && await page.locator('.tip').isHidden(); x += 4) {
            await page.mouse.move(box.x + x, box.y + 40);
        }
        assert.match(await page.locator('.tip').textContent() ?? '', /2025-11-15 \d\d:\d\d:\d\d: 68\.6 ms · 3f9a2c1/);
        await shot(page, 'trend');
        await page.mouse.down();
        await page.mouse.up();
        await page.waitForURL(/run=ab000000000000000000000000000001/);
    });
});

test('a stretch that is dragged over is compared with what was before', needsChart, async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + TREND);
        const box = await plot(page);
        await page.mouse.move(box.x + box.width * 0.5, box.y + 100);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.9, box.y + 110, { steps: 4 });
        await page.mouse.move(box.x + box.width - 2, box.y + 110, { steps: 2 });
        await page.mouse.up();
        const range = page.locator('[data-trend-range]');
        await range.waitFor();
        assert.match(await range.textContent() ?? '', /^5 runs picked/);
        await shot(page, 'trend-range');
        await range.getByRole('link', { name: 'Compare earlier runs with these' }).click();
        await page.locator('.sum', { hasText: '+22.4 %' }).waitFor();
    });
});

test('another metric, one function, its self figures', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}${RUN}&symbol=PDOStatement::execute`);
        await page.locator('a[href*="view=trend"]').click();
        await page.getByRole('link', { name: 'Self', exact: true }).click();
        await page.waitForURL(/own=1/);
        assert.match(await page.locator('.sum').textContent() ?? '', /^Self wall time: median 8\.30 ms of 10 runs/);
        await page.getByRole('link', { name: 'Calls', exact: true }).click();
        await page.waitForURL(/metric=ct/);
        assert.match(await page.locator('.sum').textContent() ?? '', /^Calls: median 72 of 10 runs/);
    });
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`nothing serious for axe, ${colorScheme}`, async () => {
        await onPage({ colorScheme }, async (page) => {
            await page.goto(site.root + TREND);
            await page.locator('.trend-runs').waitFor();
            await assertAccessible(page);
            await shot(page, `trend-${colorScheme}`);
        });
    });
}

test('without JavaScript, on a phone: a drawing, a table with links, a comparison', async () => {
    await onPage({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false }, async (page) => {
        await page.goto(site.root + TREND);
        await page.locator('.trend svg.strip').waitFor();
        assert.equal(((await page.locator('.trend svg.strip path').first().getAttribute('d') ?? '').match(/M/g) ?? []).length, 10);
        await shot(page, 'trend-phone');
        await page.getByRole('link', { name: 'Compare first half with second half' }).click();
        assert.match(await page.locator('.sum').textContent() ?? '', /\+22\.4 %/);
    });
    await onPage({ viewport: { width: 390, height: 844 } }, async (page) => {
        await page.goto(site.root + TREND);
        await page.locator('.trend-runs').waitFor();
        await assertFits(page);
    });
});

test('runs at equal distances, chosen in the address', needsChart, async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + TREND);
        await plot(page);
        const byRun = page.getByRole('button', { name: 'By run' });
        assert.equal(await byRun.getAttribute('aria-pressed'), 'false');
        await byRun.click();
        await page.waitForURL(/axis=run/);
        assert.equal(await byRun.getAttribute('aria-pressed'), 'true');
        const box = await plot(page);
        // Ten runs: the middle of the third tenth is the third run.
        await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
        await page.locator('.tip', { hasText: /2025-11/ }).waitFor();
        await assertAccessible(page);
        await shot(page, 'trend-by-run');
        await page.mouse.down();
        await page.mouse.up();
        await page.waitForURL(/run=ab000000000000000000000000000003/);
    });
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    for (const [device, viewport] of Object.entries({ phone: { width: 390, height: 844 }, screen: { width: 1440, height: 900 } })) {
        test(`the distribution of a route's times over its windows, ${colorScheme}, ${device}`, async () => {
            await onPage({ colorScheme, viewport }, async (page) => {
                await page.goto(site.root + ROUTE);
                const cells = page.locator('.latency-map .cells');
                const text = page.locator('[data-latency-text]');
                await cells.and(page.locator('[tabindex]')).waitFor();
                assert.equal(await page.locator('.latency-map .column').count(), 12);
                await assertAccessible(page);
                await assertFits(page);
                await shot(page, `latency-map-${colorScheme}-${device}`);
                await cells.focus();
                await page.keyboard.press('ArrowLeft');
                assert.match(await text.textContent() ?? '', /^2025-11-\d\d [\d:]+, .+ to .+: [\d,\u202f ]+ requests? \([\d.]+ %\) of [\d\u202f ]+ requests, half of them/);
                await page.keyboard.press('Home');
                assert.match(await text.textContent() ?? '', /: no requests$/, 'the oldest window has no distribution');
                await page.keyboard.press('End');
                const box = await cells.boundingBox();
                assert.ok(box !== null);
                await page.mouse.move(box.x + 4, box.y + 4);
                assert.match(await text.textContent() ?? '', /: no requests$/);
                await page.keyboard.press('End');
                await shot(page, `latency-map-${colorScheme}-${device}-cell`);
                await page.keyboard.press('Enter');
                await page.waitForURL(/run=a200000000000000000000000000000c/);
            });
        });
    }
}

test('the distribution without JavaScript: a picture with a sentence, and one for each window', async () => {
    await onPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto(site.root + ROUTE);
        assert.match(await page.locator('.latency-map svg').getAttribute('aria-label') ?? '', /^Distribution of wall times over 12 windows: /);
        assert.match(await page.locator('.latency-map title').last().textContent() ?? '', /requests, half of them up to/);
        await page.goto(site.root + TREND);
        await page.locator('.trend-runs').waitFor();
        assert.equal(await page.locator('.latency-map').count(), 0);
    });
});
