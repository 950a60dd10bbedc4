/** The problems planted in demo/shop, in runs made by demo/shop/visit.php: each is found by at most two clicks from the list. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertFits, PHP, shot, withSite } from './support.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SHOP = join(ROOT, 'demo/shop');
const MOST = 2;

/** @returns {string | undefined} why the shop cannot be visited here */
function missing() {
    if (!existsSync(process.env.XHPROF_SO ?? join(ROOT, 'extension/modules/xhprof.so'))) {
        return 'the extension is not built: make build';
    }
    const extensions = execFileSync(PHP, ['-r', 'echo implode(" ", array_filter(["curl", "pdo_sqlite"], fn($e) => !extension_loaded($e)));']);

    return extensions.length > 0 ? `this PHP has no ${extensions}` : undefined;
}

const skip = missing();
const { site, onPage } = skip !== undefined ? { site: { root: '' }, onPage: async () => {} } : withSite({
    runs: (folder) => {
        execFileSync(PHP, [join(SHOP, 'visit.php'), '--no-databases', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    },
    env: { XHPROF_SOURCE_ROOTS: SHOP },
});

/**
 * Begins at the list of runs, and counts clicks.
 *
 * @param {(click: (link: import('playwright-core').Locator) => Promise<void>, page: import('playwright-core').Page) => Promise<void>} visit
 */
async function fromTheList(visit) {
    await onPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
        let clicks = 0;
        await page.goto(`${site.root}index.php`);
        await visit(async (link) => {
            clicks++;
            assert.ok(clicks <= MOST, `more than ${MOST} clicks`);
            await link.click();
            await page.waitForLoadState();
        }, page);
        await page.setViewportSize({ width: 390, height: 844 });
        await assertFits(page);
    });
}

/** @param {import('playwright-core').Page} page @param {string} name */
const run = (page, name) => page.locator('main tbody').getByRole('link', { name, exact: true });

/** @param {import('playwright-core').Page} page @param {RegExp} text */
const finding = (page, text) => page.locator('.findings li').filter({ hasText: text });

test('a query per product: its statement, the number of calls, and who makes them', { skip }, async () => {
    await fromTheList(async (click, page) => {
        await click(run(page, '/reviews'));
        await click(finding(page, /^150 queries, .*Shop\\Shelf::list.*“SELECT COUNT/).locator('> a:not(.lit-link)'));
        const row = page.locator('tr.selected');
        assert.equal(await row.locator('code').innerText(), 'SELECT COUNT(*) AS number, AVG(stars) AS stars FROM review WHERE product = ?');
        assert.equal(await row.locator('td').nth(1).innerText(), '150');
        const path = row.locator('.paths li').first();
        assert.ok(await path.isVisible());
        assert.match(await path.innerText(), /150 calls, in a loop of Shelf::list/);
        assert.match(await path.locator('.path').innerText(), /Reviews::of ← Shelf::list ← Application::reviews/);
        await shot(page, 'shop-operations');
    });
});

test('a slow statement: its text, its time, and who makes it', { skip }, async () => {
    await fromTheList(async (click, page) => {
        await click(run(page, '/bestsellers/sqlite'));
        await click(finding(page, /^One call of .* Shop\\Sales::bestsellers\. “SELECT a\.product/).locator('> a:not(.lit-link)'));
        const row = page.locator('tr.selected');
        assert.match(await row.locator('code').innerText(), /^SELECT a\.product, COUNT\(\*\) AS below FROM sale a, sale b WHERE a\.cents > b\.cents/);
        assert.equal(await row.locator('td').nth(1).innerText(), '1');
        assert.match(await row.locator('.path').innerText(), /Sales::bestsellers/);
        assert.ok(await row.locator('.path').isVisible());
    });
});

test('a slow line: in the source, with nearly all of the time', { skip }, async () => {
    await fromTheList(async (click, page) => {
        await click(run(page, '/duplicates'));
        await click(finding(page, /% of the wall time in levenshtein/).locator('> a:not(.lit-link)'));
        assert.equal(await page.locator('h1').innerText(), 'Shop\\Duplicates::of');
        const lines = await page.locator('table.code tbody tr').evaluateAll((rows) => rows.map((row) => ({
            code: row.querySelector('code')?.textContent ?? '',
            share: Number.parseFloat(row.querySelector('td.num .p')?.textContent ?? '0'),
            heat: [...row.querySelectorAll('[class*="heat-"]')].map((bar) => bar.getAttribute('class')).join(' '),
        })));
        const hottest = [...lines].sort((a, b) => b.share - a.share)[0];
        assert.match(hottest?.code ?? '', /\$distance = levenshtein\(/);
        assert.ok((hottest?.share ?? 0) > 50, JSON.stringify(lines));
        assert.match(hottest?.heat ?? '', /heat-[1-9]/);
        await shot(page, 'shop-source');
    });
});

test('a leak: what holds the memory, by where it was allocated', { skip }, async () => {
    await fromTheList(async (click, page) => {
        await click(run(page, 'php demo/shop/import.php 40'));
        assert.equal(await finding(page, / still held, .*Shop\\History::record/s).count(), 1);
        await click(page.getByRole('navigation', { name: 'Views of this run' }).getByRole('link', { name: 'Memory', exact: true }));
        const row = page.locator('table.memory tbody tr').first();
        assert.match(await row.locator('th').innerText(), /Shop\\History::record\s+← importPrices ← main\(\)/);
        assert.match(await row.innerText(), /9\d\.\d %/);
        assert.match(await row.innerText(), /Shop\\Change/);
        await shot(page, 'shop-memory');
    });
});

test('a leak: what holds the memory, in a heap snapshot', { skip }, async () => {
    await fromTheList(async (click, page) => {
        await click(page.getByRole('link', { name: 'Heap', exact: true }));
        await click(page.locator('.heap-list tbody a').first());
        await page.locator('.treemap-canvas').waitFor();
        assert.match(await page.locator('table.heap-groups').getByRole('row', { name: /Shop\\Change/ }).last().innerText(), /4 000/);
        await page.locator('details.twin summary', { hasText: 'What holds the most' }).evaluate((summary) => {
            /** @type {HTMLDetailsElement} */ (summary.parentElement).open = true;
        });
        const holder = page.locator('[data-treemap-table] tr.part').first();
        assert.match(await holder.innerText(), /History::\$changes\[\*\]->note/);
        await shot(page, 'shop-heap');
    });
});
