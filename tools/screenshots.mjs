/**
 * Makes the pictures of the documentation from programs that it profiles: xhprof_html/screenshots/*.png of the README, and
 * tour/*.png of docs/tour.md from the shop of demo/shop. Run by `make screenshots`. Where XHPROF_FLEET names the store of
 * `make demo-fleet`, fleet/*.png of docs/fleet.md as well.
 *
 * PHP_BINARY and CHROMIUM in the environment name other programs. Words after the script's name choose pictures: those whose names
 * begin with one of them. --keep visits no shop, but takes the runs of the last time.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNS = join(ROOT, 'build/screenshots');
const SHOP = join(RUNS, 'shop');
const KEEP = process.argv.includes('--keep');
const PICTURES = join(ROOT, 'xhprof_html/screenshots');
const PHP = process.env.PHP_BINARY ?? 'php';
const PORTS = { readme: 8791, shop: 8792, fleet: 8793 };
const WIDE = { width: 1440, height: 900 };
const LOW = { width: 1440, height: 560 };
const PHONE = { width: 390, height: 780 };
const PARSE = 'PhpParser\\ParserAbstract::doParse';

/**
 * @param {string} source
 * @param {string[]} script
 * @returns {string} the id of the run
 */
function profile(source, script) {
    const options = ['-q', '--cpu', '--memory', `--source=${source}`, `--output-dir=${RUNS}`, '--report-to=/dev/null'];
    try {
        execFileSync(PHP, ['bin/xhprof', 'run', ...options, '--', ...script], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    } catch (error) {
        // The exit code is the script's: phpcs exits with another than 0 when it finds something.
        if (/** @type {{ status?: number }} */ (error).status === undefined) {
            throw error;
        }
    }
    const list = execFileSync(PHP, ['bin/xhprof', 'list', `--output-dir=${RUNS}`, `--source=${source}`, '--limit=1', '--json'], { cwd: ROOT, encoding: 'utf8' });
    const [newest] = JSON.parse(list).runs;
    if (newest === undefined) {
        throw new Error(`No run of ${script.join(' ')} was saved.`);
    }

    return newest.id;
}

/** A heap snapshot of the demo's parser, with syntax trees in memory. */
function snapshot() {
    writeFileSync(join(RUNS, 'parser.php'), `<?php
        require '../../vendor/autoload.php';
        $parser = (new PhpParser\\ParserFactory())->createForNewestSupportedVersion();
        foreach (glob('../../vendor/symfony/console/{Command,Helper,Style}/*.php', GLOB_BRACE) as $file) {
            $trees[basename($file)] = $parser->parse(file_get_contents($file));
        }
        xhprof_heap_snapshot('parser.heap.jsonl');`);
    const extension = `extension=${join(ROOT, 'extension/modules/xhprof.so')}`;
    execFileSync(PHP, ['-d', extension, 'parser.php'], { cwd: RUNS, stdio: 'inherit' });
    execFileSync(PHP, ['bin/xhprof', 'heap', 'summary', join(RUNS, 'parser.heap.jsonl')], { cwd: ROOT, stdio: 'ignore' });
}

/**
 * @typedef {object} Picture
 * @property {string} name of the file, without .png
 * @property {string} query of the address
 * @property {string} drawn the selector of what has to be there
 * @property {{ width: number, height: number }} size
 * @property {boolean} [dark]
 * @property {string} [click] the selector of what is clicked then
 */

/** @returns {Picture[]} */
function ofReadme() {
    const phpcs = (/** @type {string} */ standard) => [
        'vendor/bin/phpcs', '-q', '--no-cache', `--standard=${standard}`, 'xhprof_lib/src/Store',
    ];
    const demo = profile('demo', ['benchmarks/demo/reformat.php']);
    const before = profile('lint', phpcs('PSR12'));
    const after = profile('lint', phpcs('Squiz'));
    snapshot();
    const run = `run=${demo}&source=demo`;
    const size = { width: 1280, height: 720 };
    const selected = encodeURIComponent('PhpParser\\NodeTraverser::traverseNode');

    return [
        { name: 'flame-graph', query: `${run}&view=flame&order=heavy&sel=${selected}`, drawn: 'canvas', size },
        { name: 'call-graph', query: `${run}&view=graph&sel=${encodeURIComponent(PARSE)}`, drawn: 'svg g a', size },
        { name: 'comparison', query: `run1=${before}&run2=${after}&source=lint&view=flame`, drawn: 'canvas', size },
        { name: 'heap', query: 'view=heap&heap=parser', drawn: 'canvas', size },
    ];
}

/** @returns {Picture[]} */
function ofTour() {
    if (!KEEP) {
        execFileSync(PHP, ['demo/shop/visit.php', SHOP], { cwd: ROOT, stdio: 'inherit' });
    }
    const list = execFileSync(PHP, ['bin/xhprof', 'list', `--output-dir=${SHOP}`, '--json'], { cwd: ROOT, encoding: 'utf8' });
    const run = (/** @type {string} */ title) => {
        const found = JSON.parse(list).runs.find((/** @type {any} */ one) => (one.meta.url ?? one.meta.command) === title);
        return found === undefined ? '' : `run=${found.id}&source=shop`;
    };
    const reviews = run('/reviews');
    const cured = run('/reviews?by=one-query');
    const both = `source=shop&run1=${/run=(\w+)/.exec(reviews)?.[1]}&run2=${/run=(\w+)/.exec(cured)?.[1]}`;
    const slow = run('/bestsellers/postgres') || run('/bestsellers/sqlite');
    const leak = run('php demo/shop/import.php 40');
    const duplicates = `${run('/duplicates')}&symbol=${encodeURIComponent('Shop\\Duplicates::of')}`;
    const first = '.findings li > a:not(.lit-link)';

    return [
        { name: 'runs', query: '', drawn: 'table.runs', size: LOW },
        { name: 'runs-phone', query: '', drawn: 'table.runs', size: PHONE, dark: true },
        { name: 'findings', query: reviews, drawn: '.virtual tbody tr[aria-rowindex]', size: WIDE },
        { name: 'operations', query: reviews, drawn: first, click: first, size: { width: 1440, height: 640 } },
        { name: 'operations-phone', query: reviews, drawn: first, click: first, size: PHONE },
        { name: 'statement', query: slow, drawn: first, click: first, size: LOW, dark: true },
        { name: 'source', query: duplicates, drawn: 'table.code', size: WIDE },
        { name: 'source-dark', query: duplicates, drawn: 'table.code', size: WIDE, dark: true },
        { name: 'timeline', query: `${run('/checkout')}&view=timeline`, drawn: 'canvas', size: WIDE },
        { name: 'timeline-dark', query: `${run('/checkout')}&view=timeline`, drawn: 'canvas', size: WIDE, dark: true },
        { name: 'call-tree', query: `${reviews}&view=calltree`, drawn: '.call-tree tbody th', click: 'button:text("Hot path")', size: LOW },
        { name: 'flame', query: `${reviews}&view=flame`, drawn: 'canvas', size: LOW, dark: true },
        { name: 'flame-phone', query: `${reviews}&view=flame`, drawn: 'canvas', size: PHONE },
        { name: 'graph', query: `${reviews}&view=graph`, drawn: 'svg g a', size: WIDE },
        { name: 'comparison', query: both, drawn: 'table.functions', size: WIDE },
        { name: 'memory-curve', query: `${leak}&view=timeline`, drawn: 'canvas', size: WIDE },
        { name: 'memory', query: `${leak}&view=memory`, drawn: 'table.memory', size: WIDE },
        { name: 'heap', query: 'view=heap&heap=import', drawn: 'canvas', size: WIDE },
        { name: 'heap-phone', query: 'view=heap&heap=import', drawn: 'canvas', size: PHONE, dark: true },
        { name: 'heap-growth', query: 'view=heap&heap1=import-half&heap2=import', drawn: 'table', size: LOW, dark: true },
    ];
}

/** @returns {Picture[]} of the simulated hosts, among which a release made one function slower */
function ofFleet() {
    const query = 'view=fleet&last=7d';
    const asked = ['fleet', 'regressions', '--service=shop', '--json'];
    const found = JSON.parse(execFileSync(PHP, ['bin/xhprof', ...asked], { cwd: ROOT, encoding: 'utf8' }));
    const { function: name, route } = found.rows[0];
    const slower = `route=${encodeURIComponent(route)}&service=shop`;
    const releases = `release=${found.release}&base_release=${found.base}`;

    return [
        { name: 'overview', query, drawn: 'table', size: { width: 1440, height: 720 } },
        { name: 'function', query: `${query}&show=functions&symbol=${encodeURIComponent(name)}&${slower}`, drawn: 'table', size: WIDE },
        { name: 'difference', query: `${query}&show=flame&${slower}&${releases}&sel=${encodeURIComponent(name)}`, drawn: 'canvas', size: LOW },
    ];
}

/** @param {string} site */
async function answers(site) {
    for (let attempt = 0; attempt < 200; attempt++) {
        if (await fetch(site).then((response) => response.ok, () => false)) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`No pages at ${site}.`);
}

/**
 * @param {string} runs folder
 * @param {number} port
 * @param {Picture[]} pictures
 * @param {string} folder of the pictures
 */
async function take(runs, port, pictures, folder) {
    const site = `http://127.0.0.1:${port}/`;
    const options = ['--no-token', `--port=${port}`, `--output-dir=${runs}`, `--source-root=${ROOT}`];
    const server = spawn(PHP, ['bin/xhprof', 'serve', ...options], { cwd: ROOT, stdio: 'ignore' });
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    try {
        await answers(site);
        for (const { name, query, drawn, size, dark = false, click } of pictures) {
            const tab = await browser.newPage({ viewport: size, colorScheme: dark ? 'dark' : 'light' });
            await tab.goto(`${site}index.php?${query}`);
            await tab.locator(drawn).first().waitFor();
            if (click !== undefined) {
                await tab.locator(click).first().click();
                await tab.waitForLoadState();
                await tab.evaluate(() => scrollTo(0, 0));
            }
            await tab.mouse.move(0, 0);
            // Where this checkout is says nothing to a reader.
            await tab.evaluate((root) => {
                const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                while (texts.nextNode()) {
                    texts.currentNode.nodeValue = (texts.currentNode.nodeValue ?? '').replaceAll(root, '/');
                }
            }, ROOT);
            // Pictures fade in and out.
            await tab.waitForTimeout(2500);
            const file = join(folder, `${name}.png`);
            // At most 256 colours, and no colour is mixed from dots of others.
            const quantised = execFileSync('pngquant', ['--speed=1', '--nofs', '--strip', '-'], { input: await tab.screenshot() });
            writeFileSync(file, quantised);
            console.log(`${file}  ${Math.round(readFileSync(file).length / 1024)} KB`);
            await tab.close();
        }
    } finally {
        await browser.close();
        server.kill('SIGTERM');
    }
}

if (!KEEP) {
    rmSync(RUNS, { recursive: true, force: true });
}
mkdirSync(SHOP, { recursive: true });
mkdirSync(join(PICTURES, 'tour'), { recursive: true });
mkdirSync(join(PICTURES, 'fleet'), { recursive: true });
const words = process.argv.slice(2).filter((word) => word !== '--keep');
const wanted = (/** @type {string} */ prefix) => (/** @type {Picture} */ { name }) =>
    words.length === 0 || words.some((word) => `${prefix}${name}`.startsWith(word));
if (words.length === 0 || words.some((word) => !word.includes('/'))) {
    await take(RUNS, PORTS.readme, ofReadme().filter(wanted('')), PICTURES);
}
if (words.length === 0 || words.some((word) => word.startsWith('tour/'))) {
    await take(SHOP, PORTS.shop, ofTour().filter(wanted('tour/')), join(PICTURES, 'tour'));
}
if (process.env.XHPROF_FLEET !== undefined && (words.length === 0 || words.some((word) => word.startsWith('fleet/')))) {
    await take(RUNS, PORTS.fleet, ofFleet().filter(wanted('fleet/')), join(PICTURES, 'fleet'));
}
