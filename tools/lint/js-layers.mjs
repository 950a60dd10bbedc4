#!/usr/bin/env node
/**
 * Enforces the layers of the pages' modules. Each room, a folder of assets/js, uses only the rooms that its line below allows, and a
 * line allows only those above it: so there are no cycles. Types in comments count, and so do workers. Prints one line per offence;
 * exit code 1 when there are any.
 *     js-layers.mjs [FOLDER]   instead of xhprof_html/assets/js
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LINT = 'tools/lint/js-layers.mjs';

/** Room of the modules that are in no folder. */
const TOP = '(top)';

/** The rooms that each one may use, lowest first. @type {Record<string, string[]>} */
const ALLOWED = {
    // Copies of npm packages, beside assets/js.
    vendor: [],
    // What all pages share: data, figures, names, keys, the state in the address, workers.
    core: [],
    // Run files, and call trees in typed columns.
    profile: ['core'],
    table: ['core'],
    compare: ['core', 'table'],
    graph: ['vendor', 'core', 'profile'],
    trend: ['vendor', 'core'],
    heap: ['core'],
    runs: ['core'],
    // The run in an exported file.
    standalone: ['core'],
    // The canvas of frames.
    flame: ['core', 'profile'],
    // What the views of call paths share.
    paths: ['core', 'profile', 'table', 'flame'],
    calltree: ['core', 'profile', 'table', 'paths'],
    timeline: ['core', 'profile', 'flame', 'paths'],
    pages: ['core', 'profile', 'table', 'compare', 'graph', 'trend', 'heap', 'runs', 'standalone', 'flame', 'paths', 'calltree', 'timeline'],
    [TOP]: ['core'],
};

/** Imports, also in comments, and the files of workers. */
const USES = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|\bnew URL\(\s*)'(\.{1,2}\/[^']+\.js)'/g;

/** @returns {string[]} entries of ALLOWED that break its order */
function misplaced() {
    const rooms = Object.keys(ALLOWED);

    return Object.entries(ALLOWED).flatMap(([room, allowed]) => allowed.filter((used) => !rooms.slice(0, rooms.indexOf(room)).includes(used))
        .map((used) => `${LINT}: ${room} allows ${used}, which does not stand above it`));
}

/**
 * @param {string} path relative to assets/js
 * @returns {string}
 */
function roomOf(path) {
    const [first = '', ...rest] = path.replace(/^\.\.\//, '').split('/');

    return rest.length === 0 ? TOP : first;
}

/**
 * @param {string} folder
 * @returns {string[]} offences as "file:line: text"
 */
function offences(folder) {
    const found = [];
    /** @type {Set<string>} */
    const met = new Set();
    for (const path of readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith('.js')).sort()) {
        const room = roomOf(path);
        const allowed = ALLOWED[room];
        if (allowed === undefined) {
            found.push(`${folder}/${path}: ${LINT} does not know this folder`);
            continue;
        }
        for (const [at, line] of readFileSync(join(folder, path), 'utf8').split('\n').entries()) {
            for (const [, target = ''] of line.matchAll(USES)) {
                const used = roomOf(join(dirname(path), target));
                met.add(`${room} ${used}`);
                if (used !== room && !allowed.includes(used)) {
                    found.push(`${folder}/${path}:${at + 1}: ${room} must not use ${join(dirname(path), target)}`);
                }
            }
        }
    }
    for (const [room, allowed] of Object.entries(ALLOWED)) {
        found.push(...allowed.filter((used) => !met.has(`${room} ${used}`)).map((used) => `${LINT}: ${room} does not use ${used} any more: take it from the list`));
    }

    return found;
}

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
const found = [...misplaced(), ...offences(process.argv[2] ?? 'xhprof_html/assets/js')];
found.forEach((offence) => console.log(offence));
process.exitCode = found.length === 0 ? 0 : 1;
