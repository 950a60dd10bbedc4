/** The list of runs in use: search, filter, sort, pick and compare, tag, note, pin, delete; with and without JavaScript. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AFTER, BEFORE, assertAccessible, assertFits, shot, withSite } from './support.mjs';

const { site, onPage } = withSite();

/**
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>}
 */
const titles = (page) => page.locator('.runs tbody .c-title > a[title]').allInnerTexts();

/**
 * @param {import('playwright-core').Page} page
 * @param {boolean} live whether the list follows each keystroke
 * @param {RegExp} address
 */
async function filtered(page, live, address) {
    if (!live) {
        await press(page, 'Filter');
    }
    await page.waitForURL(address);
}

for (const javaScriptEnabled of [true, false]) {
    describe(`JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => {
        test('search, filter, sort, page', () => onPage({ javaScriptEnabled }, async (page) => {
            await page.goto(`${site.root}index.php`);
            assert.equal(await page.locator('.runs tbody tr').count(), 50);
            await page.getByRole('link', { name: 'Next →' }).click();
            assert.match(await page.locator('.pager').innerText(), /51–\d+ of \d+ runs/);
            await page.goto(`${site.root}index.php`);
            await page.locator('input[name=q]').fill('ORDERS page=2');
            await filtered(page, javaScriptEnabled, /q=ORDERS/);
            assert.deepEqual(new Set((await titles(page)).map((title) => title.replace(/\d.*/, ''))), new Set(['/orders?page=']));
            await page.locator('select[name=only]').selectOption('shop');
            await filtered(page, javaScriptEnabled, /only=shop/);
            await page.getByText('More filters').click();
            await page.getByLabel('wall time at least').fill('100ms');
            await filtered(page, javaScriptEnabled, /min=100ms/);
            assert.equal((await titles(page)).length, 2);
            await page.getByLabel('from').fill('2025-11-21');
            await filtered(page, javaScriptEnabled, /from=2025-11-21/);
            assert.match(await page.locator('.empty').innerText(), /No run matches/);
            await page.goto(`${site.root}index.php?q=orders`);
            await page.getByRole('link', { name: 'Wall' }).click();
            await page.waitForURL(/q=orders/);
            await page.waitForURL(/sort=wt/);
            assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Wall ▼');
            await page.getByRole('link', { name: 'Run', exact: true }).click();
            assert.equal(await page.locator('th[aria-sort=ascending]').innerText(), 'Run ▲');
        }));

        test('pick two and compare, several for a mean', () => onPage({ javaScriptEnabled }, async (page) => {
            await page.goto(`${site.root}index.php`);
            await page.locator(`input[value="${AFTER}.shop"]`).check();
            await page.locator(`input[value="${BEFORE}.shop"]`).check();
            await press(page, 'Compare two');
            await page.waitForURL(new RegExp(`run1=${BEFORE}&run2=${AFTER}`));
            await page.waitForLoadState('networkidle');
            await page.goBack();
            await page.waitForURL(/index\.php$/);
            await page.locator(`input[value="${AFTER}.shop"]`).check();
            await page.locator(`input[value="${BEFORE}.shop"]`).check();
            await press(page, 'Mean of several');
            await page.waitForURL(/run=a0+\d%2Ca0+\d&source=shop/);
        }));

        test('tag, note, pin, filter by them, take them away', () => onPage({ javaScriptEnabled }, async (page) => {
            await page.goto(`${site.root}index.php?q=cart`);
            const row = page.locator('.runs tbody tr').nth(1);
            const id = await row.locator('input').inputValue();
            await row.locator('a[data-label]').click();
            if (javaScriptEnabled) {
                await page.locator('dialog[open]').waitFor();
                await assertAccessible(page);
                await shot(page, 'runs-label');
            } else {
                assert.equal(await page.locator('h1').innerText(), 'Label');
            }
            await page.locator('input[name=tags]').fill('nightly,  release <42>');
            await press(page, 'Save');
            assert.match(await page.locator('.warning').innerText(), /A tag has at most 40 characters/);
            assert.equal(await page.locator('input[name=tags]').inputValue(), 'nightly,  release <42>');
            await page.locator('input[name=tags]').fill('nightly,  release 42');
            await page.locator('textarea').fill('after <b>lunch</b>\nand a nap');
            await page.getByLabel('Pinned: kept').check();
            await press(page, 'Save');
            assert.equal(await page.getByRole('status').innerText(), 'Saved.');
            await page.waitForURL(/q=cart/);
            assert.match(await row.locator('.c-title').innerText(), /★.*nightly.*release 42.*after <b>lunch<\/b>/s);
            await page.reload();
            assert.equal(await page.getByRole('status').count(), 0, 'it is shown once');

            await row.getByRole('link', { name: 'release 42' }).click();
            await page.waitForURL(/tag=release/);
            assert.deepEqual(await page.locator('.runs input[type=checkbox]').evaluateAll((boxes) => boxes.map((box) => box.value)), [id]);
            await page.goto(`${site.root}index.php?pinned=1`);
            await page.locator(`input[value="${id}"]`).check();
            await page.locator('input[name=tag]').fill('nightly');
            await press(page, 'Untag');
            assert.equal(await page.getByRole('status').innerText(), 'Untagged 1 run.');
            await page.locator(`input[value="${id}"]`).check();
            await press(page, 'Unpin');
            assert.equal(await page.getByRole('status').innerText(), 'Unpinned 1 run.');
            assert.match(await page.locator('.empty').innerText(), /No run matches/);
        }, 400));

        test('delete: asked first, pinned ones stay', () => onPage({ javaScriptEnabled }, async (page) => {
            const list = `${site.root}index.php?q=products&sort=wt`;
            await page.goto(list);
            const boxes = page.locator('.runs input[type=checkbox]');
            const before = await boxes.count();
            const [one, two] = [await boxes.nth(0).inputValue(), await boxes.nth(1).inputValue()];
            await boxes.nth(0).check();
            await press(page, 'Pin');
            await boxes.nth(0).check();
            await boxes.nth(1).check();
            await press(page, 'Delete…');
            assert.equal(await page.locator('h1').innerText(), 'Delete these 2 runs?');
            if (javaScriptEnabled) {
                await assertAccessible(page);
            }
            await page.getByRole('link', { name: 'Keep them' }).click();
            await page.waitForURL(/sort=wt/);
            assert.equal(await boxes.count(), before);
            await boxes.nth(0).check();
            await boxes.nth(1).check();
            await press(page, 'Delete…');
            await press(page, 'Delete');
            assert.equal(await page.getByRole('status').innerText(), 'Deleted 1 run. 1 run pinned: kept.');
            assert.equal(await boxes.count(), before - 1);
            assert.equal(await page.locator(`input[value="${two}"]`).count(), 0);
            await page.locator(`input[value="${one}"]`).check();
            await press(page, 'Delete…');
            await page.getByLabel('Delete the pinned one too').check();
            await press(page, 'Delete');
            assert.equal(await page.getByRole('status').innerText(), 'Deleted 1 run.');
            assert.equal(await page.locator(`input[value="${one}"]`).count(), 0);
        }));
    });
}

test('by keyboard: arrows, x, n, Enter', () => onPage({}, async (page) => {
    await page.goto(`${site.root}index.php`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    assert.ok(await page.locator('.runs input[type=checkbox]').nth(1).isChecked());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('x');
    assert.ok(!await page.locator('.runs input[type=checkbox]').nth(1).isChecked());
    await page.keyboard.press('x');
    await page.keyboard.press('n');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.locator('input[name=tag]').fill('by hand');
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('status').innerText(), 'Tagged 1 run.');
    await page.locator('[data-tools] button').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/run=/);
}));

test('the list stays usable after the filter has replaced it', () => onPage({}, async (page) => {
    await page.goto(`${site.root}index.php`);
    await page.locator('input[name=q]').fill('products');
    await page.waitForURL(/q=products/);
    await page.locator('.runs input[type=checkbox]').first().check();
    await page.locator('input[name=tag]').fill('kept');
    await press(page, 'Tag');
    await page.waitForURL(/q=products/);
    assert.equal(await page.getByRole('status').innerText(), 'Tagged 1 run.');
}));

for (const [name, path] of Object.entries({ list: 'index.php', label: `index.php?view=label&run=${BEFORE}&source=shop`, none: 'index.php?q=zzz' })) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        test(`${name} is accessible, ${colorScheme}, and fits a phone`, () => onPage({ colorScheme }, async (page) => {
            await page.goto(site.root + path);
            await assertAccessible(page);
            await shot(page, `runs-${name}-${colorScheme}`);
            await page.setViewportSize({ width: 390, height: 844 });
            await assertFits(page);
            for (const table of await page.locator('.scroll').all()) {
                const inner = await table.evaluate((box) => [box.scrollWidth, box.clientWidth]);
                assert.ok((inner[0] ?? 0) <= (inner[1] ?? 0), `the table is ${inner[0]} px wide in ${inner[1]} px`);
            }
            await shot(page, `runs-${name}-${colorScheme}-phone`);
        }));
    }
}

test('a form of another site changes nothing', () => onPage({}, async (page) => {
    await page.goto(`${site.root}index.php`);
    const answer = await page.context().request.post(`${site.root}index.php`, {
        form: { 'pick[]': `${BEFORE}.shop`, do: 'delete', sure: '1', csrf: await page.locator('input[name=csrf]').first().inputValue() },
        headers: { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    });
    assert.equal(answer.status(), 403);
    assert.match(await answer.text(), /sent by another site/);
}));

test('on a phone the buttons for picked runs come when one is picked; a filter keeps those for all it finds', () => onPage(
    { viewport: { width: 390, height: 780 } },
    async (page) => {
        const shown = () => page.locator('.actions .group button:visible').allInnerTexts();
        await page.goto(`${site.root}index.php`);
        assert.deepEqual(await shown(), []);
        const bar = await page.locator('.actions').boundingBox();
        assert.ok((bar?.height ?? 999) < 60, `${bar?.height} px`);
        await page.locator('.runs input[type=checkbox]').first().check();
        assert.equal((await shown()).length, 9);
        await page.locator('.runs input[type=checkbox]').first().uncheck();
        assert.deepEqual(await shown(), []);
        await page.goto(`${site.root}index.php?only=shop`);
        assert.ok((await shown()).some((words) => /^All \d+ as A$/.test(words)));
    },
));

test('at 1024 px CPU time and releases are there, and no request takes more than two lines', () => onPage(
    { viewport: { width: 1024, height: 800 } },
    async (page) => {
        await page.goto(`${site.root}index.php?only=shop`);
        for (const cell of ['.m-cpu', '.c-git', '.c-time', '.m-ct']) {
            assert.ok(await page.locator(`.runs tbody ${cell}`).first().isVisible(), cell);
        }
        const heights = await page.locator('.runs tbody tr:has(.method):not(:has(.tag, .remark))').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
        assert.ok(heights.length > 20);
        assert.ok(Math.max(...heights) < 54, heights.join(' '));
    },
));
