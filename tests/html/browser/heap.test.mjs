/** Heap snapshots, as users look at them: the list, the treemap, a class, a node, the retained tree, a comparison. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { BACKGROUND, COLOURS, assertAccessible, assertFits, fixtures, shot, withSite } from './support.mjs';

const CACHE = mkdtempSync(join(tmpdir(), 'xhprof-heap-cache-'));
after(() => rmSync(CACHE, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const LIST = 'index.php?view=heap';
const AFTER = `${LIST}&heap=worker-after`;
const DIFF = `${LIST}&heap1=worker-before&heap2=worker-after`;
const ORDER = `${AFTER}&class=${encodeURIComponent('App\\Entity\\Order')}`;
const COMMAND = 'php bin/console messenger:consume orders --limit=1000';

const { site, onPage } = withSite({
    runs: (folder) => {
        fixtures(folder, 'heap');
    },
    env: { XDG_CACHE_HOME: CACHE },
});

/** name => [path, text of the heading, status] */
const PAGES = {
    list: [LIST, 'Heap snapshots'],
    overview: [AFTER, COMMAND],
    'overview, retained': [`${AFTER}&by=retained`, COMMAND],
    'overview, by type': [`${AFTER}&by=bytes`, COMMAND],
    classes: [`${AFTER}&show=classes&sort=retained`, COMMAND],
    owners: [`${AFTER}&show=classes&of=all&q=s`, COMMAND],
    'strings and arrays': [`${AFTER}&show=largest`, COMMAND],
    'duplicate strings': [`${AFTER}&show=strings`, COMMAND],
    'retained tree': [`${AFTER}&show=tree`, COMMAND],
    'leak candidates': [`${AFTER}&show=leaks`, COMMAND],
    'a class': [ORDER, 'App\\Entity\\Order'],
    'a type': [`${AFTER}&type=string`, 'string'],
    comparison: [DIFF, 'Heap comparison'],
    'comparison by type': [`${DIFF}&by=type&changed=0&sort=retained`, 'Heap comparison'],
    'new objects': [`${DIFF}&class=${encodeURIComponent('App\\Event\\PageCached')}`, 'New objects of App\\Event\\PageCached'],
    'no new objects': [`${DIFF}&class=${encodeURIComponent('App\\Entity\\Order')}`, 'New objects of App\\Entity\\Order'],
    'hostile overview': [`${LIST}&heap=hostile`, '<img src=x onerror=alert(5)>'],
    'hostile classes': [`${LIST}&heap=hostile&show=classes`, '<img src=x onerror=alert(5)>'],
    'hostile tree': [`${LIST}&heap=hostile&show=tree`, '<img src=x onerror=alert(5)>'],
    'hostile class': [`${LIST}&heap=hostile&class=${encodeURIComponent('<script>alert(1)</script>')}`, '<script>alert(1)</script>'],
    'what is cut off': [`${LIST}&heap=cut-off`, COMMAND],
    'what is no snapshot': [`${LIST}&heap=garbage`, 'Cannot be shown', 500],
};

/** @param {import('playwright-core').Page} page */
async function fits(page) {
    await assertFits(page);
    for (const table of await page.locator('main .scroll').all()) {
        const inner = await table.evaluate((box) => [box.scrollWidth, box.clientWidth, box.getAttribute('aria-label')]);
        assert.ok(Number(inner[0]) <= Number(inner[1]), `${inner[2]} is ${inner[0]} px wide in ${inner[1]} px`);
    }
}

