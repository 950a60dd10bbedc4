/**
 * A visit of a site that has the pages below a path: "Profile the next request", the page that is profiled, its run in the list, its
 * functions, flame graph and call tree. Ends with an error, or prints "profiled".
 *
 *     node next-request.mjs http://127.0.0.1:8000 /_xhprof/ /orders/1 'GET /orders/{id}' shop_total
 */
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { assertAccessible, assertFits, BACKGROUND, CHROMIUM, ARGUMENTS, shot } from '../../html/browser/support.mjs';

const [site, mount, profiled, route, name] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    /** @type {string[]} */
    const complaints = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('response', (response) => {
        if (response.status() >= 400 && !response.url().endsWith('/favicon.ico')) {
            complaints.push(`${response.status()} ${response.url()}`);
        }
    });
    const title = async () => (await page.title()).trim();

    for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
        await page.emulateMedia({ colorScheme });
        await page.goto(`${site}${mount}bridge/next?back=${encodeURIComponent(profiled)}`);
        const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        assert.equal(background, BACKGROUND[colorScheme], 'the colours of the other pages');
        await assertAccessible(page);
        await shot(page, `next-${colorScheme}`);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await assertFits(page);
    await shot(page, 'next-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
    assert.equal(await page.getByLabel('Page to open now').inputValue(), profiled);
    await page.getByRole('button', { name: 'Profile the next request' }).click();
    await page.waitForURL(`${site}${profiled}`);
    assert.equal(await title(), 'Order');

    // The cookie was for one request.
    await page.goto(`${site}${profiled}`);
    await page.goto(`${site}${mount}`);
    await page.waitForURL(`${site}${mount}**`);
    const runs = page.getByRole('row', { name: route }).getByRole('link', { name: profiled, exact: true });
    assert.equal(await runs.count(), 1, 'one run of the route');
    await assertAccessible(page);
    await shot(page, 'runs');
    await runs.click();
    await page.waitForURL(/run=[0-9a-f]{32}/);
    await shot(page, 'run');
    const run = page.url();
    await page.goto(`${run}&symbol=${name}`);
    await page.getByRole('heading', { name }).first().waitFor();
    await page.goto(run);

    await page.getByRole('link', { name: 'Flame graph' }).first().click();
    await page.waitForURL(/view=flame/);
    await page.waitForFunction(() => performance.getEntriesByName('flame-draw').length > 0 && document.querySelector('.busy') === null);
    await shot(page, 'flame');

    await page.getByRole('link', { name: 'Call tree' }).first().click();
    await page.waitForURL(/view=calltree/);
    await page.locator('.call-tree tbody:not(.spacer) tr').first().waitFor();
    assert.deepEqual(complaints.filter((line) => !line.includes('/favicon.ico')), []);
    console.log('profiled');
} finally {
    await browser.close();
}
