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

export class Run {
    /** @param {RunJson} json */
    constructor(json) {
        if (json?.kind !== 'xhprof-run') {
            throw new Error('This file holds no run.');
        }
        this.json = json;
        /** Row of a function in the table, by name. @type {Map<string, number>} */
        this.rows = new Map(json.functions.fn.map((index, row) => [json.names[index] ?? '', row]));
    }

    /** As get=functions. */
    functions() {
        const { names, functions, total } = this.json;

        return {
            v: 1,
            kind: 'functions',
            names: functions.fn.map((index) => names[index] ?? ''),
            metrics: [...this.metrics(), { k: 'ct', unit: 'count', label: 'Calls' }],
            total,
            m: functions.m,
        };
    }

    /**
     * As get=symbol.
     *
     * @param {string} name
     * @returns {SymbolData}
     */
    symbol(name) {
        const { functions, edges, names, total } = this.json;
        const row = this.rows.get(name);
        if (row === undefined) {
            throw new Error('This run has no such function.');
        }
        const index = functions.fn[row] ?? -1;
        /** @type {SymbolData['callers']} */
        const callers = [];
        /** @type {SymbolData['callees']} */
        const callees = [];
        for (let edge = 0; edge < edges.c.length; edge++) {
            const [caller = -1, callee = -1] = [edges.p[edge], edges.c[edge]];
            if (callee === index && caller >= 0) {
                callers.push(Object.assign(figuresOf(edges.m, edge), { name: names[caller] ?? '' }));
            }
            if (caller === index) {
                callees.push(Object.assign(figuresOf(edges.m, edge), { name: names[callee] ?? '' }));
            }
        }

        return { name, metrics: this.metrics(), total, row: figuresOf(functions.m, row), callers, callees };
    }

    /** @returns {{ k: string, unit: Unit, label: string }[]} */
    metrics() {
        // As on the pages, where corrected times are asked for; the flame graph has them.
        return this.json.metrics.filter(({ k }) => !k.startsWith('corrected_')).map((metric) => ({ ...metric, unit: metric.unit === 'bytes' ? 'B' : metric.unit }));
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
