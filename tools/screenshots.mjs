/**
 * Makes the pictures of the README from programs that it profiles: xhprof_html/screenshots/*.png. Run by `make screenshots`.
 *
 * PHP_BINARY and CHROMIUM in the environment name other programs.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RUNS = join(ROOT, 'build/screenshots');
const PICTURES = join(ROOT, 'xhprof_html/screenshots');
const PHP = process.env.PHP_BINARY ?? 'php';
const PORT = 8791;
const SITE = `http://127.0.0.1:${PORT}/`;
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
    const files = readdirSync(RUNS).filter((name) => name.endsWith(`.${source}.xhprof`));
    const newest = files.sort((a, b) => statSync(join(RUNS, b)).mtimeMs - statSync(join(RUNS, a)).mtimeMs)[0];
    if (newest === undefined) {
        throw new Error(`No run of ${script.join(' ')} was saved.`);
    }

    return newest.split('.')[0] ?? '';
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

/** @param {string} query */
const page = (query) => `${SITE}index.php?${query}`;

async function answers() {
    for (let attempt = 0; attempt < 200; attempt++) {
        if (await fetch(SITE).then((response) => response.ok, () => false)) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`No pages at ${SITE}.`);
}

rmSync(RUNS, { recursive: true, force: true });
mkdirSync(RUNS, { recursive: true });
mkdirSync(PICTURES, { recursive: true });
const phpcs = (/** @type {string} */ standard) => ['vendor/bin/phpcs', '-q', '--no-cache', `--standard=${standard}`, 'xhprof_lib/src/Store'];
const demo = profile('demo', ['benchmarks/demo/reformat.php']);
const before = profile('lint', phpcs('PSR12'));
const after = profile('lint', phpcs('Squiz'));
snapshot();

const server = spawn(PHP, ['bin/xhprof', 'serve', '--no-token', `--port=${PORT}`, `--output-dir=${RUNS}`], { cwd: ROOT, stdio: 'ignore' });
try {
    await answers();
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ['--headless', '--no-sandbox', '--disable-gpu'],
    });
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const run = `run=${demo}&source=demo`;
    const pictures = {
        'flame-graph': [page(`${run}&view=flame&order=heavy&sel=${encodeURIComponent('PhpParser\\NodeTraverser::traverseNode')}`), 'canvas'],
        'call-graph': [page(`${run}&view=graph&sel=${encodeURIComponent(PARSE)}`), 'svg g a'],
        comparison: [page(`run1=${before}&run2=${after}&source=lint&view=flame`), 'canvas'],
        heap: [page('view=heap&heap=parser'), 'canvas'],
    };
    for (const [name, [url, drawn]] of Object.entries(pictures)) {
        const tab = await context.newPage();
        await tab.goto(String(url));
        await tab.locator(String(drawn)).first().waitFor();
        await tab.waitForTimeout(2500);
        await tab.screenshot({ path: join(PICTURES, `${name}.png`) });
        console.log(`${PICTURES}/${name}.png`);
    }
    await browser.close();
} finally {
    server.kill('SIGTERM');
}
