/** The call tree, as people use it: opened by keys and mouse, sorted, searched, turned around. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, saveRuns, shot, withSite } from './support.mjs';

const ONE = 'f1111111111111111111111111111111';
const TREE = `index.php?run=${ONE}&source=shop&view=calltree`;

/** main() 100 ms > App\Kernel::handle 90 > (Db\Pdo::query 40 > wait 10, App\View::render 30 > App\View::render 20), strlen 5 */
const RUN = {
    v: 1, kind: 'tree', order: 'preorder', n: 7,
    names: ['main()', 'App\\Kernel::handle', 'Db\\Pdo::query', 'wait', 'App\\View::render', 'strlen'],
    fn: [0, 1, 2, 3, 4, 4, 5], depth: [0, 1, 2, 3, 2, 3, 1], ct: [1, 1, 4, 4, 2, 6, 10],
    self: { wt: [5, 20, 30, 10, 10, 20, 5].map((ms) => ms * 1e6), cpu: [5, 20, 3, 0, 10, 20, 5].map((ms) => ms * 1e6) },
};

const { site, onPage } = withSite({
    runs: (folder) => {
        const made = [{ id: ONE, source: 'shop', tree: RUN }];
        saveRuns(folder, made);
    },
});

/**
 * @param {import('playwright-core').Page} page
 * @param {string} url
 */
async function open(page, url) {
    await page.goto(site.root + url);
    await page.locator('.call-tree tbody:not(.spacer) tr').first().waitFor();
}

/** @param {import('playwright-core').Page} page @returns {Promise<string[]>} "2 -Db\Pdo::query 40.0 ms 40.0 % 30.0 ms 30.0 % 4", by level */
const rows = (page) => page.locator('.call-tree tbody:not(.spacer) tr').evaluateAll((all) => all.map((row) => {
    const expanded = row.getAttribute('aria-expanded');
    const cells = [...row.querySelectorAll('td')].map((cell) => [...cell.querySelectorAll('span')].map((span) => span.textContent).join(' '));

    return `${row.getAttribute('aria-level')} ${{ true: '-', false: '+' }[expanded ?? ''] ?? ''}${row.querySelector('.fn')?.textContent} ${cells.join(' ')}`;
}));
/** @param {import('playwright-core').Page} page */
const names = async (page) => (await rows(page)).map((row) => row.split(' ')[1]);
const query = (page) => Object.fromEntries(new URL(page.url()).searchParams);
const selected = (page) => page.locator('.call-tree tr[aria-selected="true"] .fn').allInnerTexts();

