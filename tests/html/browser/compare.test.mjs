/** Comparisons and means of several runs, as people use them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AFTER, BEFORE, HOSTILE, assertAccessible, assertFits, fixtures, saveRuns, shot, withSite } from './support.mjs';


/**
 * @param {number} first
 * @param {number} last
 * @returns {string} ids of the runs of CompareFixtures, with commas
 */
const ids = (first, last) => Array.from({ length: last - first + 1 }, (_, i) => `ab${(first + i).toString(16).padStart(30, '0')}`).join(',');

const DIFF = `index.php?run1=${BEFORE}&run2=${AFTER}&source=shop`;
const SETS = `index.php?run1=${ids(1, 5)}&run2=${ids(6, 10)}&source=nightly`;
const MEAN = `index.php?run=${ids(1, 10)}&source=nightly`;
const ROWS = 'table.compare tbody:not(.spacer) tr';

/** A script and its closure, in the folder of a release and on a line that a comment has moved. */
const released = (/** @type {string} */ release, /** @type {number} */ line, /** @type {number} */ ms) => ({
    id: `ac${release.padStart(30, '0')}`,
    source: 'release',
    tree: {
        v: 1, kind: 'tree', order: 'preorder', n: 4, names: ['main()', `load::${release}/x.php`, `{closure:${release}/x.php:${line}}`, 'md5'],
        fn: [0, 1, 2, 3], depth: [0, 1, 1, 2], ct: [1, 1, 10, 10], self: { wt: [1, 1, ms, 2].map((value) => value * 1e6) },
    },
});
const RELEASES = [released('20260101', 5, 10), released('20260214', 12, 14)];

/** The machine took the processor from md5() for some ms; work() worked longer. */
const alone = (/** @type {string} */ id, /** @type {number} */ md5, /** @type {number} */ work) => ({
    id, source: 'alone',
    tree: {
        v: 1, kind: 'tree', order: 'preorder', n: 3, names: ['main()', 'md5', 'work'], fn: [0, 1, 2], depth: [0, 1, 1], ct: [1, 9, 1],
        self: { wt: [0.1, md5, work].map((value) => value * 1e6), cpu: [0.1, 3, work].map((value) => value * 1e6) },
    },
});
const ALONE = [alone('calm', 3, 9), alone('busy', 31, 14)];

const { site, onPage } = withSite({
    runs: (folder) => {
        fixtures(folder);
        saveRuns(folder, [...RELEASES, ...ALONE]);
        fixtures(folder, 'compare');
    },
});

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>} names of the functions that are shown
 */
const names = (page) => page.locator(`${ROWS} .fn`).allTextContents();

