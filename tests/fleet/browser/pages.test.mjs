/** The fleet's pages as users look at them; tests/fleet/BrowserTest.php plants what they show and names the store. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COLOURS, assertAccessible, assertFits, shot, withSite } from '../../html/browser/support.mjs';

const FLEET = 'index.php?view=fleet&last=all';
const SHOP = `${FLEET}&service=shop`;
const ROUTE = '&route=GET%20%2Fproducts%2F%7Bid%7D';

const { site, onPage } = withSite({ runs: () => {} });

/** name => [path, text of the heading] */
const PAGES = /** @type {Record<string, [string, string]>} */ ({
    overview: [FLEET, 'Fleet'],
    routes: [`${SHOP}&show=routes`, 'shop'],
    route: [`${SHOP}&show=routes${ROUTE}`, 'GET /products/{id}'],
    functions: [`${SHOP}&show=functions`, 'Functions'],
    function: [`${SHOP}&show=functions&symbol=PDO::prepare`, 'PDO::prepare'],
    'flame graph': [`${SHOP}&show=flame`, 'shop'],
    difference: [`${SHOP}&show=flame${ROUTE}&release=2026.11.2&base_release=2026.11.1`, 'Comparison'],
    regressions: [`${SHOP}&show=regressions`, 'Regressions'],
    hosts: [`${SHOP}&show=hosts`, 'Hosts'],
    releases: [`${SHOP}&show=releases`, 'Releases'],
    requests: [`${SHOP}&show=requests`, 'Single requests'],
    data: [`${FLEET}&show=data`, 'Data'],
    nothing: ['index.php?view=fleet&show=routes&service=shop&last=1h', 'shop'],
});

for (const [name, [path, heading]] of Object.entries(PAGES)) {
    describe(name, () => {
        /** @param {import('playwright-core').Page} page */
        const opens = async (page) => {
            assert.equal((await page.goto(site.root + path))?.status(), 200);
            assert.equal(await page.locator('h1').innerText(), heading);
            await page.waitForLoadState('networkidle');
        };

        test('light, dark, on a phone', async () => {
            await onPage({ colorScheme: 'light' }, async (page) => {
                await opens(page);
                await assertAccessible(page);
                await shot(page, `fleet ${name}`);
                await page.emulateMedia({ colorScheme: 'dark' });
                await assertAccessible(page, COLOURS);
                await page.setViewportSize({ width: 390, height: 844 });
                await page.reload();
                await page.waitForLoadState('networkidle');
                await assertFits(page);
                for (const table of await page.locator('.scroll:has(.report)').all()) {
                    const inner = await table.evaluate((box) => [box.scrollWidth, box.clientWidth]);
                    assert.ok((inner[0] ?? 0) <= (inner[1] ?? 0), `a table is ${inner[0]} px wide in ${inner[1]} px`);
                }
                await shot(page, `fleet ${name}, phone`);
            });
        });

        test('without scripts', async () => {
            await onPage({ javaScriptEnabled: false }, async (page) => {
                await opens(page);
                const shown = page.locator('main :is(table.report, ul.paths, .empty, .without-script)').first();
                assert.ok(await shown.isVisible());
            });
        });
    });
}

describe('the way from a figure to a request', () => {
    test('by links alone', async () => {
        await onPage({ javaScriptEnabled: false }, async (page) => {
            await page.goto(`${site.root}index.php?view=requests`);
            await page.getByRole('link', { name: 'Fleet' }).click();
            await page.getByRole('link', { name: 'Any time' }).click();
            await page.getByRole('link', { name: '1 function' }).click();
            assert.equal(await page.locator('h1').innerText(), 'Regressions');
            await page.getByRole('link', { name: 'Requests: PDO::prepare' }).click();
            await page.locator('table.report tbody th a').first().click();
            assert.equal(await page.locator('h1').innerText(), 'GET /products/{id}');
            await page.getByRole('button', { name: 'Save as a run' }).click();
            assert.equal(await page.locator('h1').innerText(), 'GET /products/{id}');
            assert.match(page.url(), /run=\w+&source=fleet/);
        });
    });

    test('with the pictures', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}${SHOP}&show=regressions`);
            await page.getByRole('link', { name: 'Flame graphs: PDO::prepare' }).click();
            await page.getByText(/^All: ▲/).waitFor();
            await page.keyboard.press('4');
            await page.getByText(/^\d+ frames, \d+ levels/).waitFor();
            await page.goto(`${site.root}${SHOP}&show=flame&sel=PDO%3A%3Aprepare`);
            await page.getByRole('link', { name: 'Function page' }).click();
            assert.equal(await page.locator('h1').innerText(), 'PDO::prepare');
        });
    });
});