for (const [name, [path, heading, status = 200]] of Object.entries(PAGES)) {
    describe(name, () => {
        /** @param {import('playwright-core').Page} page */
        const opens = async (page) => {
            const response = await page.goto(site.root + path);
            assert.equal(response?.status(), status);
            assert.ok((await page.locator('h1').innerText()).startsWith(String(heading)));
        };
        /** @param {import('playwright-core').Page} page @param {'light' | 'dark'} colorScheme */
        const wears = async (page, colorScheme) => {
            await page.emulateMedia({ colorScheme });
            assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), BACKGROUND[colorScheme]);
        };

        test('with JavaScript, light, dark, on a phone', async () => {
            await onPage({ colorScheme: 'light' }, async (page) => {
                await opens(page);
                await wears(page, 'light');
                await assertAccessible(page);
                await shot(page, `heap-${name.replaceAll(' ', '-')}`);
                await wears(page, 'dark');
                await assertAccessible(page, COLOURS);
                await shot(page, `heap-${name.replaceAll(' ', '-')}-dark`);
                await page.setViewportSize({ width: 390, height: 844 });
                await page.reload();
                await fits(page);
                await shot(page, `heap-${name.replaceAll(' ', '-')}-phone`);
            }, Number(status));
        });
        test('without JavaScript', async () => {
            await onPage({ javaScriptEnabled: false, colorScheme: 'dark' }, async (page) => {
                await opens(page);
                await wears(page, 'dark');
            }, Number(status));
        });
    });
}

/**
 * A place of the treemap, found by its tooltip.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} title
 * @returns {Promise<{ x: number, y: number }>}
 */
async function tile(page, title) {
    const box = await page.locator('.treemap-canvas').boundingBox();
    assert.ok(box !== null);
    for (let y = box.y + 24; y < box.y + box.height; y += 18) {
        for (let x = box.x + 12; x < box.x + box.width; x += 24) {
            await page.mouse.move(x, y);
            if ((await page.locator('.treemap-tip p').textContent())?.startsWith(title)) {
                return { x, y };
            }
        }
    }
    throw new Error(`There is no tile ${title}.`);
}

test('a tile is described, and a click opens its class', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}${AFTER}&by=bytes`);
        const { x, y } = await tile(page, 'object: App\\Entity\\OrderLine');
        const tip = page.locator('.treemap-tip');
        await tip.waitFor();
        assert.match(await tip.innerText(), /Own bytes\s+113 KB, 5\.\d %\s+Retained\s+159 KB, 7\.\d %\s+Count\s+1 200/);
        await shot(page, 'heap-tip');
        await page.mouse.click(x, y);
        await page.waitForURL(/class=App%5CEntity%5COrderLine/);
        assert.match(await page.locator('h1').innerText(), /^App\\Entity\\OrderLine/);
    });
});

test('the tip of a tile stays on a screen with little room above and below the pointer', async () => {
    await onPage({ viewport: { width: 1280, height: 120 } }, async (page) => {
        await page.goto(`${site.root}${AFTER}&by=bytes`);
        const canvas = page.locator('.treemap-canvas');
        await canvas.evaluate((element) => element.scrollIntoView());
        const box = await canvas.boundingBox();
        assert.ok(box !== null);
        const y = box.y + 60;
        await page.mouse.move(box.x + 60, y);
        const tip = await page.locator('.treemap-tip').boundingBox();
        assert.ok(tip !== null && y - tip.height < 0 && y + tip.height > 120, 'room on neither side');
        assert.equal(tip.y, 4);
    });
});

test('keys move from tile to tile, and a screen reader announces each', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}${AFTER}&by=bytes`);
        const live = page.locator('.treemap [aria-live]');
        await page.locator('.treemap-canvas').focus();
        const announced = new Set([await live.textContent()]);
        for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowDown']) {
            await page.keyboard.press(key);
            announced.add(await live.textContent());
        }
        assert.ok(announced.size >= 4, [...announced].join('\n'));
        assert.match([...announced][0] ?? '', /^string: App\\Worker\\OrderWorker::consume\(\) \$this->cache->entries\[\*\]: Own bytes 1\.27 MB, 6\d\.\d %; Retained /);
        await page.keyboard.press('Enter');
        await page.waitForURL(/[?&](class|type|owner)=/);
    });
});

