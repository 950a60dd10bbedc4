/** Where the time was, over time: the track above the frames, its legend, and the colours. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, saveRuns, shot, withSite } from './support.mjs';

const TIMED = 'f1212121212121212121212121212121';
const NO_CPU = 'f3434343434343434343434343434343';
const SAMPLED = 'f5656565656565656565656565656565';

/** A second: main() computes for 200 ms, queries take 100 to 500 ms and wait 3/4 of it, sleeping takes 600 to 800 ms. */
const TREE = {
    v: 1, kind: 'tree', names: ['main()', 'page', 'PDO::query', 'usleep', 'md5'], fn: [0, 1, 2, 3, 4], depth: [0, 1, 2, 1, 1], ct: [1, 1, 4, 1, 1],
    self: { wt: [2e8, 1e8, 4e8, 2e8, 1e8], cpu: [2e8, 1e8, 1e8, 0, 1e8] },
};
const TIMELINE = {
    v: 1, kind: 'timeline', duration: 1e9, asked_threshold: 0, threshold: 0,
    t: [0, 1e8, 2e8, 3e8, 4e8, 6e8, 8e8], d: [5e8, 1e8, 1e8, 1e8, 1e8, 2e8, 1e8], node: [1, 2, 2, 2, 2, 3, 4],
};

const { site, onPage } = withSite({
    runs(folder) {
        saveRuns(folder, [
            { id: TIMED, source: 'shop', documents: { tree: TREE, timeline: TIMELINE } },
            { id: NO_CPU, source: 'shop', documents: { tree: { ...TREE, self: { wt: TREE.self.wt } }, timeline: TIMELINE } },
            {
                id: SAMPLED,
                source: 'worker',
                samples: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [(1700000000 + i / 100).toFixed(4), i < 25 ? 'main()==>page==>PDO::query' : i < 50 ? 'main()==>usleep' : 'main()==>page'])),
            },
        ]);
    },
});

const url = (id, source = 'shop') => `${site.root}index.php?run=${id}&source=${source}&view=timeline`;
const legend = (page) => page.locator('.flame-legend').filter({ hasText: 'Where the time in sight was' });
const parts = async (page) => {
    await legend(page).waitFor();

    return (await legend(page).locator('span:has(svg)').allInnerTexts()).map((text) => text.trim());
};

/** Per colour of a part, the share of the track's pixels at a moment: `at` from 0 to 1. */
const column = (page, at) => page.locator('.timeline-tracks').evaluate(async (canvas, share) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const probe = document.createElement('i');
    document.querySelector('.flame-view').append(probe);
    const colours = Object.fromEntries(['cpu', 'sql', 'sleep', 'not_running', 'unknown'].map((key) => {
        probe.style.color = `var(--time-${key})`;

        return [key, getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number)];
    }));
    probe.remove();
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const ratio = window.devicePixelRatio;
    // Below the ruler of 22 and the name of 14, 24 pixels.
    const { data } = copy.getImageData(Math.round(document.querySelector('.flame-scroll').clientWidth * ratio * share), 36 * ratio, 1, 24 * ratio);
    const found = {};
    for (let pixel = 0; pixel < data.length; pixel += 4) {
        const key = Object.keys(colours).find((one) => colours[one].every((value, i) => Math.abs(value - data[pixel + i]) <= 3)) ?? '';
        found[key] = (found[key] ?? 0) + 4 / data.length;
    }

    return found;
}, at);

describe('the inspector', () => {
    const bar = async (page) => {
        await page.locator('.inspector .where li').first().waitFor();

        return (await page.locator('.inspector .where li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    };
    const of = (view, name, id = TIMED, source = 'shop') => `${site.root}index.php?run=${id}&source=${source}&view=${view}&sel=${encodeURIComponent(name)}`;

    for (const view of ['flame', 'calltree', 'sandwich', 'timeline', '']) {
        test(`has the bar of the selected function, ${view === '' ? 'functions' : view}`, () => onPage({}, async (page) => {
            await page.goto(of(view, 'page'));
            if (view === 'sandwich' && await page.locator('.inspector').count() === 0) {
                return;
            }
            assert.deepEqual(await bar(page), ['Computing 40.0 % 200 ms', 'SQL 60.0 % 300 ms']);
            assert.equal(await page.locator('.inspector svg.time-bar').getAttribute('aria-label'), 'Computing 200 ms (40.0 %), SQL 300 ms (60.0 %)');
            await assertAccessible(page);
            await shot(page, `inspector-${view}`);
        }));
    }

    test('has that of the range in sight of a timeline', () => onPage({}, async (page) => {
        await page.goto(`${of('timeline', 'main()')}&x0=600000&x1=1000000`);
        assert.deepEqual(await bar(page), ['Computing 50.0 % 200 ms', 'Sleeping 50.0 % 200 ms']);
        await page.getByRole('button', { name: 'Show all' }).click();
        await page.locator('.inspector .where li', { hasText: 'SQL' }).waitFor();
        assert.deepEqual(await bar(page), ['Computing 50.0 % 500 ms', 'SQL 30.0 % 300 ms', 'Sleeping 20.0 % 200 ms']);
        await page.getByRole('button', { name: 'Close' }).click();
        await page.locator('.inspector .where').waitFor({ state: 'detached' });
        await page.goto(of('timeline', 'page', SAMPLED, 'worker'));
        assert.deepEqual((await bar(page)).map((text) => text.replace(/ %.*/, '')), ['SQL 33.3', 'Not known 66.7']);
    }));

    test('has it by samples, and none without CPU time', () => onPage({ viewport: { width: 390, height: 800 }, colorScheme: 'dark' }, async (page) => {
        await page.goto(of('flame', 'page', SAMPLED, 'worker'));
        assert.deepEqual((await bar(page)).map((text) => text.replace(/ %.*/, '')), ['SQL 33.3', 'Not known 66.7']);
        assert.match(await page.locator('.inspector .where').innerText(), /by samples/);
        await assertFits(page);
        await shot(page, 'inspector-390');
        await page.goto(of('flame', 'page', NO_CPU));
        await page.locator('.inspector .inspected').waitFor();
        assert.deepEqual(await page.locator('.inspector .where li').allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' ').trim())), ['Not known 100.0 % 500 ms']);
    }));
});

