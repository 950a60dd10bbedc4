/**
 * Shared by the browser tests: a folder of runs, PHP's development server on a free loopback port, Debian's Chromium, as its shell
 * without a window where there is one (it takes half the processor time), and a page that fails on any complaint of the browser.
 *
 * CHROMIUM and PHP_BINARY in the environment name other programs; XHPROF_SHOTS names a folder that keeps screenshots.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PAGES = join(HERE, '../../../xhprof_html');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SHELL = '/usr/bin/chromium-headless-shell';
export const CHROMIUM = process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium');
export const ARGUMENTS = [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** The PHP that serves the pages. */
export const PHP = process.env.PHP_BINARY ?? 'php';

/** Ids of the runs of tests/html/Fixtures.php. */
export const BEFORE = 'a0000000000000000000000000000001';
export const AFTER = 'a0000000000000000000000000000002';
export const LARGE = 'b0000000000000000000000000000001';
export const HOSTILE = 'c0000000000000000000000000000001';
export const CORRECTED = 'e0000000000000000000000000000002';
export const WORKER = 'e0000000000000000000000000000003';

/** Colour of the page by theme. */
export const BACKGROUND = { light: 'rgb(252, 251, 249)', dark: 'rgb(22, 24, 29)' };

/**
 * @typedef {object} Site
 * @property {string} root URL of the pages, with a slash at its end
 * @property {string} folder of the runs
 * @property {import('playwright-core').Browser} browser
 */

/**
 * Serves a folder of runs for the tests of a file: call it once, outside of any test.
 *
 * @param {{ runs?: (folder: string) => void | Promise<void>, env?: Record<string, string>, pages?: string,
 *     router?: string, settings?: string[] }} [options] `runs` fills the empty folder, with the runs of Fixtures.php unless given;
 *     `env` is the server's; `pages` is what it serves: xhprof_html; `router` answers all requests, and `settings` are of php.ini
 * @returns {{ site: Site, onPage: (
 *     options: import('playwright-core').BrowserContextOptions,
 *     visit: (page: import('playwright-core').Page) => Promise<void>,
 *     status?: number,
 * ) => Promise<void> }} `site` is filled in before the first test; `onPage` runs a visit on a fresh page and fails on any
 *     complaint of the browser, except the status of an error page
 */
