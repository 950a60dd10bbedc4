/**
 * A run in a file that is sent: what get=symbol answers, of the functions and of the calls between them (XHProf\Share\CallsAnswer).
 * Pure: no DOM.
 *
 * @typedef {import('../core/format.js').Unit} Unit
 * @typedef {import('../core/inspector.js').SymbolData} SymbolData
 * @typedef {Record<string, (number | null)[]>} Columns
 * @typedef {object} FunctionsJson
 * @property {{ k: string, unit: Unit, label: string }[]} metrics
 * @property {Record<string, number>} total
 * @property {string[]} names
 * @property {Columns} m of functions
 * @typedef {object} CallsJson
 * @property {number[]} p
 * @property {number[]} c
 * @property {number[]} way_in
 * @property {Columns} m
 * @property {{ p: number[], c: number[], ct: number[] }} inner callers of a function while it was running
 */

import { baseName } from '../core/names.js';

export class Run {
    /**
     * @param {FunctionsJson} functions
     * @param {CallsJson} calls
     */
    constructor(functions, calls) {
        this.functions = functions;
        this.calls = calls;
        /** Row of a function in the table, by name. @type {Map<string, number>} */
        this.rows = new Map(functions.names.map((name, row) => [name, row]));
    }

    /**
     * Answers as get=symbol does.
     *
     * @param {string} name
     * @returns {SymbolData}
     */
    symbol(name) {
        const row = this.rows.get(name) ?? this.rows.get(baseName(name));
        if (row === undefined) {
            throw new Error('This run has no such function.');
        }
        const { names, metrics, total, m } = this.functions;
        const { calls, calls: { inner } } = this;
        const nameOf = (/** @type {number | undefined} */ index) => names[index ?? -1] ?? '';
        const callers = calls.c.flatMap((callee, at) => (callee === row && calls.way_in[at] === 1
            ? [{ ...rowValues(calls.m, at), name: nameOf(calls.p[at]) }]
            : []));
        const callees = calls.p.flatMap((caller, at) => (caller === row ? [{ ...rowValues(calls.m, at), name: nameOf(calls.c[at]) }] : []));
        const recursion = inner.c.flatMap((callee, at) => (callee === row ? [{ name: nameOf(inner.p[at]), ct: inner.ct[at] ?? 0 }] : []));

        return { name: nameOf(row), metrics: metrics.filter(({ k }) => k !== 'ct'), total, row: rowValues(m, row), callers, callees, recursion };
    }
}

/**
 * @param {Columns} columns
 * @param {number} row
 * @returns {any} figures by column, those that there are
 */
function rowValues(columns, row) {
    return Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, column[row]]).filter(([, figure]) => typeof figure === 'number'));
}
