/**
 * The site of the documentation as a reader has it: opened from a disk in Chromium, with and without JavaScript, wide, narrow and on
 * paper, with the live demo. SiteTest.php has the links.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { ARGUMENTS, BACKGROUND, CHROMIUM, COLOURS, PHP, assertAccessible, assertFits, shot } from '../html/browser/support.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Rules of axe that depend on the text of a page; all rules are for pages of each kind. */
const RULES = [
    'aria-allowed-attr', 'aria-valid-attr-value', 'empty-heading', 'heading-order', 'image-alt', 'link-name', 'list', 'listitem',
    'scrollable-region-focusable',
];
const PHONE = { width: 390, height: 844 };

let folder = '';
let site = '';
/** Address of the site on a server. */
let served = '';
/** @type {import('node:http').Server} */
let server;
/** @type {import('playwright-core').Browser} */
let browser;

const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', png: 'image/png' };

/** Serves the site below a path of its server, and nothing else. */
function serve() {
    return createServer((request, response) => {
        const path = /^\/some\/where\/([^?]*)/.exec(request.url ?? '')?.[1] ?? 'none';
        const file = join(site, path === '' || path.endsWith('/') ? `${path}index.html` : path);
        if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
            response.writeHead(404).end();
            return;
        }
        response.writeHead(200, { 'Content-Type': TYPES[/** @type {keyof typeof TYPES} */ (file.split('.').pop())] ?? 'text/plain' });
        createReadStream(file).pipe(response);
    });
}

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'xhprof-site-'));
    site = join(folder, 'site');
    execFileSync('mkdir', [join(folder, 'runs')]);
    execFileSync(PHP, ['demo/shop/visit.php', '--no-databases', join(folder, 'runs')], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync(PHP, ['tools/site/site.php', `--runs=${folder}/runs`, site], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    server = serve();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const address = server.address();
    served = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/some/where/`;
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
});
after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
});

/**
 * Opens a page from the disk; fails on any message of the browser and on any request for anything but files and the page's own blobs.
 *
 * @param {string} address relative to the site
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page) => Promise<void>} visit
 * @param {string} [root]
 */
async function onPage(address, options, visit, root = pathToFileURL(`${site}/`).href) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    /** @type {string[]} */
    const complaints = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('request', (request) => {
        if (!request.url().startsWith(root) && !/^(?:blob|data):/.test(request.url())) {
            complaints.push(`request: ${request.url()}`);
        }
    });
    try {
        await page.goto(root + address);
        await visit(page);
        assert.deepEqual(complaints, []);
    } finally {
        await context.close();
    }
}

const found = '#found a';

/** @param {import('playwright-core').Page} page @param {string} query */
const answered = (page, query) => page.locator(`#found[data-query=${JSON.stringify(query)}]`).waitFor({ state: 'attached' });

/** What a reader types, and the section that must come first. */
const ASKED = {
    'xhprof.max_nodes': 'docs/reference.html#xhprofmax_nodes',
    max_nodes: 'docs/reference.html#xhprofmax_nodes',
    'xhprof.start_with_request': 'docs/reference.html#xhprofstart_with_request',
    xhprof_heap_snapshot: 'docs/reference.html#xhprof_heap_snapshot',
    'xhprof_heap_snapshot()': 'docs/reference.html#xhprof_heap_snapshot',
    uninstall: 'docs/install.html#uninstall',
    glossary: 'docs/glossary.html',
    'figures look wrong': 'docs/troubleshooting.html#the-figures-look-wrong',
    'no run appears': 'docs/troubleshooting.html#no-run-appears',
    'query in a loop': 'demo/index.html#reviews',
};

test('search finds settings, functions, pages and symptoms first', async () => {
    await onPage('docs/quick-start.html', {}, async (page) => {
        for (const [query, address] of Object.entries(ASKED)) {
            await page.locator('#find').fill(query);
            await answered(page, query);
            const first = await page.locator(found).first().evaluate((link) => /** @type {HTMLAnchorElement} */ (link).href);
            assert.equal(first, pathToFileURL(`${site}/`).href + address, query);
        }
    });
});

test('search is used by keys alone, marks what was asked and says when nothing is found', async () => {
    await onPage('docs/ci.html', {}, async (page) => {
        await page.keyboard.press('/');
        assert.equal(await page.evaluate(() => document.activeElement?.id), 'find');
        await page.keyboard.type('trigger_value');
        await answered(page, 'trigger_value');
        assert.ok((await page.locator('#found mark').allTextContents()).some((word) => word.toLowerCase().includes('trigger_value')));
        assert.match(await page.locator('#found-count').textContent() ?? '', /^\d+ found$/);
        await shot(page, 'site-search');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowUp');
        assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('href')), '../docs/reference.html#xhproftrigger_value');
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('#found-panel').isVisible(), false);
        await page.locator('#find').fill('zzqqxxyy');
        await page.locator('#found-count:text("Nothing has")').waitFor();
        await page.locator('#find').fill('xhprof.output_dir');
        await answered(page, 'xhprof.output_dir');
        await page.keyboard.press('Enter');
        await page.waitForURL(/reference\.html#xhprofoutput_dir$/);
        const top = await page.locator('[id="xhprofoutput_dir"]').evaluate((heading) => heading.getBoundingClientRect().top);
        const bar = await page.locator('.bar').evaluate((header) => header.getBoundingClientRect().bottom);
        assert.ok(top >= bar && top < 200, `${top}: the heading is below the bar, and in sight`);
        assert.equal(await page.locator('.contents [aria-current]').textContent(), 'xhprof.output_dir');
    });
});

