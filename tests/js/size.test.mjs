/** The modules of a page must stay small: there is no build step that shrinks them. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ASSETS = fileURLToPath(new URL('../../xhprof_html/assets/', import.meta.url));

/** Bytes of the modules with which a page starts, its workers' too, each gzipped as it is sent; without what comes from npm packages.
 * Debian's zlib makes them half a percent larger than others do. */
const LIMIT = 90_000;
/** Bytes of what it loads later: by import(), once its picture is there, or where a reader asks for it. */
const LATER = 10_000;

/** Modules that are imported at once, and workers. */
const AT_ONCE = /(?:\bfrom\s+|\bimport\s+|\bnew URL\(\s*)'(\.{1,2}\/[^']+\.js)'/g;
/** Those, and modules that are imported later. */
const IMPORTS = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|\bnew URL\(\s*)'(\.{1,2}\/[^']+\.js)'/g;

/** @param {string} file @returns {number} */
const size = (file) => gzipSync(readFileSync(file)).length;

/**
 * @param {string} file
 * @param {Set<string>} [seen]
 * @param {RegExp} [imports]
 * @returns {Set<string>} the file and all it needs, but for packages
 */
function modules(file, seen = new Set(), imports = IMPORTS) {
    if (!seen.has(file) && !file.includes('/vendor/')) {
        seen.add(file);
        // Comments name types of other modules, which no browser loads.
        for (const [, path = ''] of readFileSync(file, 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '').matchAll(imports)) {
            modules(resolve(dirname(file), path), seen, imports);
        }
    }

    return seen;
}

const pages = join(ASSETS, 'js/pages');
const all = new Set(modules(join(ASSETS, 'js/app.js')));
for (const page of readdirSync(pages).filter((name) => name.endsWith('.js'))) {
    if (page.startsWith('standalone')) {
        // Part of an exported file, which contains a whole run: never sent by itself.
        modules(join(pages, page), all);
        continue;
    }
    test(`modules of ${page}`, (t) => {
        const app = join(ASSETS, 'js/app.js');
        const files = [...modules(join(pages, page), modules(app, new Set(), AT_ONCE), AT_ONCE)];
        const later = [...modules(join(pages, page), modules(app))].filter((file) => !files.includes(file));
        [...files, ...later].forEach((file) => all.add(file));
        const bytes = files.reduce((sum, file) => sum + size(file), 0);
        const more = later.reduce((sum, file) => sum + size(file), 0);
        t.diagnostic(`${files.length} modules, ${(bytes / 1000).toFixed(1)} kB${more > 0 ? `; later ${later.length}, ${(more / 1000).toFixed(1)} kB` : ''}`);
        assert.ok(more <= LATER, `${more} bytes gzipped later: ${later.map((file) => relative(ASSETS, file)).join(', ')}`);
        const heaviest = files.map((file) => `${size(file)} ${relative(ASSETS, file)}`).sort((a, b) => parseInt(b, 10) - parseInt(a, 10));
        assert.ok(bytes <= LIMIT, `${bytes} bytes gzipped; the heaviest: ${heaviest.slice(0, 8).join(', ')}`);
    });
}

test('no module is there that no page loads', (t) => {
    const there = readdirSync(join(ASSETS, 'js'), { recursive: true }).map(String).filter((name) => name.endsWith('.js'));
    assert.deepEqual(there.filter((name) => !all.has(join(ASSETS, 'js', name)) && !name.startsWith('standalone/')), []);
    t.diagnostic(`all pages: ${there.length} modules, ${([...all].reduce((sum, file) => sum + size(file), 0) / 1000).toFixed(1)} kB`);
});

test('what all pages load needs no package', (t) => {
    for (const file of ['graphviz/graphviz.js', 'uplot/uplot.js'].map((name) => join(ASSETS, 'vendor', name)).filter(existsSync)) {
        t.diagnostic(`${relative(ASSETS, file)} ${(size(file) / 1000).toFixed(1)} kB`);
    }
    for (const file of modules(join(ASSETS, 'js/app.js'))) {
        assert.doesNotMatch(readFileSync(file, 'utf8'), /^(?:import|export)\b[^;(]*\bfrom\s+'[^']*vendor\//m, `${relative(ASSETS, file)} imports a package at once`);
    }
});
