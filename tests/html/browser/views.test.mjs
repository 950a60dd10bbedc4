/**
 * Every view of a real run: a program with queries in a loop is profiled twice, and its pages are opened wide and on a phone, light
 * and dark.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PHP, assertAccessible, assertFits, BACKGROUND, shot, withSite } from './support.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXTENSION = join(ROOT, 'extension/modules/xhprof.so');
const missing = [
    existsSync(EXTENSION) ? '' : 'the extension is not built',
    execFileSync(PHP, ['-r', 'echo extension_loaded("pdo_sqlite") ? "" : "PHP has no pdo_sqlite";']).toString(),
].filter((why) => why !== '').join(', ');
const NEEDS = missing === '' ? {} : { skip: missing };

/** A query per product, of which 20 differ. */
const PROGRAM = `<?php

function product(PDO $db, int $id): string
{
    $statement = $db->prepare('SELECT name FROM product WHERE id = ?');
    $statement->execute([$id]);

    return (string) $statement->fetchColumn();
}

function page(PDO $db, int $count): array
{
    $names = [];
    for ($id = 1; $id <= $count; $id++) {
        $names[] = product($db, 1 + $id % 20);
    }

    return $names;
}

$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT)');
for ($id = 1; $id <= 20; $id++) {
    $db->exec("INSERT INTO product VALUES ($id, 'name $id')");
}
page($db, (int) $argv[1]);
`;
const QUERY = 'SELECT name FROM product WHERE id = ?';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'xhprof-views-')));
const program = join(folder, 'app/shop.php');
mkdirSync(join(folder, 'app'));
writeFileSync(program, PROGRAM);
after(() => rmSync(folder, { recursive: true, force: true }));

/** Ids of the runs with 60 and 120 products. */
const runs = { before: '', after: '' };

const { site, onPage } = withSite({
    runs: (output) => {
        if (missing !== '') {
            return;
        }
        for (const [side, products] of /** @type {['before' | 'after', string][]} */ ([['before', '60'], ['after', '120']])) {
            const id = join(folder, side);
            execFileSync(PHP, [
                join(ROOT, 'bin/xhprof'), 'run', '-q', '--timeline=0', '--source=shop', `--output-dir=${output}`, `--report-to=${id}`, program, products,
            ], { stdio: ['ignore', 'inherit', 'inherit'] });
            runs[side] = readFileSync(id, 'utf8').trim();
        }
    },
    env: { XHPROF_SOURCE_ROOTS: join(folder, 'app'), XHPROF_EDITOR: 'phpstorm' },
});

/** @typedef {import('playwright-core').Page} Page */

const of = (/** @type {string} */ query) => `index.php?run=${runs.after}&source=shop${query}`;
const compared = (/** @type {string} */ query = '') => `index.php?run1=${runs.before}&run2=${runs.after}&source=shop${query}`;

/**
 * What a page shows, once it is complete.
 *
 * @type {Record<string, {url: () => string, shows: (page: Page) => Promise<void>}>}
 */
const VIEWS = {
    'call tree': {
        url: () => of('&view=calltree&sel=product'),
        async shows(page) {
            await page.locator('.call-tree tr[aria-selected="true"]', { hasText: 'product' }).waitFor();
            assert.deepEqual((await page.locator('.call-tree tbody:not(.spacer) tr .fn').allInnerTexts()).filter((name) => /^(main|page|product)/.test(name)), [
                'main()', 'page', 'product',
            ]);
        },
    },
    operations: {
        url: () => of('&view=operations&sort=ct'),
        async shows(page) {
            const row = page.locator('table.operations tbody tr').first();
            assert.equal(await row.locator('code').innerText(), QUERY);
            assert.match(await page.locator('.repeated').innerText(), /120 × SELECT name FROM product WHERE id = \? in page/);
            assert.match(await page.locator('.repeated').innerText(), /100 with the same values as before/);
            await row.locator('summary').click();
            assert.match(await row.locator('.paths').innerText(), /PDOStatement::execute ← product ← page/);
        },
    },
    timeline: {
        url: () => of('&view=timeline'),
        async shows(page) {
            // 120 queries, 21 statements, the connection, and loading of the program.
            await page.locator('.flame-note', { hasText: 'Every call of the run is here. Above them: Operations: 143' }).waitFor();
            await page.locator('.function-list tbody tr', { hasText: 'product' }).first().waitFor();
            assert.match(await page.locator('.flame-status').first().innerText(), /\d calls$/);
            assert.ok(await page.locator('.timeline-tracks').isVisible());
        },
    },
    source: {
        url: () => of('&symbol=page'),
        async shows(page) {
            const lines = PROGRAM.split('\n');
            assert.deepEqual(await page.locator('table.code code').allTextContents(), lines.slice(lines.indexOf('function page(PDO $db, int $count): array')).slice(0, 9));
            const line = 1 + lines.findIndex((text) => text.includes('= product('));
            assert.equal(await page.locator('table.code tr:has(td a) th').innerText(), String(line));
            assert.equal(await page.locator('table.code td a').innerText(), 'product');
            assert.equal(await page.locator('table.code tr.matters th').innerText(), String(line), 'the call that costs most');
            assert.match(await page.locator('.whole-place a').getAttribute('href') ?? '', /^phpstorm:\/\/open\?file=.*shop\.php&line=\d+$/);
        },
    },
    findings: {
        url: () => of(''),
        async shows(page) {
            const finding = page.locator('.findings li', { hasText: '120 queries' });
            assert.match(await finding.innerText(), /page\. Each turn of a loop asks the database again/);
            await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
        },
    },
    'A and B of a comparison': {
        url: () => `index.php?only=shop&a=${runs.before}.shop`,
        async shows(page) {
            await page.locator('.note', { hasText: 'Choose B' }).waitFor();
            assert.equal(await page.locator('table.runs .badge.side').innerText(), 'A');
            const other = page.locator('table.runs .sides a');
            assert.deepEqual(await other.allInnerTexts(), ['A', 'B']);
            assert.match(await other.last().getAttribute('href') ?? '', new RegExp(`run1=${runs.before}&run2=${runs.after}`));
        },
    },
    comparison: {
        url: () => compared(),
        async shows(page) {
            await page.locator('.virtual tbody:not(.spacer) tr').first().waitFor();
            assert.match(await page.locator('.sum').first().innerText(), /\+60/);
            assert.deepEqual(await page.locator('.versus .side').allInnerTexts(), ['A before', 'B after']);
        },
    },
};