export function withSite({ runs = fixtures, env = {}, pages = PAGES, router, settings = [] } = {}) {
    /** @type {Site} */
    const site = { root: '', folder: '', browser: /** @type {any} */ (null) };
    /** @type {import('node:child_process').ChildProcess | undefined} */
    let server;
    before(async () => {
        site.folder = mkdtempSync(join(tmpdir(), 'xhprof-browser-'));
        await runs(site.folder);
        const port = await freePort();
        site.root = `http://127.0.0.1:${port}/`;
        // The pages in a phar, where XHPROF_BIN names one.
        const phar = pages === PAGES ? process.env.XHPROF_BIN : undefined;
        const served = phar ? [dirname(phar), resolve(phar)] : [pages, ...(router === undefined ? [] : [router])];
        server = spawn(PHP, [...settings.flatMap((setting) => ['-d', setting]), '-S', `127.0.0.1:${port}`, '-t', ...served], {
            env: { ...process.env, XHPROF_OUTPUT_DIR: site.folder, XDEBUG_MODE: 'off', ...env },
            stdio: 'ignore',
        });
        await answers(site.root);
        site.browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
    });
    after(async () => {
        await site.browser?.close();
        server?.kill('SIGKILL');
        rmSync(site.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    });

    return { site, onPage: (options, visit, status = 200) => onPage(site, options, visit, status) };
}

/**
 * The runs of tests/html/Fixtures.php, or of what make-fixtures.php has besides.
 *
 * @param {string} folder
 * @param {string[]} more
 */
export function fixtures(folder, ...more) {
    execFileSync(PHP, [join(HERE, '../make-fixtures.php'), folder, ...more], { stdio: 'inherit' });
}

/**
 * Saves runs of a call tree, of samples, or of the given documents.
 *
 * @param {string} folder
 * @param {({ id: string, source: string } & ({ documents: Record<string, object> } | { tree: object } | { samples: object }))[]} runs
 */
export function saveRuns(folder, runs) {
    execFileSync(PHP, [join(HERE, '../make-tree-runs.php'), folder], { input: JSON.stringify(runs), stdio: ['pipe', 'inherit', 'inherit'] });
}

/** @returns {Promise<number>} */
function freePort() {
    return new Promise((resolve, reject) => {
        const probe = createServer();
        probe.once('error', reject);
        probe.listen(0, '127.0.0.1', () => {
            const address = probe.address();
            probe.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
        });
    });
}

/** @param {string} url */
async function answers(url) {
    for (let attempt = 0; attempt < 200; attempt++) {
        try {
            await fetch(url);
            return;
        } catch {
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }
    throw new Error('PHP\'s server does not answer.');
}

/**
 * Repeats a failed visit once, on a fresh page: a busy machine now and then loses a browser's page or a connection.
 * `make check` lists visits that passed only then; one that fails again reports its first error.
 *
 * @param {Site} site
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page) => Promise<void>} visit
 * @param {number} status
 */
async function onPage(site, options, visit, status) {
    try {
        await visitOnce(site, options, visit, status);
    } catch (first) {
        try {
            await visitOnce(site, options, visit, status);
        } catch {
            throw first;
        }
        const why = (first instanceof Error ? first.stack ?? first.message : String(first)).split('\n').map((line) => line.trim());
        console.log(`again: ${why.filter((line) => !line.includes('node_modules') && line !== '').slice(0, 5).join(' | ')}`);
    }
}

/**
 * @param {Site} site
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page) => Promise<void>} visit
 * @param {number} status
 */
async function visitOnce(site, options, visit, status) {
    const context = await site.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    settleClicks(page);
    /** @type {string[]} */
    const complaints = [];
    page.on('console', (message) => {
        // Chromium reports the page's own error status as a console error.
        if (status === 200 || !message.text().includes(`status of ${status}`)) {
            complaints.push(`${message.type()}: ${message.text()}`);
        }
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
    });
    page.on('request', (request) => {
        if (!request.url().startsWith(site.root) && !/^(data|blob):/.test(request.url())) {
            complaints.push(`request elsewhere: ${request.url()}`);
        }
    });
    page.on('requestfailed', (request) => {
        // A newer keystroke aborts the request of the older one.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') {
            complaints.push(`failed: ${request.url()}`);
        }
    });
    try {
        await visit(page);
        assert.deepEqual(complaints, []);
    } finally {
        await context.close();
    }
}

/**
 * Makes each click wait until the page that it led to is whole. Playwright returns as soon as the next document begins, when a
 * count of its rows may still be 0.
 *
 * @param {import('playwright-core').Page} page any: all locators share a prototype
 */
function settleClicks(page) {
    const locators = Object.getPrototypeOf(page.locator('html'));
    if (Object.hasOwn(locators, 'settles')) {
        return;
    }
    const { click } = locators;
    Object.assign(locators, {
        settles: true,
        /** @this {import('playwright-core').Locator} @param {Parameters<import('playwright-core').Locator['click']>} options */
        async click(...options) {
            await click.apply(this, options);
            await this.page().waitForLoadState();
        },
    });
}

/** Accessibility rules that depend on the theme. */
export const COLOURS = ['color-contrast'];

/**
 * @param {import('playwright-core').Page} page
 * @param {string[]} [rules] of axe; all unless given
 * @param {string} [within] selector of the part that is looked at; all unless given
 */
export async function assertAccessible(page, rules, within = 'html') {
    // Evaluated by the debugger, so that the page's policy is not changed.
    await page.evaluate(AXE);
    const violations = await page.evaluate(async ({ only, part }) => {
        // @ts-expect-error axe was evaluated above
        const result = await globalThis.axe.run(part === 'html' ? document : part, { resultTypes: ['violations'], ...(only === undefined ? {} : { runOnly: only }) });
        return result.violations
            .filter((/** @type {any} */ one) => ['serious', 'critical'].includes(one.impact))
            .map((/** @type {any} */ one) => `${one.id}: ${one.nodes[0].html} ${one.nodes[0].failureSummary}`);
    }, { only: rules, part: within });
    assert.deepEqual(violations, []);
}

/**
 * Checks that nothing overflows to the right.
 *
 * @param {import('playwright-core').Page} page
 */
export async function assertFits(page) {
    const [whole, window, widest] = await page.evaluate(() => {
        const out = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
        return [document.documentElement.scrollWidth, innerWidth, out.map((one) => `${one.tagName}.${one.className}`).join(' ')];
    });
    assert.ok(whole <= window, `the page is ${whole} px wide in ${window} px; beyond: ${widest}`);
}

/**
 * Keeps a picture of the page in the folder XHPROF_SHOTS, if set.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} name
 */
export async function shot(page, name) {
    const folder = process.env.XHPROF_SHOTS ?? '';
    if (folder !== '') {
        mkdirSync(folder, { recursive: true });
        await page.screenshot({ path: join(folder, `${name}.png`) });
    }
}