test('by type: own bytes or retained, kept in the address, painted anew, in either theme', async () => {
    await onPage({ colorScheme: 'light' }, async (page) => {
        await page.goto(`${site.root}${AFTER}&by=bytes`);
        const canvas = page.locator('.treemap-canvas');
        const picture = () => canvas.evaluate((element) => element instanceof HTMLCanvasElement ? element.toDataURL() : '');
        const own = await picture();
        const button = page.getByRole('button', { name: 'By type, retained' });
        await button.click();
        await page.waitForURL(/[?&]by=retained/);
        const retained = await picture();
        assert.notEqual(retained, own);
        assert.equal(await button.getAttribute('aria-pressed'), 'true');
        await page.reload();
        await canvas.waitFor();
        assert.equal(await picture(), retained);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.waitForFunction((light) => {
            const element = document.querySelector('.treemap-canvas');

            return element instanceof HTMLCanvasElement && element.toDataURL() !== light;
        }, retained);
        await page.getByRole('button', { name: 'By holder' }).click();
        await page.waitForURL((url) => !url.searchParams.has('by'));
    });
});

test('a click on a holder leads into it, and back out by the path, the keyboard and the browser', async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + AFTER);
        const path = page.locator('.treemap-path');
        const here = path.locator('[aria-current]');
        await here.getByText('The heap').waitFor();
        const { x, y } = await tile(page, '->entries  array (260)');
        await page.mouse.click(x, y);
        await here.getByText('array (260)').waitFor();
        const address = page.url();
        assert.match(address, /[?&]at=0x[0-9a-f]+$/);
        const steps = await path.locator('a[data-at]').allInnerTexts();
        assert.equal(steps[0], 'The heap');
        assert.equal(steps.at(-1), 'App\\Cache\\MemoryCache');
        await shot(page, 'heap-map-entries');
        await assertAccessible(page);

        await path.getByRole('button', { name: 'Out' }).click();
        await here.getByText('App\\Cache\\MemoryCache').waitFor();
        await page.goBack();
        await here.getByText('array (260)').waitFor();
        assert.equal(page.url(), address);
        await page.reload();
        await here.getByText('array (260)').waitFor();

        // The same by keys: out, and into the largest.
        await page.locator('.treemap-canvas').focus();
        await page.keyboard.press('Escape');
        await here.getByText('App\\Cache\\MemoryCache').waitFor();
        assert.ok(await page.evaluate(() => document.activeElement?.matches('.treemap-canvas')));
        await path.getByRole('link', { name: 'The heap' }).click();
        await here.getByText('The heap').waitFor();
        await page.locator('.treemap-canvas').focus();
        await page.keyboard.press('Enter');
        await page.waitForURL(/[?&](at|node)=0x/);
    });
});

test('the table of holders follows the treemap', async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + AFTER);
        await page.getByText('What holds the most, as a table').click();
        const table = page.locator('[data-holders-table]');
        const first = table.locator('tbody tr').first();
        const name = await first.locator('a').innerText();
        await first.locator('a').click();
        await page.locator('.treemap-path [aria-current]').getByText(name, { exact: true }).waitFor();
        await page.waitForFunction((before) => document.querySelector('[data-holders-table] tbody a')?.textContent !== before, name);
        assert.ok(await page.evaluate(() => document.activeElement?.closest('[data-holders-table]') !== null));
        await page.setViewportSize({ width: 390, height: 844 });
        await fits(page);
    });
});

test('the list is filtered while one types, and what it shows can be picked', async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + LIST);
        const rows = page.locator('.heap-list tbody tr');
        assert.ok(await rows.count() > 2);
        await page.keyboard.press('/');
        await page.keyboard.type('worker-after');
        await page.waitForURL(/[?&]q=worker-after/);
        await page.waitForFunction(() => document.querySelectorAll('.heap-list tbody tr').length === 1);
        await rows.getByRole('checkbox').check();
        assert.ok(await page.getByRole('button', { name: 'Delete…' }).isEnabled());
        assert.ok(!await page.getByRole('button', { name: 'Compare two' }).isEnabled());
        await page.getByRole('link', { name: 'In use' }).click();
        await page.waitForURL(/sort=usage/);
        assert.equal(await page.locator('th[aria-sort]').innerText(), 'In use ▼');
        assert.equal(await rows.count(), 1);
    });
});