describe('the track of where the time was', () => {
    test('shows each moment by its parts, in a legend of what is in sight too', () => onPage({}, async (page) => {
        await page.goto(url(TIMED));
        assert.deepEqual(await parts(page), ['Computing 50.0 %', 'SQL 30.0 %', 'Sleeping 20.0 %']);
        assert.match(await legend(page).innerText(), /An estimate within a call path/);
        const query = await column(page, 0.3);
        assert.ok(Math.abs(query.sql - 0.75) < 0.06 && Math.abs(query.cpu - 0.25) < 0.06, JSON.stringify(query));
        assert.ok((await column(page, 0.7)).sleep > 0.95);
        assert.ok((await column(page, 0.05)).cpu > 0.95);
        assert.ok((await column(page, 0.95)).cpu > 0.95);
        await page.goto(`${url(TIMED)}&x0=600000&x1=1000000`);
        await legend(page).locator('span', { hasText: 'Sleeping 50.0 %' }).waitFor();
        assert.deepEqual(await parts(page), ['Computing 50.0 %', 'Sleeping 50.0 %']);
        assert.ok((await column(page, 0.45)).sleep > 0.95);
        assert.ok((await column(page, 0.55)).cpu > 0.95);
    }));

    test('frames are coloured by it, those of the range too, and the address keeps that', () => onPage({}, async (page) => {
        await page.goto(url(TIMED));
        await legend(page).waitFor();
        await page.getByLabel('Colour').selectOption('where');
        await page.waitForURL(/colour=where/);
        await page.reload();
        await legend(page).waitFor();
        const all = page.locator('.flame-legend').filter({ hasText: 'Where the time was:' });
        await all.waitFor();
        assert.deepEqual((await all.locator('span:has(svg)').allInnerTexts()).map((text) => text.trim()), ['Computing 50.0 %', 'SQL 30.0 %', 'Sleeping 20.0 %']);
        await assertAccessible(page);
        await shot(page, 'timeline-where');
    }));

    for (const colorScheme of ['light', 'dark']) {
        test(`is to be read on a telephone and on paper, ${colorScheme}`, () => onPage({ viewport: { width: 390, height: 800 }, colorScheme }, async (page) => {
            await page.goto(`${url(TIMED)}&colour=where`);
            await legend(page).waitFor();
            await assertFits(page);
            await assertAccessible(page);
            await shot(page, `timeline-where-390-${colorScheme}`);
            await page.emulateMedia({ media: 'print' });
            assert.ok(await legend(page).isVisible());
            await shot(page, `timeline-where-print-${colorScheme}`);
        }));
    }

    test('is by samples where there are samples', () => onPage({}, async (page) => {
        await page.goto(url(SAMPLED, 'worker'));
        assert.deepEqual(await parts(page), ['SQL 25.0 %', 'Sleeping 25.0 %', 'Not known 50.0 %']);
        assert.match(await legend(page).innerText(), /By samples/);
        assert.ok((await column(page, 0.2)).sql > 0.95);
        assert.ok((await column(page, 0.4)).sleep > 0.95);
    }));

    test('is not there without CPU time', () => onPage({}, async (page) => {
        await page.goto(url(NO_CPU));
        await page.waitForFunction(() => /7 calls$/.test(document.querySelector('.flame-status')?.textContent ?? ''));
        assert.equal(await legend(page).count(), 0);
        assert.deepEqual(await page.getByLabel('Colour').locator('option').allInnerTexts(), ['by package', 'by cost', 'by category']);
    }));
});
