/**
 * A run as XHProf\Export\JsonRun writes it, in the shapes that api.php answers. Pure: no DOM.
 *
 * @typedef {import('../core/format.js').Unit} Unit
 * @typedef {import('../core/inspector.js').SymbolData} SymbolData
 * @typedef {Record<string, (number | null)[]>} Figures
 * @typedef {object} RunJson
 * @property {string} kind
 * @property {{ k: string, unit: Unit, label: string }[]} metrics
 * @property {Record<string, number>} total
 * @property {string[]} names
 * @property {{ fn: number[], m: Figures }} functions
 * @property {{ p: number[], c: number[], m: Figures }} edges
 * @property {object | null} tree as in tree.json
 */

import { baseName } from '../core/names.js';
import { fold, levelOf } from './recursion.js';

export class Run {
    /** @param {RunJson} json */
    constructor(json) {
        if (json?.kind !== 'xhprof-run') {
            throw new Error('This file holds no run.');
        }
        this.json = json;
        const { names, functions, edges } = json;
        const base = names.map(baseName);
        const level = names.map(levelOf);
        /** Of each name. */
        this.base = base;
        this.level = level;
        /** Functions by name, levels of recursion as one. */
        this.functionRows = fold(functions.fn.length, functions.m, (row) => base[functions.fn[row] ?? -1] ?? '', (row) => level[functions.fn[row] ?? -1] ?? 0);
        /** Row of a function in the table, by name. @type {Map<string, number>} */
        this.rows = new Map(this.functionRows.keys.map((name, row) => [name, row]));
        const ids = new Map(this.functionRows.keys.map((name, id) => [name, id]));
        const idOf = (/** @type {number} */ index) => ids.get(base[index] ?? '') ?? -1;
        /** Calls by the functions' rows, without those of a function to itself. */
        this.calls = fold(edges.c.length, edges.m, (edge) => {
            const [caller, callee] = [idOf(edges.p[edge] ?? -1), idOf(edges.c[edge] ?? -1)];

            return (edges.p[edge] ?? -1) < 0 || caller === callee ? null : caller * ids.size + callee;
        }, (edge) => level[edges.c[edge] ?? -1] ?? 0);
    }

    /** As get=functions. */
    functions() {
        return {
            v: 1,
            kind: 'functions',
            names: this.functionRows.keys,
            metrics: this.metrics(),
            total: this.json.total,
            m: this.functionRows.m,
        };
    }

    /**
     * As get=symbol.
     *
     * @param {string} name
     * @returns {SymbolData}
     */
    symbol(name) {
        const row = this.rows.get(name) ?? this.rows.get(baseName(name));
        if (row === undefined) {
            throw new Error('This run has no such function.');
        }
        const { keys, m } = this.functionRows;
        /** @type {SymbolData['callers']} */
        const callers = [];
        /** @type {SymbolData['callees']} */
        const callees = [];
        const { calls } = this;
        const into = calls.levels.filter((_, at) => (calls.keys[at] ?? 0) % keys.length === row);
        const outermost = into.reduce((least, level) => Math.min(least, level), Infinity);
        calls.keys.forEach((key, at) => {
            const [caller, callee] = [Math.floor(key / keys.length), key % keys.length];
            // Who calls it only while it runs already is no way in.
            if (callee === row && calls.levels[at] === outermost) {
                callers.push(Object.assign(figuresOf(calls.m, at), { name: keys[caller] ?? '' }));
            }
            if (caller === row) {
                callees.push(Object.assign(figuresOf(calls.m, at), { name: keys[callee] ?? '' }));
            }
        });

        return {
            name: keys[row] ?? name, metrics: this.metrics().filter(({ k }) => k !== 'ct'), total: this.json.total, row: figuresOf(m, row), callers, callees,
            recursion: this.#recursion(keys[row] ?? name),
        };
    }

    /**
     * @param {string} name
     * @returns {{ name: string, ct: number }[]} who called it while it was running
     */
    #recursion(name) {
        const { p, c, m } = this.json.edges;
        /** @type {Map<string, number>} */
        const calls = new Map();
        for (let edge = 0; edge < c.length; edge++) {
            const [caller, callee] = [p[edge] ?? -1, c[edge] ?? -1];
            const from = this.base[caller];
            if (this.base[callee] === name && from !== undefined && (from === name || (this.level[callee] ?? 0) > 0)) {
                calls.set(from, (calls.get(from) ?? 0) + (m.ct?.[edge] ?? 0));
            }
        }

        return [...calls].map(([from, ct]) => ({ name: from, ct })).sort((a, b) => b.ct - a.ct);
    }

    /** @returns {{ k: string, unit: Unit, label: string }[]} the calls last */
    metrics() {
        // As on the pages, where corrected times are asked for; the flame graph has them.
        return this.json.metrics.filter(({ k }) => !k.startsWith('corrected_'));
    }
}

/**
 * @param {Figures} columns
 * @param {number} row
 * @returns {any} figures by column, those that there are
 */
function figuresOf(columns, row) {
    return Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, column[row]]).filter(([, figure]) => typeof figure === 'number'));
}