test('a search finds strings by their text', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}${AFTER}&show=largest`);
        await page.getByRole('searchbox').fill('page 7');
        await page.getByRole('searchbox').press('Enter');
        await page.locator('#found').waitFor();
        assert.match(await page.locator('.heap-nodes th a').first().innerText(), /page 7/);
        await assertAccessible(page);
        await page.setViewportSize({ width: 390, height: 844 });
        await fits(page);
    });
});

test('the treemap fills the width it gets', async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + AFTER);
        for (const width of [1280, 700, 390]) {
            await page.setViewportSize({ width, height: 800 });
            // As wide as its place, and painted for that width.
            await page.waitForFunction((most) => {
                const canvas = document.querySelector('.treemap-canvas');
                const room = document.querySelector('.treemap')?.clientWidth ?? 0;

                return canvas instanceof HTMLCanvasElement && room <= most && Math.abs(canvas.getBoundingClientRect().width - room) <= 1
                    && Math.abs(canvas.width - room * devicePixelRatio) <= 1;
            }, width);
        }
    });
});

test('a line of the retained tree gets its children without leaving the page', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}${AFTER}&show=tree`);
        const address = page.url();
        const cache = page.locator('[data-tree] details', { has: page.locator('> summary', { hasText: 'MemoryCache' }) }).last();
        await cache.locator('> summary .figure').click();
        const entries = cache.locator('> ul > li', { hasText: '->entries' });
        await entries.waitFor();
        await entries.locator('> details > summary .figure').click();
        await entries.getByText('page 5').first().waitFor();
        const lines = entries.locator('> details > ul > li');
        for (const [more, there] of /** @type {[string | RegExp, number][]} */ ([[/^\d+ more$/, 51], ['more', 101]])) {
            await entries.getByRole('link', { name: more, exact: true }).click();
            await lines.nth(there - 1).waitFor();
            assert.equal(await lines.count(), there);
        }
        assert.equal(page.url(), address);
        await shot(page, 'heap-tree-open');
        await lines.filter({ hasText: 'page 5' }).first().getByRole('link', { name: /^Details of/ }).click();
        await page.waitForURL(/&node=0x[0-9a-f]+$/);
        await page.locator('#dominated').waitFor();
        assert.match(await page.locator('.heap-expression').innerText(), /->cache->entries\['page:\d+'\]$/);
    });
});

test('without JavaScript the tree has links, the treemap its table', async () => {
    await onPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto(site.root + AFTER);
        assert.ok(!await page.locator('.heap-legend').isVisible());
        await page.locator('.twin summary').last().click();
        await page.locator('.twin tr.type').first().waitFor();
        await page.locator('.twin').getByRole('link', { name: 'App\\Entity\\Order', exact: true }).click();
        assert.match(await page.locator('h1').innerText(), /^App\\Entity\\Order/);
        await page.goto(`${site.root}${AFTER}&show=tree`);
        await page.locator('[data-tree] > li > details > ul > li > details > summary', { hasText: 'MemoryCache' }).locator('.figure').click();
        await page.locator('[data-tree] .more a').first().click();
        assert.match(await page.locator('h2').innerText(), /^Retained by App\\Cache\\MemoryCache/);
    });
});