describe('two runs', () => {
    test('are picked in the list, compared, sorted, filtered, swapped; a function is opened', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}index.php?q=orders%3Fpage%3D2%26sort&only=shop`);
            for (const id of [BEFORE, AFTER]) {
                await page.locator(`input[value="${id}.shop"]`).check();
            }
            await page.getByRole('button', { name: 'Compare two' }).click();
            await page.locator('.virtual tbody:not(.spacer) tr').first().waitFor();
            assert.match(await page.locator('.sum').first().textContent() ?? '', /\+4\.7 % \(\+19\.3 ms\) wall time: \+34\.2 ms in PDOStatement::execute/);
            assert.deepEqual((await names(page)).slice(0, 2), ['PDOStatement::execute', 'json_decode']);
            await shot(page, 'compare');

            await page.locator('thead a', { hasText: 'Change' }).nth(1).click();
            await page.waitForURL(/dir=desc/);
            assert.deepEqual((await names(page)).slice(0, 2), ['PDOStatement::execute', 'json_decode']);
            await page.locator('thead a', { hasText: 'Change' }).nth(1).click();
            await page.waitForURL(/dir=asc/);
            assert.equal((await names(page))[0], 'json_decode');

            const all = (await names(page)).length;
            await page.getByLabel('Only changes').check();
            await page.waitForURL(/changed=1/);
            assert.ok((await names(page)).length < all);
            assert.equal(await page.locator('tr.faint').count(), 0);
            await page.getByLabel('Filter functions by name').fill('pdo');
            await page.waitForURL(/q=pdo/);
            assert.deepEqual(await names(page), ['PDOStatement::execute']);
            await page.getByLabel('Filter functions by name').fill('');
            await page.locator(`${ROWS} .fn`, { hasText: 'json_decode' }).first().waitFor();

            await page.getByRole('link', { name: 'Swap' }).click();
            await page.waitForURL(new RegExp(`run1=${AFTER}`));
            assert.match(await page.locator('.sum').first().textContent() ?? '', /-4\.4 %/);
            await page.goBack();

            await page.getByRole('link', { name: 'PDOStatement::execute', exact: true }).first().click();
            await page.locator('h1', { hasText: 'PDOStatement::execute' }).waitFor();
            await page.locator('#callers').waitFor();
            assert.match(await page.locator('.own').first().textContent() ?? '', /Self wall time.*\+200\.0 %/s);
            await shot(page, 'compared-function');
        });
    });

    test('a script in another folder and a closure on another line are the same in every view', async () => {
        await onPage({}, async (page) => {
            const path = `index.php?run1=${RELEASES[0]?.id}&run2=${RELEASES[1]?.id}&source=release`;
            await page.goto(site.root + path);
            await page.locator(ROWS).first().waitFor();
            assert.equal(await page.locator('.badge.new, .badge.gone').count(), 0);
            assert.deepEqual(await page.locator(`${ROWS} .badge.was`).allTextContents(), ['moved', 'moved']);
            await page.goto(`${site.root}${path}&view=flame`);
            await page.locator('.flame-note', { hasText: '0 new and 0 gone of 4 call paths' }).waitFor();
            await page.goto(`${site.root}${path}&view=graph&threshold=0`);
            await page.locator('[data-node]').first().waitFor({ state: 'attached' });
            assert.equal(await page.locator('[data-node].new, [data-node].gone').count(), 0);
        });
    });

    test('what is the machine’s is grey in the flame graph and the call graph, with words', async () => {
        for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
            await onPage({ colorScheme }, async (page) => {
                const path = `${site.root}index.php?run1=calm&run2=busy&source=alone`;
                await page.goto(`${path}&view=flame&table=1`);
                const key = page.locator('.flame-legend', { hasText: 'only wall time' });
                await key.waitFor();
                assert.match(await key.locator('[title*="the machine was busy"]').textContent() ?? '', /only wall time/);
                assert.equal(await page.locator('tr', { hasText: 'md5' }).locator('td').last().textContent(), 'only wall time');
                assert.equal(await page.locator('tr', { hasText: 'work' }).locator('td').last().textContent(), '');
                await shot(page, `machine-flame-${colorScheme}`);

                await page.goto(`${path}&view=graph&sel=md5`);
                await page.locator('[data-function=md5].own-machine.all-machine').waitFor();
                assert.equal(await page.locator('[data-function=work][class*=machine]').count(), 0);
                assert.equal(await page.locator('.edge.up').count(), 1);
                assert.match(await page.locator('.graph-side').textContent() ?? '', /Grey: only wall time changed/);
                await page.locator('.graph-legend', { hasText: 'only wall time' }).waitFor();
                await shot(page, `machine-graph-${colorScheme}`);
                await page.goto(`${path}&view=graph&metric=cpu`);
                await page.locator('[data-function=md5]').waitFor();
                assert.equal(await page.locator('[class*=machine]').count(), 0);
            });
        }
    });

    test('of one function callers and callees are sorted by a change, a side, a percentage', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}${DIFF}&symbol=PDOStatement::execute`);
            const callees = page.locator('section[aria-labelledby=callees]');
            const values = (/** @type {string} */ cell) => callees.locator(`tbody td.${cell}`).evaluateAll((all) => all.map((one) => Number(one.dataset.v)));
            const click = async (/** @type {string} */ head, /** @type {RegExp} */ url) => {
                await callees.locator(`thead th.${head} a`).click();
                await page.waitForURL(url);
            };
            const falls = (/** @type {number[]} */ shown, /** @type {string} */ what) => {
                assert.ok(new Set(shown).size > 2, what);
                assert.deepEqual(shown, [...shown].sort((a, b) => b - a), what);
            };
            falls((await values('g-incl.k-d')).map(Math.abs), 'by size');
            await click('g-incl.k-d', /dir=desc/);
            falls(await values('g-incl.k-d'), 'what grew most');
            await click('g-incl.k-d', /dir=asc/);
            falls((await values('g-incl.k-d')).map((value) => -value), 'what shrank most');
            await click('g-incl.k-a', /sort=a_wt(&|$)/);
            falls(await values('g-incl.k-a'), 'before');
            assert.equal(await callees.locator('th[aria-sort=descending]').innerText(), 'Before ▼');
            await click('g-incl.k-p', /sort=p_wt/);
            falls((await values('g-incl.k-p')).map(Math.abs), 'in percent');
            await click('g-ct.k-d', /sort=ct/);
            assert.equal(await callees.locator('table.lead-ct td.g-ct.k-d.main').count(), (await values('g-ct.k-d')).length);
        });
    });

    test('hostile names are text, and each leads to its page', async () => {
        await onPage({}, async (page) => {
            const path = `index.php?run1=${HOSTILE}&run2=${AFTER}&source1=hostile&source2=shop`;
            await page.goto(site.root + path);
            await page.locator('.virtual tbody:not(.spacer) tr').first().waitFor();
            for (const name of ['<script>alert(1)</script>', 'bad\\xFFutf\\xC3(-8\\xE2\\x82', 'NamespaceWithoutAnyBreak']) {
                await page.goto(`${site.root}${path}&q=${encodeURIComponent(name.slice(0, 3) === 'bad' ? 'utf' : name.slice(0, 12))}`);
                const row = page.locator('.virtual tbody:not(.spacer) tr').first();
                await row.waitFor();
                assert.ok((await row.locator('th').textContent() ?? '').includes('gone'));
                await row.locator('a').click();
                await page.locator('h1 .badge.gone').waitFor();
                assert.ok((await page.locator('h1').textContent() ?? '').includes(name), name);
            }
        });
    });

    test('another metric is one click away and stays on the way to the other views', async () => {
        await onPage({}, async (page) => {
            await page.goto(site.root + DIFF);
            await page.getByRole('navigation', { name: 'Metric' }).getByRole('link', { name: 'CPU time' }).click();
            await page.waitForURL(/metric=cpu/);
            assert.match(await page.locator('.sum').first().textContent() ?? '', /CPU time/);
            const views = page.getByRole('navigation', { name: 'Views of this comparison' });
            for (const name of await views.getByRole('link').allTextContents()) {
                await views.getByRole('link', { name }).click();
                await page.locator(`nav a[aria-current="page"]`, { hasText: name }).first().waitFor();
                assert.match(page.url(), /metric=cpu/, name);
                assert.ok(await page.locator('.versus').isVisible(), name);
            }
        });
    });
});

