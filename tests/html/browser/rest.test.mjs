/** Views of a run with more call paths than are sent at once (XHPROF_TREE_NODES): what was left out comes when one goes there. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertAccessible, saveRuns, shot, withSite } from './support.mjs';

const ONE = 'f9111111111111111111111111111111';
const LEAVES = 700;
const BIG = 100;

/** main() > (big > 100 parts of 9 ms, many > 900 leaves of less and less, from 1.7 ms down to 1.001 ms) */
const RUN = {
    v: 1, kind: 'tree', order: 'preorder', n: 3 + BIG + LEAVES,
    names: ['main()', 'big', 'many', ...Array.from({ length: BIG }, (_, i) => `part_${i}`), ...Array.from({ length: LEAVES }, (_, i) => `leaf_${i}`)],
    fn: [0, 1, ...Array.from({ length: BIG }, (_, i) => 3 + i), 2, ...Array.from({ length: LEAVES }, (_, i) => 3 + BIG + i)],
    depth: [0, 1, ...Array(BIG).fill(2), 1, ...Array(LEAVES).fill(2)],
    ct: Array(3 + BIG + LEAVES).fill(1),
    self: { wt: [1e6, 1e6, ...Array(BIG).fill(9e6), 1e6, ...Array.from({ length: LEAVES }, (_, i) => 1e6 + (LEAVES - i) * 1e3)] },
};

const { site, onPage } = withSite({
    runs: (folder) => {
        saveRuns(folder, [{ id: ONE, source: 'shop', tree: RUN }]);
    },
    env: { XHPROF_TREE_NODES: '500' },
});

const url = (/** @type {string} */ view, more = '') => `${site.root}index.php?run=${ONE}&source=shop&view=${view}${more}`;
/** @param {import('playwright-core').Page} page */
const notes = (page) => page.locator('.flame-note').innerText();

describe('a run with more call paths than are sent', () => {
    test('flame graph: zooming loads what was left out; search, selection and address stay', () => onPage({}, async (page) => {
        /** @type {string[]} */
        const asked = [];
        page.on('request', (request) => asked.push(new URL(request.url()).searchParams.get('root') ?? ''));
        await page.goto(url('flame', '&table=1&q=leaf_6&sel=big'));
        const status = page.locator('.flame-status');
        await status.filter({ hasText: '11 frames match' }).waitFor();
        assert.match(await notes(page), /^501 of 803 call paths \(62\.4 %\) are shown: .*“\(small paths\)”\. Zoom in to load them\.$/);
        assert.deepEqual(asked.filter((root) => root !== ''), [], 'nothing is loaded before one asks for it');
        await shot(page, 'rest-before');
        const row = (/** @type {string} */ name) => page.locator('.flame-table button').filter({ hasText: name }).first();
        // The second step is for what even this part has not.
        await row('many').click();
        await page.waitForFunction(() => document.querySelector('.flame-note')?.textContent?.startsWith('603'));
        assert.match(await page.evaluate(() => location.search), /root=1-/);
        assert.equal(await page.locator('.frame-path li').last().innerText(), 'many');
        await row('(small paths)').click();
        await status.filter({ hasText: '111 frames match' }).waitFor();
        assert.match(await status.innerText(), /^111 frames match/);
        assert.equal(await notes(page), '', 'all call paths are here');
        assert.equal(asked.filter((root) => root !== '').length, 2);
        assert.equal(await page.locator('.flame-table button').filter({ hasText: '(small paths)' }).count(), 0);
        assert.ok(await row('leaf_').isVisible());
        await shot(page, 'rest-after');
        await assertAccessible(page);
        await page.locator('.flame-canvas').press('0');
        await status.filter({ hasText: '111 frames match' }).waitFor();
    }));

    test('flame graph, left heavy: the same', () => onPage({}, async (page) => {
        await page.goto(url('flame', '&table=1&order=heavy&q=leaf_699'));
        const row = (/** @type {string} */ name) => page.locator('.flame-table button').filter({ hasText: name }).first();
        await row('(small paths)').click();
        await page.locator('.flame-status', { hasText: '1 frame matches' }).waitFor();
        assert.ok(await row('leaf_').isVisible());
        assert.equal(await page.locator('.flame-table button').filter({ hasText: 'big' }).count(), 0, 'what has come is in sight');
    }));

    test('call tree: a row of small paths opens into them', () => onPage({}, async (page) => {
        await page.goto(url('calltree', '&by=total'));
        const rows = page.locator('.call-tree tbody:not(.spacer) tr');
        const row = (/** @type {string} */ name) => rows.filter({ has: page.locator('.fn', { hasText: name }) }).first();
        await row('many').locator('.twisty').click();
        await row('(small paths)').locator('.twisty').click();
        await page.waitForFunction(() => document.querySelector('.flame-note')?.textContent === '');
        assert.equal(await row('(small paths)').count(), 0);
        // main(), big, which is closed, many and its callees, and the heads.
        assert.equal(await page.locator('.call-tree[role=treegrid], .call-tree [role=treegrid]').first().getAttribute('aria-rowcount'), String(4 + LEAVES));
        assert.match(await page.locator('.call-tree tr[aria-selected="true"] .fn').innerText(), /^leaf_/);
        assert.equal(await page.locator('.flame-status').innerText(), '803 call paths, 3 levels');
        await page.fill('input[name=q]', 'leaf_699');
        await page.locator('.flame-status', { hasText: '1 path matches' }).waitFor();
        await shot(page, 'rest-calltree');
    }));

    test('an error is shown, and the next zoom tries again', () => onPage({}, async (page) => {
        await page.goto(url('flame', '&table=1'));
        let fails = true;
        await page.route(/[?&]root=/, (route) => fails
            ? route.fulfill({ status: 409, contentType: 'application/json', body: '{"v":1,"error":{"code":"changed","message":"This run has been saved anew."}}' })
            : route.continue());
        const row = (/** @type {string} */ name) => page.locator('.flame-table button').filter({ hasText: name }).first();
        await row('(small paths)').click();
        const alert = page.locator('.warning[role=alert]');
        await alert.filter({ hasText: 'More call paths cannot be loaded. This run has been saved anew.' }).waitFor();
        fails = false;
        await page.locator('.flame-canvas').press('0');
        await row('(small paths)').click();
        await alert.waitFor({ state: 'hidden' });
        await page.waitForFunction(() => document.querySelector('.flame-note')?.textContent === '');
    }, 409));
});
