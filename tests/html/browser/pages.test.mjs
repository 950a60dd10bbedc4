/**
 * Every page with and without JavaScript, light and dark, wide and narrow: no console message, no request elsewhere, no
 * violation of the content security policy, nothing serious for axe-core.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AFTER, assertAccessible, assertFits, BACKGROUND, BEFORE, COLOURS, CORRECTED, HOSTILE, withSite, WORKER } from './support.mjs';

const MEMORY = `index.php?run=${WORKER}&source=worker&view=memory`;
const COMMAND = 'php bin/console messenger:consume warehouse --limit=4';
const DIFF = `index.php?run1=${BEFORE}&run2=${AFTER}&source=shop`;

const { site, onPage } = withSite();

/** name => [path, status, text of the heading] */
const PAGES = {
    'run list': ['index.php', 200, 'Runs'],
    'run list, picking': [`index.php?with=${BEFORE}.shop`, 200, 'Runs'],
    'run list, no match': ['index.php?q=no-such-run', 200, 'Runs'],
    report: [`index.php?run=${BEFORE}&source=shop`, 200, 'GET /orders?page=2&sort=date'],
    'report by memory': [`index.php?run=${BEFORE}&source=shop&sort=mu`, 200, 'GET /orders?page=2&sort=date'],
    'report of hostile names': [`index.php?run=${HOSTILE}&source=hostile`, 200, 'GET /search?q=<script>alert(1)</script>'],
    'report with dropped calls': ['index.php?run=e0000000000000000000000000000001&source=shop', 200, 'GET /report/yearly'],
    'report of a foreign run': ['index.php?run=65ba1c0ffee01', 200, '65ba1c0ffee01'],
    mean: [`index.php?run=${BEFORE},${AFTER}&source=shop&wts=1,3`, 200, 'Mean of 2 runs'],
    'function': [`index.php?run=${BEFORE}&source=shop&symbol=PDOStatement::execute`, 200, 'PDOStatement::execute'],
    'hostile function': [
        `index.php?run=${HOSTILE}&source=hostile&symbol=${encodeURIComponent('<script>alert(1)</script>')}`,
        200, '<script>alert(1)</script>',
    ],
    comparison: [DIFF, 200, 'Comparison'],
    'compared function': [`${DIFF}&symbol=json_decode`, 200, 'json_decode'],
    'report by corrected time': [`index.php?run=${CORRECTED}&source=api&corrected=1&sort=excl_corrected_wt`, 200, 'GET /orders/export'],
    'corrected function': [`index.php?run=${CORRECTED}&source=api&corrected=1&symbol=strlen`, 200, 'strlen'],
    memory: [MEMORY, 200, COMMAND],
    'memory by function': [`${MEMORY}&by=function&sort=incl`, 200, COMMAND],
    'memory by type': [`${MEMORY}&by=type`, 200, COMMAND],
    'memory by what was allocated': [`${MEMORY}&sort=allocated`, 200, COMMAND],
    leaks: [`${MEMORY}&after=1&before=4`, 200, COMMAND],
    'memory of hostile names': ['index.php?run=c0000000000000000000000000000002&source=hostile&view=memory', 200, 'GET /<u>memory</u>'],
    'memory of a run that has none': [`index.php?run=${BEFORE}&source=shop&view=memory`, 404, 'GET /orders?page=2&sort=date'],
    operations: [`index.php?run=${WORKER}&source=worker&view=operations`, 200, COMMAND],
    'operations of hostile texts': ['index.php?run=c0000000000000000000000000000002&source=hostile&view=operations', 200, 'GET /<u>memory</u>'],
    'operations of a run without any': [`index.php?run=${BEFORE}&source=shop&view=operations`, 404, 'GET /orders?page=2&sort=date'],
    'call tree of a run without one': [`index.php?run=${BEFORE}&source=shop&view=calltree`, 404, 'GET /orders?page=2&sort=date'],
    'timeline of a run without one': [`index.php?run=${BEFORE}&source=shop&view=timeline`, 404, 'GET /orders?page=2&sort=date'],
    'call graph': [`callgraph.php?run=${BEFORE}&source=shop&threshold=0.1`, 200, 'GET /orders?page=2&sort=date'],
    'unknown run': ['index.php?run=nope', 404, 'Not found'],
    'damaged run': ['index.php?run=d0000000000000000000000000000001&source=shop', 500, 'Cannot be shown'],
};

for (const [name, [path, status, heading]] of Object.entries(PAGES)) {
    describe(name, () => {
        const url = () => site.root + path;
        /** @param {import('playwright-core').Page} page */
        const opens = async (page) => {
            const response = await page.goto(url());
            assert.equal(response?.status(), status);
            assert.ok((await page.locator('h1').innerText()).startsWith(heading));
            assert.equal(await page.locator('main').count(), 1);
        };
        /**
         * @param {import('playwright-core').Page} page
         * @param {'light' | 'dark'} colorScheme
         */
        const wears = async (page, colorScheme) => {
            await page.emulateMedia({ colorScheme });
            const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
            assert.equal(background, BACKGROUND[colorScheme]);
        };

        test('with JavaScript, light, dark, on a phone', async () => {
            await onPage({ colorScheme: 'light' }, async (page) => {
                await opens(page);
                await wears(page, 'light');
                await assertAccessible(page);
                await wears(page, 'dark');
                await assertAccessible(page, COLOURS);
                await page.setViewportSize({ width: 390, height: 844 });
                await page.reload();
                await assertFits(page);
                for (const table of await page.locator('table.report:has(th.main)').all()) {
                    const heads = table.locator('thead tr > *');
                    const at = await heads.evaluateAll((cells) => cells.findIndex((one) => one.classList.contains('main')));
                    const cell = table.locator('tbody tr').first().locator(`> :nth-child(${at + 1})`);
                    assert.ok(await cell.isVisible(), 'no figure shows');
                }
                for (const table of await page.locator('table.functions').all()) {
                    assert.ok(await table.locator('tbody:not(.spacer) tr').first().locator('td.main').isVisible(), 'no figure shows');
                }
                for (const table of await page.locator('.scroll:has(.functions, .runs, .report:not(.allocators, .operations))').all()) {
                    const inner = await table.evaluate((box) => [box.scrollWidth, box.clientWidth]);
                    assert.ok(inner[0] <= inner[1], `a table is ${inner[0]} px wide in ${inner[1]} px`);
                }
            }, status);
        });
        test('without JavaScript, light and dark', async () => {
            await onPage({ javaScriptEnabled: false, colorScheme: 'dark' }, async (page) => {
                await opens(page);
                await wears(page, 'dark');
                await wears(page, 'light');
            }, status);
        });
    });
}
