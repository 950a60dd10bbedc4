/** The call paths of both sides of a comparison, as people use them: the call tree and the sandwich. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, assertFits, saveRuns, shot, withSite } from './support.mjs';

const id = (/** @type {string} */ digit) => `f${digit.repeat(31)}`;
const [ONE, TWO, DEEP, HOSTILE] = ['1', '2', '3', '4'].map(id);
const BEFORE = ['5', '6', '7'].map(id);
const AFTER = ['8', '9'].map(id);
const BOTH = `index.php?run1=${ONE}&run2=${TWO}&source=shop`;

const ms = (/** @type {number[]} */ times) => times.map((time) => time * 1e6);

/** main() 100 ms > App\Kernel::handle 90 > (Db\Pdo::query 40 > wait 10, App\View::render 30 > App\View::render 20), strlen 5 */
const TREE = {
    v: 1, kind: 'tree', order: 'preorder', n: 7,
    names: ['main()', 'App\\Kernel::handle', 'Db\\Pdo::query', 'wait', 'App\\View::render', 'strlen'],
    fn: [0, 1, 2, 3, 4, 4, 5], depth: [0, 1, 2, 3, 2, 3, 1], ct: [1, 1, 4, 4, 2, 6, 10],
    self: { wt: ms([5, 20, 30, 10, 10, 20, 5]), cpu: ms([5, 20, 3, 0, 10, 20, 5]) },
};
/** The same where queries take twice as long and are done twice as often, wait is gone and a function is new. */
const SLOWER = {
    ...TREE, names: [...TREE.names.slice(0, 3), 'App\\Cache::get', ...TREE.names.slice(4)], ct: [1, 1, 8, 4, 2, 6, 10],
    self: { wt: ms([5, 20, 60, 10, 10, 12, 5]), cpu: ms([5, 20, 33, 0, 10, 12, 5]) },
};
/** Recursion that goes one level deeper, and a function that nothing but main() calls. */
const DEEPER = {
    ...TREE, n: 8, fn: [0, 1, 2, 3, 4, 4, 4, 5], depth: [0, 1, 2, 3, 2, 3, 4, 1], ct: [1, 1, 4, 4, 2, 6, 6, 10],
    self: { wt: ms([5, 20, 30, 10, 10, 20, 7, 5]), cpu: ms([5, 20, 3, 0, 10, 20, 7, 5]) },
};
const BAD = '<img src=x onerror=alert(1)>"\'&\u202e';
const NAMED = { ...TREE, names: ['main()', 'App\\Kernel::handle', BAD, 'wait', 'App\\View::render', 'strlen'] };
const timed = (/** @type {number} */ more) => ({ ...TREE, self: { wt: ms([5, 20, 30 + more, 10, 10, 20, 5]), cpu: ms([5, 20, 3 + more, 0, 10, 20, 5]) } });

const { site, onPage } = withSite({
    runs: (folder) => saveRuns(folder, [
        { id: ONE, source: 'shop', tree: TREE }, { id: TWO, source: 'shop', tree: SLOWER }, { id: DEEP, source: 'shop', tree: DEEPER },
        { id: HOSTILE, source: 'shop', tree: NAMED },
        ...BEFORE.map((run, at) => ({ id: run, source: 'shop', tree: timed(at) })),
        ...AFTER.map((run, at) => ({ id: run, source: 'shop', tree: timed(20 + at) })),
    ]),
});

/**
 * @param {import('playwright-core').Page} page
 * @param {string} url
 */
async function open(page, url) {
    await page.goto(site.root + url);
    await page.locator(':is(.call-tree, .function-list) tbody:not(.spacer) tr').first().waitFor();
}