test('classes are sorted and filtered without leaving the page', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}${AFTER}&show=classes`);
        await page.getByRole('link', { name: 'Retained', exact: true }).click();
        await page.waitForURL(/sort=retained/);
        assert.match(await page.locator('tbody th').first().innerText(), /OrderWorker/);
        const order = page.locator('.toolbar select[name=sort]');
        assert.equal(await order.inputValue(), 'retained', 'what stands above the table keeps the order');
        await page.goBack();
        await page.locator('th[aria-sort]', { hasText: 'Bytes ▼' }).waitFor();
        assert.equal(await order.inputValue(), 'bytes');
        await page.getByRole('link', { name: 'Retained', exact: true }).click();
        await page.locator('th[aria-sort]', { hasText: 'Retained ▼' }).waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('entity');
        await page.getByText('3 of 10 rows match').waitFor();
        await page.waitForURL(/sort=retained/);
        assert.match(await page.locator('tbody th').first().innerText(), /Order$/);
    });
});

test('from the list to what has grown, into one of its strings, to who holds it', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}index.php?view=requests`);
        await page.getByRole('link', { name: 'Heap', exact: true }).click();
        await page.getByRole('checkbox', { name: 'Pick the snapshot worker-after' }).check();
        await page.locator('button:disabled', { hasText: 'Compare two' }).waitFor();
        await page.getByRole('checkbox', { name: 'Pick the snapshot worker-before' }).check();
        await page.getByRole('button', { name: 'Compare two' }).click();
        await page.waitForURL(/heap1=worker-before&heap2=worker-after/);
        await page.getByRole('link', { name: 'By type', exact: true }).click();
        const row = page.locator('tbody tr', { has: page.getByRole('link', { name: 'string', exact: true }) });
        assert.match(await row.innerText(), /▲\s*\+200/);
        await row.getByRole('link').first().click();
        await page.locator('.heap-holders a').first().click();
        assert.match(await page.locator('.heap-expression').innerText(), /\$this->cache->entries\['page:\d+'\]$/);
        await page.locator('.heap-path').first().getByRole('link', { name: 'App\\Cache\\MemoryCache' }).click();
        assert.match(await page.locator('h1').innerText(), /^App\\Cache\\MemoryCache/);
        await shot(page, 'heap-thing');
    });
});

for (const javaScriptEnabled of [true, false]) {
    test(`snapshots are deleted when one is sure, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, () => onPage({ javaScriptEnabled }, async (page) => {
        const file = (/** @type {string} */ name) => join(site.folder, `${name}.heap.jsonl`);
        for (const name of ['doomed-1', 'doomed-2']) {
            copyFileSync(file('worker-before'), file(name));
        }
        const pick = (/** @type {string} */ name) => page.getByRole('checkbox', { name: `Pick the snapshot ${name}` });
        await page.goto(site.root + LIST);
        await pick('doomed-1').check();
        await pick('doomed-2').check();
        await page.getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('heading', { name: 'Delete these 2 heap snapshots?' }).waitFor();
        if (javaScriptEnabled) {
            await assertAccessible(page);
            await shot(page, 'heap-delete');
        }
        await page.getByRole('link', { name: 'Keep them' }).click();
        await pick('doomed-1').check();
        assert.ok(existsSync(file('doomed-1')));
        await page.getByRole('button', { name: 'Delete…' }).click();
        await page.getByText('Its file is removed from the run folder. This cannot be undone.').waitFor();
        await page.getByRole('button', { name: 'Delete', exact: true }).click();
        await page.getByRole('status').filter({ hasText: 'Deleted 1 heap snapshot.' }).waitFor();
        assert.deepEqual([existsSync(file('doomed-1')), existsSync(file('doomed-2'))], [false, true]);
        assert.equal(await pick('doomed-1').count(), 0);
        await pick('doomed-2').waitFor();
        rmSync(file('doomed-2'));
    }));
}

test('a thing, on a phone and in the dark', async () => {
    await onPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, async (page) => {
        for (const path of [ORDER, `${AFTER}&owner=PDOStatement`, `${LIST}&heap=hostile&type=class`]) {
            await page.goto(site.root + path);
            await page.locator('section[aria-labelledby="objects"] tbody a').first().click();
            await page.locator('#dominated').waitFor();
            await assertAccessible(page);
            await fits(page);
            await shot(page, `heap-thing-phone-${path.length}`);
        }
    });
});
