/**
 * The rows of a comparison: before, after, change, which of them are noise, and their order. No DOM.
 *
 * @typedef {{ k: string, unit: import('../core/format.js').Unit, label: string }} Metric
 * @typedef {object} DiffData the answer of get=diff
 * @property {string[]} names
 * @property {Metric[]} metrics the calls last
 * @property {{ a: Record<string, number>, b: Record<string, number> }} total
 * @property {Record<string, number[]>} a
 * @property {Record<string, number[]>} b
 * @property {(0 | 1 | 2)[]} only
 * @property {{ p?: Record<string, (number | null)[]> }} [noise]
 * @property {{ words: string, rows: Record<string, number[]> }} [machine] rows: per column the functions whose change is the machine's
 * @property {{ least: Record<string, number>, level: number }} bounds of noise. least: smallest change per metric;
 *     level: the probability from which a change counts as chance
 * @property {Record<string, string>} [hashes]
 * @property {Record<string, string>} [before] names before, of functions whose names differ
 */

import { byName } from '../core/names.js';
import { BY_NAME, parseColumnKey } from '../table/column-order.js';

export class DiffModel {
    /** @param {DiffData} data */
    constructor(data) {
        this.data = data;
        /** @type {number[]} numbers of the functions that are shown, in their order */
        this.rows = [];
        /** @type {Uint8Array} 1 where the change of the column sorted by is noise */
        this.noisy = new Uint8Array(data.names.length);
        this.lead = 'ct';
        /** @type {string[]} */
        this.lower = [];
        /** @type {Map<string, Set<number>>} */
        this.machine = new Map(Object.entries(data.machine?.rows ?? {}).map(([column, rows]) => [column, new Set(rows)]));
    }

    /**
     * The change of a column.
     *
     * @param {number} row
     * @param {string} column
     * @returns {number}
     */
    delta(row, column) {
        return (this.data.b[column]?.[row] ?? 0) - (this.data.a[column]?.[row] ?? 0);
    }

    /** @param {string} column */
    wholeChange(column) {
        const metric = baseOf(column);

        return (this.data.total.b[metric] ?? 0) - (this.data.total.a[metric] ?? 0);
    }

    /**
     * @param {string} column
     * @param {number} delta
     * @returns {boolean} whether that is under 1 % of the total
     */
    isSmall(column, delta) {
        return delta === 0 || Math.abs(delta) < (this.data.bounds.least[baseOf(column)] ?? 0);
    }

    /**
     * @param {number} row
     * @param {string} column
     * @returns {number | null} the probability that chance alone causes the change
     */
    chance(row, column) {
        return this.data.noise?.p?.[column]?.[row] ?? null;
    }

    /**
     * @param {number} row
     * @param {string} column
     * @returns {boolean} whether the change is the machine's
     */
    isMachine(row, column) {
        return this.machine.get(column)?.has(row) ?? false;
    }

    /**
     * @param {{ sort: string, direction: string, query: string, changed: boolean, mixed: boolean, metric: string }} settings sort: a
     *     column, one with "a_", "b_" or "p_" before it, or "fn"
     */
    arrange({ sort, direction, query, changed, mixed, metric }) {
        const [part, column] = parseColumnKey(sort);
        const hasExclusive = this.data.a[`excl_${metric}`] !== undefined;
        this.lead = part === BY_NAME ? (hasExclusive ? `excl_${metric}` : metric) : column;
        for (let row = 0; row < this.noisy.length; row++) {
            const isNoise = this.isSmall(this.lead, this.delta(row, this.lead)) || (this.chance(row, this.lead) ?? 0) >= this.data.bounds.level;
            this.noisy[row] = isNoise || this.isMachine(row, this.lead) ? 1 : 0;
        }
        const matching = this.#matching(query).filter((row) => !changed || this.noisy[row] === 0);
        const byChange = part === 'd' || part === 'p';
        const values = part === BY_NAME ? null : Float64Array.from(this.data.names, (_, row) => {
            const value = valueOf(this.data.a[column]?.[row] ?? 0, this.data.b[column]?.[row] ?? 0, part);

            return direction === '' ? Math.abs(value) : value;
        });
        const names = this.data.names;
        const sign = direction === 'asc' ? 1 : -1;
        matching.sort((one, two) => {
            if (byChange && !mixed && this.noisy[one] !== this.noisy[two]) {
                return (this.noisy[one] ?? 0) - (this.noisy[two] ?? 0);
            }
            if (values !== null && values[one] !== values[two]) {
                return (values[one] ?? 0) < (values[two] ?? 0) ? -sign : sign;
            }
            const order = byName(names[one], names[two]);

            return values === null && direction === 'desc' ? -order : order;
        });
        this.rows = matching;
    }

    /**
     * @param {string} query part of a name, in any case
     * @returns {number[]}
     */
    #matching(query) {
        const all = this.data.names.map((_, row) => row);
        if (query === '') {
            return all;
        }
        if (this.lower.length === 0) {
            this.lower = this.data.names.map((name) => name.toLowerCase());
        }
        const wanted = query.toLowerCase();

        return all.filter((row) => (this.lower[row] ?? '').includes(wanted));
    }
}

/**
 * @param {number} a
 * @param {number} b
 * @param {string} part
 * @returns {number}
 */
function valueOf(a, b, part) {
    switch (part) {
        case 'a':
            return a;
        case 'b':
            return b;
        case 'p':
            // A new function has grown beyond any percentage.
            return a === 0 ? (b === 0 ? 0 : Math.sign(b) * Infinity) : (b - a) / Math.abs(a);
        default:
            return b - a;
    }
}

/** @param {string} column */
function baseOf(column) {
    return column.startsWith('excl_') ? column.slice(5) : column;
}