/** @param {import('playwright-core').Page} page @returns {Promise<string[]>} "2 -query 40.0 ms|70.0 ms|▲ +30.0 ms +75.0 %|4 → 8" */
const rows = (page) => page.locator('.call-tree tbody:not(.spacer) tr').evaluateAll((all) => all.map((row) => {
    const expanded = { true: '-', false: '+' }[row.getAttribute('aria-expanded') ?? ''] ?? '';
    const badge = row.querySelector('.badge')?.textContent;
    const cells = [...row.querySelectorAll('td')].map((cell) => [...cell.querySelectorAll('span')].map((span) => span.textContent).join(' '));

    return `${row.getAttribute('aria-level')} ${expanded}${row.querySelector('.fn')?.textContent}${badge ? ` (${badge})` : ''}${row.classList.contains('faint') ? ' grey' : ''} ${cells.join('|')}`;
}));
const query = (/** @type {import('playwright-core').Page} */ page) => Object.fromEntries(new URL(page.url()).searchParams);
const text = (/** @type {import('playwright-core').Page} */ page, /** @type {string} */ selector) => page.locator(selector).first().innerText();
const listed = (/** @type {import('playwright-core').Page} */ page) => page.locator('.function-list tbody:not(.spacer) tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent).join('|')));

const open390 = { viewport: { width: 390, height: 844 } };

describe('call tree of a comparison', () => {
    test('paths of both sides by how much they changed; the selection is in the address', () => onPage({}, async (page) => {
        await open(page, `${BOTH}&view=calltree`);
        assert.equal(await text(page, '.flame-status'), '8 call paths, 4 levels');
        assert.match(await text(page, '.flame-note'), /^1 new and 1 gone of 8 call paths\. Grey: changes under 1 % of the total\.$/);
        await page.keyboard.press('h');
        assert.deepEqual(await rows(page), [
            '1 -main() 100 ms|122 ms|▲ +22.0 ms +22.0 %|1',
            '2 -App\\Kernel::handle 90.0 ms|112 ms|▲ +22.0 ms +24.4 %|1',
            '3 +Db\\Pdo::query 40.0 ms|70.0 ms|▲ +30.0 ms +75.0 %|4 → 8',
            '3 +App\\View::render 30.0 ms|22.0 ms|▼ -8.00 ms -26.7 %|2',
            '2 strlen grey 5.00 ms|5.00 ms|=|10',
        ]);
        assert.equal(query(page).sel, 'Db\\Pdo::query');
        await page.locator('.call-tree').focus();
        await page.keyboard.press('ArrowRight');
        assert.deepEqual((await rows(page)).slice(3, 5), ['4 wait (gone) 10.0 ms|0 ns|▼ -10.0 ms -100.0 %|4 → 0', '4 App\\Cache::get (new) 0 ns|10.0 ms|▲ +10.0 ms|0 → 4']);
        await shot(page, 'calltree-diff');
        await assertAccessible(page);
        await page.getByRole('button', { name: 'Self', exact: true }).click();
        await page.locator('.call-tree tr', { hasText: '60.0 ms' }).waitFor();
        assert.equal(query(page).of, 'own');
        assert.match(await text(page, '.selected-function'), /^Selected: Db\\Pdo::query/);
        await page.reload();
        await page.locator('.call-tree tr[aria-selected="true"]', { hasText: 'query' }).waitFor();
        assert.ok((await rows(page)).includes('3 +Db\\Pdo::query 30.0 ms|60.0 ms|▲ +30.0 ms +100.0 %|4 → 8'));
        await page.getByLabel('Metric').selectOption('cpu');
        await page.locator('.call-tree tr', { hasText: '33.0 ms' }).waitFor();
        await page.getByRole('button', { name: 'Before' }).click();
        assert.equal(query(page).by, 'a');
        assert.match((await rows(page))[1], /^2 -App\\Kernel::handle grey 20\.0 ms\|20\.0 ms/);
    }));

    test('a search, the menu, and the other views of the function', () => onPage({}, async (page) => {
        await open(page, `${BOTH}&view=calltree&q=query`);
        await page.locator('.call-tree .found').waitFor();
        assert.equal(await text(page, '.flame-status'), '1 path matches: ▲ +30.0 ms (+75.0 %)');
        await page.keyboard.press('.');
        await page.locator('.call-tree').focus();
        await page.keyboard.press('Shift+F10');
        await page.getByRole('menuitem', { name: 'All callers and callees (sandwich)' }).click();
        await page.waitForURL(/view=sandwich/);
        await page.locator('.filling', { hasText: /query total 40\.0 ms → 70\.0 ms/ }).waitFor();
        await page.keyboard.press('p');
        await page.waitForURL(/view=calltree/);
        await page.locator('.call-tree tr[aria-selected="true"]', { hasText: 'query' }).waitFor();
    }));

    test('recursion that goes deeper, and sides that are means', () => onPage({}, async (page) => {
        await open(page, `index.php?run1=${ONE}&run2=${DEEP}&source=shop&view=calltree&by=name`);
        await page.locator('.call-tree tbody:not(.spacer) tr').first().click();
        await page.keyboard.press('*');
        assert.deepEqual((await rows(page)).filter((row) => row.includes('render')), [
            '3 -App\\View::render 30.0 ms|37.0 ms|▲ +7.00 ms +23.3 %|2',
            '4 -App\\View::render 20.0 ms|27.0 ms|▲ +7.00 ms +35.0 %|6',
            '5 App\\View::render (new) 0 ns|7.00 ms|▲ +7.00 ms|0 → 6',
        ]);
        await open(page, `index.php?run1=${BEFORE}&run2=${AFTER}&source=shop&view=calltree`);
        await page.keyboard.press('h');
        assert.ok((await rows(page)).includes('3 +Db\\Pdo::query 41.0 ms|60.5 ms|▲ +19.5 ms +47.6 %|4'), (await rows(page)).join('\n'));
        assert.match(await text(page, '.flame-note'), /A side of several runs is their mean, path by path\./);
    }));

    test('hostile names are text; it fits a narrow and a dark screen', () => onPage({ ...open390, colorScheme: 'dark' }, async (page) => {
        await open(page, `index.php?run1=${ONE}&run2=${HOSTILE}&source=shop&view=calltree`);
        await page.locator('.call-tree tbody:not(.spacer) tr').first().click();
        await page.keyboard.press('*');
        assert.equal(await page.locator('.call-tree img').count(), 0);
        assert.ok((await rows(page)).some((row) => row.includes('onerror') && row.includes('(new)')));
        await assertFits(page);
        await shot(page, 'calltree-diff-390-dark');
        await assertAccessible(page);
    }));
});

describe('sandwich of a comparison', () => {
    test('functions by their change; callers and callees of both sides', () => onPage({}, async (page) => {
        await open(page, `${BOTH}&view=sandwich`);
        await page.locator('.filling', { hasText: 'Pdo::query' }).waitFor();
        assert.deepEqual(await listed(page), [
            'Pdo::query|30.0 ms|60.0 ms|▲ +30.0 ms', 'gonewait|10.0 ms|0 ns|▼ -10.0 ms', 'newCache::get|0 ns|10.0 ms|▲ +10.0 ms',
            'View::render|30.0 ms|22.0 ms|▼ -8.00 ms', 'main()|5.00 ms|5.00 ms|=', 'Kernel::handle|20.0 ms|20.0 ms|=', 'strlen|5.00 ms|5.00 ms|=',
        ]);
        await page.getByRole('button', { name: 'Table', exact: true }).click();
        const table = (/** @type {string} */ side) => page.locator(`.flame-table[aria-label^="${side}"] tbody tr`)
            .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent).join('|')));
        assert.deepEqual(await table('Callers'), [
            'Db\\Pdo::query|40.0 ms|70.0 ms|▲ +30.0 ms (+75.0 %)|', 'App\\Kernel::handle|40.0 ms|70.0 ms|▲ +30.0 ms (+75.0 %)|',
            'main()|40.0 ms|70.0 ms|▲ +30.0 ms (+75.0 %)|',
        ]);
        assert.deepEqual((await table('Callees')).slice(1), [
            'wait|10.0 ms|0 ns|▼ -10.0 ms (-100.0 %)|▼ -10.0 ms (-100.0 %)|gone', 'App\\Cache::get|0 ns|10.0 ms|▲ +10.0 ms|▲ +10.0 ms|new',
        ]);
        await shot(page, 'sandwich-diff');
        await assertAccessible(page);
        await page.locator('.function-list tr', { hasText: 'wait' }).locator('th').click();
        await page.locator('.filling', { hasText: /^wait gone; total 10\.0 ms → 0 ns/ }).waitFor();
        assert.equal(query(page).sel, 'wait');
        await page.getByRole('button', { name: 'Total change' }).click();
        await page.locator('.function-list tr', { hasText: '112 ms' }).waitFor();
        assert.equal(query(page).by, 'incl');
        await page.reload();
        await page.locator('.filling', { hasText: /^wait gone/ }).waitFor();
        await page.goto(`${site.root}${BOTH}&view=sandwich&sel=nothing`);
        await page.locator('.filling', { hasText: 'These runs have no such function.' }).waitFor();
    }));

    test('means of several, hostile names, a narrow and a dark screen', () => onPage({ ...open390, colorScheme: 'dark' }, async (page) => {
        await open(page, `index.php?run1=${BEFORE}&run2=${AFTER}&source=shop&view=sandwich`);
        await page.locator('.filling', { hasText: /query total 41\.0 ms → 60\.5 ms, ▲ \+19\.5 ms/ }).waitFor();
        await assertFits(page);
        await shot(page, 'sandwich-diff-390-dark');
        await assertAccessible(page);
        await open(page, `index.php?run1=${ONE}&run2=${HOSTILE}&source=shop&view=sandwich&sel=${encodeURIComponent(BAD)}`);
        await page.locator('.filling', { hasText: /onerror.* new; total 0 ns → 40\.0 ms/s }).waitFor();
        assert.equal(await page.locator('main img').count(), 0);
    }));
});
