/**
 * Functions added up by plug-in: the table that scripts draw, the way to the functions of one and back, the flame graph of groups, and
 * the same for a comparison.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, saveRuns, shot, withSite } from './support.mjs';

const RUN = 'index.php?run=a1&source=wp';
const EVIL = '<img src=x onerror=alert(1)>';

/** @param {number} times */
const tree = (times) => ({
    names: ['main()', 'wp', 'shop', 'usleep', 'search', 'evil'],
    files: ['/w/wp-includes/a.php', '/w/wp-content/plugins/shop/a.php', '/w/wp-content/plugins/search/a.php', 'ext:standard', `/w/wp-content/plugins/${EVIL}/a.php`],
    file: [0, 0, 1, 3, 2, 4], line: [1, 1, 1, 0, 1, 1], last_line: [1, 1, 1, 0, 1, 1],
    fn: [0, 1, 2, 3, 4, 3, 5], depth: [0, 1, 2, 3, 3, 4, 1], ct: [1, 1, 2, 4, 1, 1, 1],
    self: { wt: [1000, 2000, 4000, 8000, 16000, 32000, 64000].map((ns) => ns * times), cpu: [1000, 2000, 4000, 0, 16000, 0, 64000] },
});

const { site, onPage } = withSite({
    runs(folder) {
        saveRuns(folder, [1, 2].map((times) => ({ id: `a${times}`, source: 'wp', documents: { meta: { url: '/', method: 'GET' }, tree: tree(times) } })));
    },
});

/** @param {import('playwright-core').Page} page */
const rows = (page) => page.evaluate(() => [...document.querySelectorAll('#results tbody tr:has(> th)')]
    .map((row) => [...row.querySelectorAll(':scope > th, :scope > td')].slice(0, 3).map((cell) => (cell.querySelector('.v, .fn')?.textContent ?? '').trim())));

describe('functions by plug-in', () => {
    test('a row opens the functions of its group, whose head leads to its calls and back', () => onPage({}, async (page) => {
        await page.goto(`${site.root}${RUN}`);
        await page.getByRole('navigation', { name: 'Add up by' }).getByRole('link', { name: 'Plug-in' }).click();
        await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
        assert.equal(await page.locator('.virtual thead th').first().innerText(), 'Plug-in');
        assert.deepEqual(await rows(page), [[EVIL, '1', '64 µs'], ['search', '1', '48 µs'], ['shop', '2', '12 µs'], ['WordPress', '1', '3 µs']]);
        await page.locator('.virtual').getByRole('link', { name: 'shop' }).click();
        await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
        assert.match(page.url(), /groups=plugin.*group=shop/);
        assert.deepEqual((await rows(page)).map(([name]) => name), ['(elsewhere)', 'usleep', 'shop']);
        await page.getByRole('link', { name: 'Who calls it, and whom it calls' }).click();
        assert.equal(await page.locator('h1').innerText(), 'shop');
        await page.getByRole('link', { name: 'Show all functions' }).click();
        await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
        assert.equal((await rows(page)).length, 6);
    }));

    test('the flame graph is of plug-ins', () => onPage({}, async (page) => {
        await page.goto(`${site.root}${RUN}&groups=plugin&view=flame`);
        await page.locator('canvas').first().waitFor();
        await page.getByText('4 levels').or(page.getByText('3 levels')).first().waitFor();
        assert.match(await page.locator('main').innerText(), /By plug-in/);
    }));

    for (const [name, query] of [['run', `${RUN}&groups=plugin`], ['one plug-in', `${RUN}&groups=plugin&group=shop`], ['comparison', 'index.php?run1=a1&run2=a2&source=wp&groups=plugin']]) {
        for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
            test(`${name}, ${colorScheme}: fits a phone, nothing serious for axe`, () => onPage({}, async (page) => {
                await page.emulateMedia({ colorScheme });
                await page.goto(`${site.root}${query}`);
                await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
                await assertAccessible(page);
                await shot(page, `groups-${name.replace(' ', '-')}-${colorScheme}`);
                await page.setViewportSize({ width: 390, height: 800 });
                await assertFits(page);
            }));
        }
    }
});
