#!/usr/bin/env node
/**
 * Copies the parts of npm packages that the pages load, with the licences, into xhprof_html/assets/vendor/ (not in git):
 *
 *     vendor/graphviz/graphviz.js   @hpcc-js/wasm-graphviz, the layout of call graphs, loaded by a worker
 *     vendor/uplot/uplot.js, .css   uPlot, charts over time
 *
 * and the types of both from tools/types/vendor/, which tsconfig.json merges with assets/ so that tsc does not need the copies.
 * Run by `make assets`, after `npm ci`. The folder is replaced as a whole, so that a page never sees half of it.
 */
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ASSETS = join(ROOT, 'xhprof_html/assets');

/** package => [its folder in vendor/, { file there: file of the package }] */
const PACKAGES = {
    '@hpcc-js/wasm-graphviz': ['graphviz', { 'graphviz.js': 'dist/index.js', LICENSE: 'LICENSE' }],
    uplot: ['uplot', { 'uplot.js': 'dist/uPlot.esm.js', 'uplot.css': 'dist/uPlot.min.css', LICENSE: 'LICENSE' }],
};

/** The package's LICENSE covers the wrapper only: it does not name the libraries compiled into it. */
const GRAPHVIZ_NOTICE = `graphviz.js is the file dist/index.js of the npm package @hpcc-js/wasm-graphviz, unchanged: Copyright HPCC Systems,
Apache License 2.0 (the file LICENSE beside this one).

It contains Graphviz 16.1.0, compiled to WebAssembly by that package's authors: Copyright AT&T and the authors of Graphviz, under the
Eclipse Public License 2.0, https://www.eclipse.org/legal/epl-2.0/, which disclaims all warranties and liability for its contributors.
The source code of Graphviz is at https://gitlab.com/graphviz/graphviz (tag 16.1.0), that of the package, with how it is compiled, at
https://github.com/hpcc-systems/hpcc-js-wasm.

It also contains Expat: Copyright Thai Open Source Software Center Ltd, Clark Cooper and the Expat maintainers, MIT license,
https://github.com/libexpat/libexpat/blob/master/COPYING.
`;

/** @type {Record<string, string>} */
const wanted = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies;
const folder = mkdtempSync(join(ASSETS, '.vendor-'));
try {
    for (const [name, [target, files]] of Object.entries(PACKAGES)) {
        const from = join(ROOT, 'node_modules', name);
        let version = 'none';
        try {
            version = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')).version;
        } catch {
            // Not installed: reported below.
        }
        if (version !== wanted[name]) {
            throw new Error(`node_modules/${name} is version ${version} instead of ${wanted[name]}: run npm ci`);
        }
        for (const [file, source] of Object.entries(files)) {
            const copy = join(folder, target, file);
            mkdirSync(dirname(copy), { recursive: true });
            copyFileSync(join(from, source), copy);
        }
    }
    writeFileSync(join(folder, 'graphviz/NOTICE'), GRAPHVIZ_NOTICE);
    cpSync(join(ROOT, 'tools/types/vendor'), folder, { recursive: true });
    chmodSync(folder, 0o755);
    rmSync(join(ASSETS, 'vendor'), { recursive: true, force: true });
    renameSync(folder, join(ASSETS, 'vendor'));
} catch (error) {
    rmSync(folder, { recursive: true, force: true });
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
}