describe('sets of runs', () => {
    test('runs of two revisions are picked in the list and compared', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}index.php?only=nightly`);
            const pick = async (/** @type {number} */ from, /** @type {string} */ side) => {
                const button = page.getByRole('button', { name: `Picked as ${side}` });
                await button.and(page.locator(':disabled')).waitFor(); // the scripts have started
                for (const box of (await page.locator('tbody input[type=checkbox]').all()).slice(from, from + 5)) {
                    await box.check();
                }
                await button.click();
            };
            await pick(0, 'B');
            await page.locator('.note', { hasText: 'and 4 more' }).waitFor();
            await pick(5, 'A');
            await page.locator('.sum', { hasText: '+22.4 %' }).waitFor();
            assert.deepEqual(await (await page.locator('.versus a:not(.swap)').allTextContents()).slice(0, 2), ['Mean of 5 runs', 'Mean of 5 runs']);
        });
    });

    test('what may be chance is grey and says why; numbers have their spread', async () => {
        await onPage({}, async (page) => {
            await page.goto(site.root + SETS);
            await page.locator('.virtual tbody:not(.spacer) tr').first().waitFor();
            assert.match(await page.locator('.sum').first().textContent() ?? '', /\+22\.4 % \(\+16\.1 ms\) wall time \(p = 0\.007\): 67 % of it in PDOStatement::execute/);
            assert.match(await page.locator('.totals').textContent() ?? '', /± 3\.00 ms → ± 7\.68 ms, p = 0\.007/);
            const grey = page.locator('tr.faint', { hasText: 'json_decode' }).first();
            assert.match(await grey.locator('th').getAttribute('title') ?? '', /may be chance, p = |under 1 % of the total/);
            assert.equal(await page.locator('tr:not(.faint)', { hasText: 'PDOStatement::execute' }).first().isVisible(), true);
            assert.match(await page.locator('#results').textContent() ?? '', /Welch's t-test/);
            await shot(page, 'compare-sets');
        });
    });

    test('their mean: median instead, the most scattered first, without the outlier', async () => {
        await onPage({}, async (page) => {
            await page.goto(site.root + MEAN);
            await page.getByRole('link', { name: 'Median' }).click();
            await page.waitForURL(/agg=median/);
            await page.locator('thead a', { hasText: '± %' }).first().click();
            await page.waitForURL(/sort=cv_excl_wt/);
            await page.locator(`${ROWS}:first-child .fn`, { hasText: 'App\\Audit::log' }).waitFor();
            assert.equal(await page.evaluate(() => document.activeElement?.closest('th')?.getAttribute('aria-sort')), 'descending');
            await page.getByRole('link', { name: 'Max', exact: true }).click();
            await page.waitForURL(/agg=max/);
            assert.match(page.url(), /sort=cv_excl_wt/, 'the order stays');
            assert.equal((await page.locator('tbody svg.strip path').first().getAttribute('d') ?? '').split('M').length, 11);
            await shot(page, 'mean');
            await page.goto(`${site.root}index.php?run=${ids(6, 10)}&source=nightly`);
            await page.getByRole('link', { name: 'Mean without the outliers' }).click();
            await page.locator('h1', { hasText: 'Mean of 4 runs' }).waitFor();
        });
    });
});

for (const [name, path] of Object.entries({
    comparison: DIFF, 'comparison of sets': SETS, 'compared function': `${SETS}&symbol=json_decode`, mean: `${MEAN}&agg=p95`,
})) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        test(`${name}, ${colorScheme}: nothing serious for axe`, async () => {
            await onPage({ colorScheme }, async (page) => {
                await page.goto(site.root + path);
                await page.locator(name.startsWith('comparison') ? '.virtual tr' : ROWS).first().waitFor();
                await assertAccessible(page);
                await shot(page, `${name}-${colorScheme}`.replaceAll(' ', '-'));
            });
        });
    }
    test(`${name} on a phone without JavaScript`, async () => {
        await onPage({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false }, async (page) => {
            await page.goto(site.root + path);
            await page.locator(ROWS).first().waitFor();
            await page.locator(`${ROWS} td.main`).first().waitFor();
            await shot(page, `${name}-phone`.replaceAll(' ', '-'));
        });
        await onPage({ viewport: { width: 390, height: 844 } }, async (page) => {
            await page.goto(site.root + path);
            await assertFits(page);
        });
    });
}