describe('call tree', () => {
    test('rows open by mouse and keys; the selection is in the address', () => onPage({}, async (page) => {
        await open(page, TREE);
        assert.deepEqual(await rows(page), [
            '1 -main() 100 ms 100.0 % 5.00 ms 5.0 % 1',
            '2 +App\\Kernel::handle 90.0 ms 90.0 % 20.0 ms 20.0 % 1',
            '2 strlen 5.00 ms 5.0 % 5.00 ms 5.0 % 10',
        ]);
        assert.equal(await page.locator('.inspector').isVisible(), false, 'nothing is selected: the table has the room');
        await page.locator('.call-tree tr .twisty').nth(1).click();
        assert.deepEqual(await names(page), ['-main()', '-App\\Kernel::handle', '+Db\\Pdo::query', '+App\\View::render', 'strlen']);
        await page.locator('.call-tree tr').filter({ hasText: 'query' }).locator('.fn').click();
        assert.equal(query(page).sel, 'Db\\Pdo::query');
        assert.match(query(page).root, /^2-[0-9a-f]+$/);
        await page.locator('.inspector').filter({ hasText: /Pdo::query[\s\S]*40\.0 ms/ }).waitFor();
        await page.locator('.call-tree').focus();
        await page.keyboard.press('ArrowRight');
        assert.deepEqual((await names(page))[3], 'wait');
        await page.keyboard.press('ArrowRight');
        assert.deepEqual(await selected(page), ['wait']);
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        assert.deepEqual([await selected(page), (await names(page)).includes('wait')], [['Db\\Pdo::query'], false]);
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        assert.deepEqual(await names(page), ['-main()', '+App\\Kernel::handle', 'strlen']);
        await page.keyboard.press('*');
        assert.equal((await rows(page)).length, 7);
        await page.keyboard.press('Enter');
        assert.equal((await rows(page)).length, 3);
        await page.reload();
        await page.locator('.call-tree tr[aria-selected="true"]').waitFor();
        assert.deepEqual(await selected(page), ['App\\Kernel::handle']);
        await assertAccessible(page);
    }));

    test('the hot path opens with one key, from the selected row', () => onPage({}, async (page) => {
        await open(page, TREE);
        await page.keyboard.press('h');
        assert.deepEqual(await names(page), ['-main()', '-App\\Kernel::handle', '+Db\\Pdo::query', '+App\\View::render', 'strlen']);
        assert.deepEqual(await selected(page), ['Db\\Pdo::query']);
        await page.getByRole('button', { name: 'Close all' }).click();
        assert.deepEqual(await names(page), ['+main()']);
    }));

    test('it sorts by any column and metric, and shows callers below functions; "back" turns it around again', () => onPage({}, async (page) => {
        await open(page, TREE);
        await page.keyboard.press('b');
        assert.deepEqual((await rows(page)).slice(0, 3), [
            '1 +Db\\Pdo::query 40.0 ms 40.0 % 30.0 ms 30.0 % 4',
            '1 +App\\View::render 30.0 ms 30.0 % 30.0 ms 30.0 % 8',
            '1 +App\\Kernel::handle 90.0 ms 90.0 % 20.0 ms 20.0 % 1',
        ]);
        await page.locator('.call-tree tr .twisty').nth(1).click();
        // 20 of its own 30 ms are spent when it has called itself.
        assert.deepEqual((await rows(page)).slice(1, 4), [
            '1 -App\\View::render 30.0 ms 30.0 % 30.0 ms 30.0 % 8',
            '2 +App\\View::render 20.0 ms 20.0 % 20.0 ms 20.0 % 6',
            '2 +App\\Kernel::handle 30.0 ms 30.0 % 10.0 ms 10.0 % 2',
        ]);
        await page.getByRole('button', { name: 'Total' }).click();
        assert.equal(query(page).by, 'total');
        assert.equal((await names(page))[0], 'main()');
        await page.locator('.call-tree th[aria-sort="descending"] button').click();
        assert.deepEqual([query(page).by, (await names(page))[0]], ['-total', '+strlen']);
        await page.goBack();
        await page.locator('.call-tree tr').filter({ hasText: 'main()' }).waitFor();
        assert.equal((await rows(page))[0].slice(0, 10), '1 -main() ');
        await page.selectOption('.flame-bar select', 'cpu');
        await page.locator('.call-tree tr').filter({ hasText: '63.0 ms' }).waitFor();
    }));

    test('a search keeps what matches, and its way from main()', () => onPage({}, async (page) => {
        await open(page, TREE);
        await page.fill('input[name=q]', 'wait');
        await page.locator('.call-tree tr.found').waitFor();
        assert.deepEqual(await names(page), ['-main()', '-App\\Kernel::handle', '-Db\\Pdo::query', 'wait']);
        assert.equal(await page.locator('.flame-status').innerText(), '1 path matches: 10.0 ms, 10.0 % of all');
        await page.fill('input[name=q]', '/(query|render)$/');
        await page.locator('.flame-status').filter({ hasText: '3 paths match: 70.0 ms, 70.0 % of all' }).waitFor();
        await page.keyboard.press('Escape');
        for (const wanted of ['Db\\Pdo::query', 'App\\View::render', 'App\\View::render', 'Db\\Pdo::query']) {
            await page.keyboard.press('.');
            assert.deepEqual(await selected(page), [wanted]);
        }
        await page.getByRole('button', { name: 'Previous match of the search' }).click();
        assert.deepEqual([await selected(page), await page.locator('.call-tree tr[aria-selected="true"]').getAttribute('aria-level')], [['App\\View::render'], '4']);
        await page.fill('input[name=q]', '/(/');
        await page.locator('.flame-status').filter({ hasText: 'This is no regular expression: Unterminated group' }).waitFor();
        assert.deepEqual(await rows(page), []);
        await page.fill('input[name=q]', '');
        await page.locator('.call-tree tr').filter({ hasText: 'strlen' }).waitFor();
        assert.deepEqual(await names(page), ['-main()', '+App\\Kernel::handle', 'strlen']);
    }));

    test('on a phone one column of figures is left, in the dark too', () => onPage({ colorScheme: 'dark', viewport: { width: 390, height: 844 } }, async (page) => {
        await open(page, TREE);
        await page.locator('.call-tree').focus();
        await page.keyboard.press('h');
        assert.deepEqual((await rows(page))[0], '1 -main() 100 ms 100.0 %');
        await assertFits(page);
        await assertAccessible(page);
        await shot(page, 'call-tree-phone');
    }));
});
