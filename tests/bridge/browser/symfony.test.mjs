/** The bundle in a shop on Symfony, in Chromium: the toolbar, its panel, and the pages below a path of the shop. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertAccessible, withSite } from '../../html/browser/support.mjs';

const SHOP = fileURLToPath(new URL('../symfony', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OPTIONS = existsSync(join(ROOT, 'build/frameworks/vendor/symfony/web-profiler-bundle'))
    ? {}
    : { skip: 'No Symfony: tools/frameworks.sh composer installs it' };

const folder = mkdtempSync(join(tmpdir(), 'xhprof-shop-'));
const runs = join(folder, 'runs');
mkdirSync(runs);
mkdirSync(join(folder, 'sessions'));
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const { site, onPage } = withSite({
    runs: () => {},
    env: { SHOP_VAR: folder, SHOP_XHPROF: JSON.stringify({ run_dir: runs }) },
    pages: join(SHOP, 'public'),
    router: join(SHOP, 'public/index.php'),
    settings: [`extension=${join(ROOT, 'extension/modules/xhprof.so')}`],
});

const saved = () => readdirSync(runs).filter((name) => name.endsWith('.run'));

test('a click in the toolbar records the page, and its panel leads to the call tree below a path of the shop', OPTIONS, async () => {
    await onPage({}, async (page) => {
        for (const run of saved()) {
            rmSync(join(runs, run));
        }
        await page.goto(`${site.root}product/7`);
        const item = page.locator('.sf-toolbar-block-xhprof');
        await item.waitFor();
        await item.hover();
        await item.getByText('this request was not recorded').waitFor();
        await item.getByRole('button', { name: 'Profile this page' }).click();
        await page.waitForURL(`${site.root}product/7`);
        await page.locator('.sf-toolbar-block-xhprof .sf-toolbar-value', { hasText: /^\s*[\d. ]+ (?:µs|ms|s)\s*$/ }).waitFor();
        await item.hover();
        await item.getByText(/ · (?:no|\d+(?: first)?) findings?/).waitFor();
        await shoot(page, 'toolbar');
        assert.equal(saved().length, 1, 'neither the data that the page fetches nor the toolbar is recorded');

        await page.locator('.sf-toolbar-block-xhprof > a').click();
        const summary = page.locator('.xhprof-summary');
        await summary.locator('.xhprof-title', { hasText: 'GET /product/7' }).waitFor();
        assert.ok(await summary.locator('.xhprof-bar rect').count() > 0);
        assert.equal(await summary.locator('.xhprof-functions tbody tr').count(), 5);
        const bar = await summary.locator('.xhprof-bar').boundingBox();
        assert.ok(bar !== null && bar.width > 300 && bar.height > 5);
        await shoot(page, 'panel');

        await summary.getByRole('link', { name: 'Call tree' }).click();
        await page.waitForURL(/\/_xhprof\/index\?run=[0-9a-f]{32}&source=web&view=calltree/);
        await page.getByText('XHProf\\Tests\\Bridge\\Shop\\ShopKernel', { exact: false }).first().or(page.getByText('main()').first()).waitFor();
        assert.equal(await page.locator('.sf-toolbar').count(), 0, 'the pages have no toolbar of the shop');
        await shoot(page, 'calltree');
        // The other views, the list, and the theme, whose cookie is that of the pages alone.
        await page.getByRole('link', { name: 'Functions', exact: true }).click();
        await page.locator('#results').getByRole('link').first().waitFor();
        await page.locator('a.brand').click();
        await page.waitForURL(`${site.root}_xhprof/index`);
        await page.getByRole('button', { name: /^Theme/ }).click();
        const cookies = await page.context().cookies(page.url());
        assert.deepEqual(cookies.filter(({ name }) => name === 'xhprof_theme').map(({ path }) => path), ['/_xhprof']);
    });
});

test('the panel fits a narrow window, light and dark', OPTIONS, async () => {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        await onPage({ colorScheme, viewport: { width: 390, height: 800 } }, async (page) => {
            await page.goto(site.root);
            await page.goto(`${site.root}_profiler/latest?panel=xhprof&limit=1`);
            await page.getByRole('button', { name: 'Profile this page once more' }).click();
            await page.locator('.sf-toolbar-block-xhprof .sf-toolbar-value', { hasText: /^\s*[\d. ]+ (?:µs|ms|s)\s*$/ }).waitFor({ state: 'attached' });
            const href = await page.locator('.sf-toolbar-block-xhprof > a').getAttribute('href');
            await page.goto(String(href));
            await page.locator('.xhprof-summary').waitFor();
            const overflow = await page.locator('.xhprof-summary').evaluate((element) => element.scrollWidth - element.clientWidth);
            assert.ok(overflow <= 0, `${overflow} px too wide`);
            await assertAccessible(page, undefined, '.xhprof-summary');
            await shoot(page, `panel-${colorScheme}`);
        });
    }
});

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
async function shoot(page, name) {
    if (process.env.XHPROF_SHOTS !== undefined) {
        await page.screenshot({ path: join(process.env.XHPROF_SHOTS, `symfony-${name}.png`), fullPage: true });
    }
}