for (const [name, { url, shows }] of Object.entries(VIEWS)) {
    for (const width of [1440, 390]) {
        for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
            test(`${name}, ${width} px, ${colorScheme}`, NEEDS, () => onPage({ colorScheme, viewport: { width, height: 900 } }, async (page) => {
                await page.goto(site.root + url());
                await shows(page);
                assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor), BACKGROUND[colorScheme]);
                await assertFits(page);
                await assertAccessible(page);
                await shot(page, `view-${name.replaceAll(' ', '-')}-${width}-${colorScheme}`);
            }));
        }
    }
}

describe('ways between the views', () => {
    test('keys open them, and no key does two things', NEEDS, () => onPage({}, async (page) => {
        await page.goto(site.root + of(''));
        for (const [key, view] of [['p', 'calltree'], ['l', 'timeline'], ['w', 'operations'], ['f', 'flame'], ['s', 'sandwich'], ['g', 'graph']]) {
            await page.locator('[data-tools] button').first().waitFor();
            await page.keyboard.press(key ?? '');
            await page.waitForURL(new RegExp(`view=${view}`));
            await page.locator('[data-tools] button').first().waitFor();
            await page.keyboard.press('?');
            const keys = await page.locator('dialog.help section:not(:has-text("when the picture has the focus")) dt').allInnerTexts();
            assert.deepEqual(keys, [...new Set(keys)], view);
            await page.keyboard.press('Escape');
        }
    }));

    test('a finding leads to its function, a text of an operation to its callers', NEEDS, () => onPage({}, async (page) => {
        await page.goto(site.root + of(''));
        await page.locator('.findings li', { hasText: '120 queries' }).getByRole('link', { name: 'page' }).click();
        await page.waitForURL(/view=operations&operation=/);
        assert.match(await page.locator('#operation').innerText(), /SELECT name FROM product WHERE id = \?/);
        await page.goto(site.root + of('&view=operations&sort=ct'));
        await page.locator('.repeated').getByRole('link', { name: 'page' }).click();
        await page.waitForURL(/symbol=page/);
        await page.locator('table.code').getByRole('link', { name: 'product' }).click();
        await page.waitForURL(/symbol=product/);
    }));

    for (const javaScriptEnabled of [true, false]) {
        test(`B, then A are chosen in the list, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, NEEDS, () => onPage({ javaScriptEnabled }, async (page) => {
            await page.goto(`${site.root}index.php`);
            const row = (/** @type {string} */ id) => page.locator('table.runs tbody tr').filter({ has: page.locator(`a[title="${id}"]`) });
            await row(runs.after).locator('.sides').getByRole('link', { name: /^B:/ }).click();
            await page.waitForURL(/[?&]b=/);
            await row(runs.before).locator('.sides').getByRole('link', { name: /^A:/ }).click();
            await page.waitForURL(new RegExp(`run1=${runs.before}&run2=${runs.after}`));
            assert.match(await page.locator('.sum').first().innerText(), /\+60/);
        }));
    }
});
