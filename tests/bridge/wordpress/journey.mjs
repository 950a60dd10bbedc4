/**
 * Visits a WordPress as its administrator, as a person would, and prints what was there as JSON for WordPressTest:
 * `node journey.mjs URL [FOLDER]`; screenshots go to the folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const [url, shots] = process.argv.slice(2);
const SHELL = '/usr/bin/chromium-headless-shell';
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium'),
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param {import('playwright-core').Page} page @param {string} name */
const shot = async (page, name) => {
    if (shots !== undefined) {
        await page.screenshot({ path: `${shots}/${name}.png` });
    }
};

/**
 * Complaints of axe about an element, which belongs to this package.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} of
 */
const axe = async (page, of) => {
    await page.evaluate(AXE);
    return page.evaluate(async (element) => {
        // @ts-expect-error axe was evaluated above
        const result = await globalThis.axe.run(element, { resultTypes: ['violations'] });
        return result.violations
            .filter((/** @type {any} */ one) => ['serious', 'critical'].includes(one.impact))
            .map((/** @type {any} */ one) => `${one.id}: ${one.nodes[0].html}`);
    }, of);
};

/** Waits until the bar has the figures of a run. @param {import('playwright-core').Page} page */
const figures = (page) => page.waitForFunction(() => {
    const item = document.querySelector('#wp-admin-bar-xhprof > .ab-item');
    return item?.textContent?.includes('·') ?? false;
});

/** @type {Record<string, unknown>} */
const facts = {};
/** @type {string[]} */
const complaints = [];
try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(`${message.text()} ${message.location().url}`));
    await page.goto(`${url}wp-login.php`);
    await page.fill('#user_login', 'bench');
    await page.fill('#user_pass', 'bench');
    await page.click('#wp-submit');
    await page.waitForLoadState();

    // Nothing has been asked for.
    await page.goto(url);
    const bar = page.locator('#wp-admin-bar-xhprof');
    facts.before = await bar.locator(':scope > .ab-item').innerText();
    facts.itemsBefore = await bar.locator('.ab-submenu .ab-item').allTextContents();

    // "Profile the next request": the same page comes back, and its figures with it.
    await bar.hover();
    await page.locator('#wp-admin-bar-xhprof-next > .ab-item').click();
    await page.waitForLoadState();
    await figures(page);
    facts.page = page.url();
    facts.after = await bar.locator(':scope > .ab-item').innerText();
    facts.itemsAfter = await bar.locator('.ab-submenu .ab-item').allTextContents();
    facts.cookies = (await context.cookies()).map((cookie) => cookie.name).filter((name) => name === 'xhprof_next');
    await bar.hover();
    await shot(page, 'bar');
    facts.axeBar = await axe(page, '#wp-admin-bar-xhprof');
    await page.setViewportSize({ width: 390, height: 800 });
    facts.widthNarrow = await page.evaluate(() => document.documentElement.scrollWidth);
    facts.barNarrow = await bar.isVisible();
    await shot(page, 'bar-narrow');
    await bar.hover();
    await bar.locator('#wp-admin-bar-xhprof-next').waitFor();
    await shot(page, 'bar-narrow-open');
    await page.setViewportSize({ width: 1280, height: 800 });

    // The next page is not recorded: the bar names the run before.
    await page.goto(`${url}wp-admin/`);
    await figures(page);
    facts.itemsLater = await bar.locator('.ab-submenu .ab-item').allTextContents();

    // Tools > XHProf.
    const probes = ['api?', 'app.css'].map((name) => page.waitForResponse((answer) => {
        return answer.url().includes('_xhprof/') && answer.url().includes(name);
    }));
    await page.goto(`${url}wp-admin/tools.php?page=xhprof`);
    facts.probes = (await Promise.all(probes)).map((answer) => answer.status());
    facts.tools = await page.locator('.wrap h1').innerText();
    facts.toolsRun = await page.locator('.xhprof-title').innerText();
    facts.unreachable = await page.locator('#xhprof-unreachable').isVisible();
    facts.axeTools = await axe(page, '.wrap');
    await shot(page, 'tools');
    await page.setViewportSize({ width: 390, height: 800 });
    facts.toolsNarrow = await page.evaluate(() => document.documentElement.scrollWidth);
    await shot(page, 'tools-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });

    // The run's pages, by the links of the bar.
    await figures(page);
    await bar.hover();
    await page.locator('#wp-admin-bar-xhprof-run > .ab-item').click();
    await page.waitForLoadState();
    facts.run = page.url().slice(url.length);
    facts.title = await page.title();
    await page.getByRole('link', { name: 'Call tree' }).first().click();
    await page.locator('.call-tree tbody:not(.spacer) tr').first().waitFor();
    facts.tree = await page.locator('.call-tree tbody:not(.spacer) tr').count();
    facts.treeUrl = page.url().slice(url.length);
    await shot(page, 'tree');
    await context.close();
    // Debian's WordPress links to files of other packages, and asks for pictures from elsewhere.
    facts.complaints = complaints.filter((text) => text.includes('xhprof'));
    console.log(JSON.stringify(facts));
} finally {
    await browser.close();
}