test('a search has an address, and mistyped words are found', async () => {
    await onPage('index.html?q=unistall', {}, async (page) => {
        await page.locator(found).first().waitFor();
        assert.match(await page.locator(found).first().getAttribute('href') ?? '', /uninstall/i);
    });
});

test('without JavaScript a page has its text, its menu and its contents', async () => {
    await onPage('docs/install.html', { javaScriptEnabled: false }, async (page) => {
        assert.equal(await page.locator('#menu [aria-current]').textContent(), 'Install');
        assert.equal(await page.locator('#find').isVisible(), false);
        assert.equal(await page.locator('.copy').count(), 0);
        await page.locator('.contents a:text-is("Uninstall")').click();
        await page.locator('#menu a:text-is("Glossary")').click();
        assert.match(page.url(), /docs\/glossary\.html$/);
        await page.locator('[rel=next]').click();
        assert.equal(await page.locator('h1').count(), 1);
    });
    await onPage('docs/install.html', { javaScriptEnabled: false, viewport: PHONE }, async (page) => {
        assert.equal(await page.locator('#menu').isVisible(), false);
        await page.locator('.open-menu').click();
        await page.locator('#menu a:text-is("Glossary")').click();
        assert.match(page.url(), /docs\/glossary\.html$/);
    });
});

test('every page fits a phone, has no complaint of axe, and loads nothing from elsewhere', async () => {
    const pages = readdirSync(site, { recursive: true }).map(String).filter((file) => file.endsWith('.html')).filter((file) => !/^demo\/(?!index)/.test(file));
    assert.ok(pages.length > 20, String(pages.length));
    for (const file of pages) {
        await onPage(file, { viewport: PHONE, colorScheme: 'dark' }, async (page) => {
            await assertFits(page);
            await assertAccessible(page, RULES);
            await shot(page, `site-phone-${file.replaceAll('/', '-')}`);
        }, served);
    }
    for (const file of ['index.html', 'docs/install.html', 'demo/index.html']) {
        for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
            await onPage(file, { colorScheme }, async (page) => {
                await assertFits(page);
                await assertAccessible(page, colorScheme === 'dark' ? COLOURS : undefined);
                await shot(page, `site-${colorScheme}-${file.replaceAll('/', '-')}`);
            }, served);
        }
    }
});

