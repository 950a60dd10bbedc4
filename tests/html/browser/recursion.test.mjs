/** A function that calls itself: every view has the same figures of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, saveRuns, shot, withSite } from './support.mjs';

const ID = `f${'7'.repeat(31)}`;
const RUN = `index.php?run=${ID}&source=shop`;
const NAME = 'App\\Walker::node';
const SEL = `sel=${encodeURIComponent(NAME)}`;

/**
 * main() 2 ms > node 5 > (list 3 > node 7 > node 11, leaf 1), and main() > node 13: three levels, directly and through list. Of
 * node: 5 + 7 + 11 + 13 = 36 ms of its own, 5 + 3 + 7 + 11 + 1 + 13 = 40 ms with all it calls, 1 + 4 + 8 + 2 = 15 calls.
 */
const TREE = {
    v: 1, kind: 'tree', order: 'preorder', n: 7,
    names: ['main()', NAME, 'App\\Walker::list', 'leaf'],
    fn: [0, 1, 2, 1, 1, 3, 1], depth: [0, 1, 2, 3, 4, 2, 1], ct: [1, 1, 3, 4, 8, 2, 2],
    self: { wt: [2, 5, 3, 7, 11, 1, 13].map((ms) => ms * 1e6) },
};

/** @param {string} folder */
function runs(folder) {
    saveRuns(folder, [{ id: ID, source: 'shop', tree: TREE }]);
}

const { site, onPage } = withSite({ runs });

/**
 * The inspector's lines by their first word.
 *
 * @param {import('playwright-core').Page} page
 */
async function inspected(page) {
    await page.locator('.inspector .inspected').waitFor();
    const lines = await page.locator('.inspector .inspected > div').evaluateAll((divs) => divs.map((div) => [
        div.querySelector('dt')?.textContent ?? '', div.querySelector('dd')?.firstChild?.textContent ?? '',
    ]));
    const line = (/** @type {RegExp} */ label) => lines.find(([text = '']) => label.test(text))?.[1];

    return { calls: line(/^Calls/), exclusive: line(/^Self/), inclusive: line(/total$/) };
}

/** @param {import('playwright-core').Page} page @param {string} name of a row in the table of functions */
async function row(page, name) {
    const cells = page.locator('.run-functions tbody tr').filter({ has: page.locator('th', { hasText: name }) }).first().locator('td');

    return { calls: await cells.nth(0).innerText(), exclusive: await cells.nth(1).locator('.v').innerText(), inclusive: await cells.nth(2).locator('.v').innerText() };
}

describe('a recursive function', () => {
    const figures = { calls: '15', exclusive: '36.0 ms', inclusive: '40.0 ms' };

    for (const javaScriptEnabled of [true, false]) {
        test(`is one row; its levels show when they are asked for, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
            await onPage({ javaScriptEnabled }, async (page) => {
                await page.goto(`${site.root}${RUN}&sort=excl_wt`);
                await page.locator(javaScriptEnabled ? '.virtual tbody tr[aria-rowindex]' : '.run-functions tbody tr').first().waitFor();
                assert.deepEqual(await row(page, NAME), figures);
                assert.equal(await page.locator('.line .count').first().innerText(), '4 rows');
                await shot(page, 'recursion-functions');
                await page.getByRole('link', { name: 'Show levels of recursion' }).click();
                await page.locator('.count', { hasText: '6 rows' }).waitFor();
                assert.deepEqual(await row(page, `${NAME}@1`), { calls: '4', exclusive: '7.00 ms', inclusive: '18.0 ms' });
                await page.waitForURL(/sort=excl_wt/);
                assert.match(await page.getByRole('link', { name: 'Call graph' }).getAttribute('href') ?? '', /levels=1/);
                await page.getByRole('link', { name: 'Hide levels of recursion' }).click();
                await page.locator('.count', { hasText: '4 rows' }).waitFor();
                assert.doesNotMatch(page.url(), /levels/);
            });
        });
    }

    test('has the same figures in the inspectors, the sandwich and on its page', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}${RUN}&view=flame&${SEL}`);
            assert.deepEqual(await inspected(page), figures);
            assert.match(await page.locator('.inspector').innerText(), /Recursive: 12 of its calls are nested, made by itself, App\\Walker::list/);
            await shot(page, 'recursion-flame');
            // levels=1 applies to functions; the picture ignores it.
            await page.goto(`${site.root}${RUN}&view=flame&levels=1&${SEL}`);
            assert.deepEqual(await inspected(page), figures);
            await page.goto(`${site.root}${RUN}&view=graph&${SEL}`);
            assert.deepEqual(await inspected(page), figures);
            await page.goto(`${site.root}${RUN}&view=sandwich&${SEL}`);
            await page.getByText('40.0 ms').first().waitFor();
            const said = await page.locator('.island').innerText();
            for (const figure of Object.values(figures)) {
                assert.ok(said.includes(figure), `${figure} in ${said}`);
            }
            await page.goto(`${site.root}${RUN}&symbol=${encodeURIComponent(NAME)}`);
            assert.match(await page.locator('.head').innerText(), /15 calls/);
            assert.deepEqual(await page.locator('.own tbody tr').first().locator('td .v').allInnerTexts(), ['36.0 ms', '40.0 ms', '2.67 ms']);
            const callers = page.locator('section[aria-labelledby=callers] tbody tr');
            assert.deepEqual(await callers.locator('th').allInnerTexts(), ['main()']);
            assert.deepEqual(await callers.locator('td .v').allInnerTexts(), ['3', '40.0 ms']);
            const note = page.locator('.note', { hasText: 'Recursive' });
            assert.match(await note.innerText(), /12 of its calls are nested, made by itself \(8\) and App\\Walker::list \(4\)/);
            await assertAccessible(page);
            await shot(page, 'recursion-function');
            await note.getByRole('link', { name: '@1' }).click();
            await page.getByText('nested in one other call of it').waitFor();
            await page.getByRole('link', { name: 'Merge all levels' }).click();
            assert.match(await page.locator('.head').innerText(), /15 calls/);
        });
    });

    test('on a phone the switches and the count are above the table', async () => {
        await onPage({ viewport: { width: 390, height: 844 } }, async (page) => {
            await page.goto(site.root + RUN);
            await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
            await assertFits(page);
            await assertAccessible(page);
            await page.getByText('About this run').click();
            await assertFits(page);
            await shot(page, 'recursion-phone');
        });
    });
});
