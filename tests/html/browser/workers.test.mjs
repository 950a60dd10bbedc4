/** Runs and windows of workers on a phone: spans that were suspended, and what stays alive. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, fixtures, shot, withSite } from './support.mjs';

const REQUESTS = 'index.php?view=requests';
const WINDOW = `index.php?run=fb${'5'.padStart(30, '0')}&source=async`;
/** fixtures => name => path */
const PAGES = /** @type {Record<string, Record<string, string>>} */ ({
    fibers: { runs: 'index.php', requests: REQUESTS, window: WINDOW },
    kept: { 'what stays': REQUESTS },
});

for (const [kind, pages] of Object.entries(PAGES)) {
    describe(kind, () => {
        const { site, onPage } = withSite({
            runs: (folder) => {
                fixtures(folder, kind);
            },
        });
        for (const [name, path] of Object.entries(pages)) {
            test(name, () => onPage({ viewport: { width: 390, height: 844 } }, async (page) => {
                assert.equal((await page.goto(site.root + path))?.status(), 200);
                await assertFits(page);
                for (const box of await page.locator('.scroll').all()) {
                    const inner = await box.evaluate((one) => [one.scrollWidth, one.clientWidth]);
                    assert.ok((inner[0] ?? 0) <= (inner[1] ?? 0), `a table is ${inner[0]} px wide in ${inner[1]} px`);
                }
                const verdicts = await page.locator('.kept-paths strong').evaluateAll((all) => all.map((one) => one.getClientRects().length));
                assert.deepEqual(verdicts, verdicts.map(() => 1), 'a word is broken');
                if (name === 'what stays') {
                    assert.ok(verdicts.length > 0);
                    const widths = await page.locator('.kept-paths tbody th').evaluateAll((all) => all.map((one) => one.clientWidth));
                    assert.ok(Math.min(...widths) > 120, `paths have ${widths} px`);
                }
                await assertAccessible(page);
                await shot(page, `workers ${kind} ${name}`);
            }));
        }
    });
}