test('pictures are seen', async () => {
    for (const file of ['index.html', 'docs/tour.html']) {
        await onPage(file, {}, async (page) => {
            const pictures = page.locator('article img');
            assert.ok(await pictures.count() > 2);
            for (const picture of await pictures.all()) {
                await picture.scrollIntoViewIfNeeded();
                await picture.evaluate((/** @type {HTMLImageElement} */ image) => image.decode());
            }
        });
    }
});

test('the theme is the system\'s until one is chosen, and stays', async () => {
    await onPage('index.html', { colorScheme: 'light' }, async (page) => {
        const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        assert.equal(await ground(), BACKGROUND.light);
        await page.locator('button[title="Theme: system"]').click();
        await page.locator('button[title="Theme: light"]').click();
        assert.equal(await ground(), BACKGROUND.dark);
        await page.locator('#menu a:text-is("Install")').click();
        await page.locator('button[title="Theme: dark"]').waitFor();
        assert.equal(await ground(), BACKGROUND.dark);
    });
});

test('a button copies what is typed, without the prompt and the answer', async () => {
    await onPage('index.html', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
        const block = page.locator('.code:has-text("make demo")').first();
        await block.hover();
        await block.locator('.copy').click();
        await block.locator('.copy:text-is("Copied")').waitFor();
        const text = await page.evaluate(() => navigator.clipboard.readText());
        assert.match(text, /^make demo .*\nmake check /);
        assert.doesNotMatch(text, /^\$/m);
    });
});

test('on paper there is the text alone', async () => {
    await onPage('docs/install.html', {}, async (page) => {
        await page.emulateMedia({ media: 'print' });
        for (const part of ['.bar', '#menu', '.contents', 'footer']) {
            assert.equal(await page.locator(part).isVisible(), false, part);
        }
        assert.ok(await page.locator('article h1').isVisible());
        await assertFits(page);
        await shot(page, 'site-print');
    });
});

test('the live demo shows what its page says', async () => {
    /** @type {string[]} */
    let files = [];
    await onPage('demo/index.html', {}, async (page) => {
        files = await page.locator('.cards h2 a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
        assert.match(await page.locator('#reviews .finding').textContent() ?? '', /150 queries, .*Shop\\Shelf::list/);
        assert.match(await page.locator('#statement .finding').textContent() ?? '', /Shop\\Sales::bestsellers/);
        assert.match(await page.locator('#duplicates .finding').textContent() ?? '', /Shop\\Duplicates::of/);
        assert.match(await page.locator('#leak .finding').textContent() ?? '', /Shop\\History::record/);
    });
    assert.deepEqual(files, ['reviews.html', 'comparison.html', 'statement.html', 'duplicates.html', 'checkout.html', 'leak.html', 'heap.html']);
    const shows = {
        'reviews.html': /150 queries/, 'comparison.html': /Queries: 151 → 2/, 'statement.html': /Shop\\Sales::bestsellers/,
        'duplicates.html': /levenshtein/, 'checkout.html': /checkout/, 'leak.html': /Shop\\History::record/, 'heap.html': /Shop\\/,
    };
    for (const [file, text] of Object.entries(shows)) {
        await onPage(`demo/${file}`, {}, async (page) => {
            await page.locator('main').filter({ hasText: text }).waitFor();
            await shot(page, `site-demo-${file}`);
        });
    }
});

test('below any path of a server it is the same', async () => {
    await onPage('', {}, async (page) => {
        await page.locator('#menu a:text-is("Install")').click();
        await page.locator('#find').fill('xhprof.max_nodes');
        await answered(page, 'xhprof.max_nodes');
        await page.locator(found).first().click();
        await page.waitForURL(`${served}docs/reference.html#xhprofmax_nodes`);
    }, served);
    await onPage('index.html?q=leak', {}, async (page) => {
        await answered(page, 'leak');
        await assertAccessible(page);
    }, served);
});

test('the library of the search is the one that package.json names, with its licence', () => {
    const at = (/** @type {string} */ file) => readFileSync(join(site, 'assets/minisearch', file), 'utf8');
    assert.match(at('LICENSE.txt'), /Luca Ongaro/);
    assert.doesNotMatch(at('minisearch.js'), /sourceMappingURL/);
});
