/**
 * The functions of a run as columns, with the filter and the order of its rows. Pure: no DOM, no network.
 *
 * @typedef {import('../core/format.js').Unit} Unit
 * @typedef {{ k: string, unit: Unit, label: string }} Metric
 * @typedef {object} FunctionsData as api.php?get=functions gives it
 * @property {string[]} names
 * @property {Metric[]} metrics
 * @property {Record<string, number>} total
 * @property {Record<string, number[]>} m ct, wt, excl_wt...
 * @property {Record<string, string>} [hashes] row => hash of a name that no URL can hold
 * @property {{ files: import('../core/dom.js').Place[], file: number[], line: number[] }} [places] per row the index of its file, -1 for
 *     none, and its line, 0 for none; %l in a URL is the line
 */

import { baseName, byName } from '../core/names.js';
import { BY_NAME } from './column-order.js';

/** Number of metrics above which the others show their inclusive figures only. */
const MAX_BOTH = 4;

export class FunctionsModel {
    /** @type {Uint32Array | undefined} */
    #rank;
    /** @type {Map<string, Float64Array>} */
    #columns = new Map();

    /** @param {FunctionsData} data */
    constructor(data) {
        this.data = data;
        this.size = data.names.length;
        /** Base keys, without "ct". */
        this.metrics = data.metrics.map((metric) => metric.k).filter((key) => key !== 'ct');
        /** All rows in the order they are sorted, then those of them that match. @type {Uint32Array} */
        this.sorted = Uint32Array.from({ length: this.size }, (_, row) => row);
        this.rows = this.sorted;
        this.query = '';
        /** @type {Uint8Array | null} */
        this.matches = null;
    }

    /**
     * @param {number} row
     * @returns {import('../core/dom.js').Place | null} null where the run has no places
     */
    place(row) {
        const { places } = this.data;
        const file = places?.files[places.file[row] ?? -1];
        if (places === undefined || file === undefined) {
            return places === undefined ? null : { text: '', title: '', url: null };
        }
        const line = places.line[row] ?? 0;
        const suffix = line > 0 ? `:${line}` : '';

        return {
            text: file.text + suffix,
            title: file.title + suffix,
            url: file.url?.replaceAll('%l', String(Math.max(1, line))) ?? null,
        };
    }

    /**
     * @param {string} key "ct", "wt", "excl_wt", "per_wt"
     * @returns {Float64Array} a figure per row; NaN for none
     */
    column(key) {
        let column = this.#columns.get(key);
        if (column === undefined) {
            const base = key.startsWith('per_') ? key.slice(4) : null;
            const figures = this.data.m[base ?? key] ?? [];
            const calls = this.data.m.ct ?? [];
            column = Float64Array.from({ length: this.size }, (_, row) => {
                const figure = figures[row] ?? NaN;

                return base === null ? figure : ((calls[row] ?? 0) > 0 ? figure / (calls[row] ?? 1) : NaN);
            });
            this.#columns.set(key, column);
        }

        return column;
    }

    /**
     * @param {string} name of a function or of a level of its recursion
     * @returns {number} -1 for none
     */
    rowOf(name) {
        const row = this.data.names.indexOf(name);

        return row >= 0 ? row : this.data.names.indexOf(baseName(name));
    }

    /**
     * @param {string} key
     * @returns {boolean} whether rows can be sorted by it
     */
    has(key) {
        return key === BY_NAME || Object.hasOwn(this.data.m, key.startsWith('per_') ? key.slice(4) : key);
    }

    /**
     * @param {string} key
     * @param {boolean} descending
     */
    sort(key, descending) {
        const order = key === BY_NAME ? rowsByRank(this.rank()) : largestFirst(this.column(key), this.rank());
        if (descending === (key === BY_NAME)) {
            order.reverse();
        }
        this.sorted = order;
        this.filter(this.query, this.matches);
    }

    /**
     * @param {string} query part of a name, whatever its case
     * @param {Uint8Array | null} [matches] per row whether it answers the query, where that is no part of a name
     */
    filter(query, matches = null) {
        this.query = query;
        this.matches = matches;
        if (query === '') {
            this.rows = this.sorted;
            return;
        }
        if (matches !== null) {
            this.rows = this.sorted.filter((row) => matches[row] === 1);
            return;
        }
        // As PHP does, in Functions/NameSearch.php.
        const wanted = new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu');
        this.rows = this.sorted.filter((row) => wanted.test(this.data.names[row] ?? ''));
    }

    /**
     * @returns {Uint32Array} per row its place among all names in order; made when first asked for
     */
    rank() {
        if (this.#rank === undefined) {
            const names = this.data.names;
            const rank = new Uint32Array(this.size);
            [...names.keys()].sort((a, b) => byName(names[a], names[b])).forEach((row, place) => {
                rank[row] = place;
            });
            this.#rank = rank;
        }

        return this.#rank;
    }

    /**
     * Chooses as many columns as fit: both figures of the other metrics, the inclusive one, or neither.
     *
     * @param {string} main the chosen metric
     * @param {(keys: string[]) => boolean} fits whether there is room for these columns
     * @returns {{ metric: Metric, keys: string[] }[]}
     */
    fittingGroups(main, fits) {
        const all = this.groups(main);
        const short = all.map(({ metric, keys }) => ({ metric, keys: metric.k === main ? keys : [metric.k] }));
        const own = all.filter(({ metric }) => metric.k === main);

        return [all, short].find((groups) => fits(groups.flatMap(({ keys }) => keys))) ?? own;
    }

    /**
     * @param {string} main the chosen metric
     * @returns {{ metric: Metric, keys: string[] }[]} columns after the calls, by metric
     */
    groups(main) {
        return this.metrics.map((key) => {
            const counterpart = key.startsWith('corrected_') ? key.slice(10) : `corrected_${key}`;
            const both = this.metrics.length <= MAX_BOTH || counterpart === main;
            const keys = key === main ? [`excl_${key}`, key, `per_${key}`] : (both ? [`excl_${key}`, key] : [key]);

            return { metric: /** @type {Metric} */ (this.data.metrics.find((one) => one.k === key)), keys };
        });
    }
}

/**
 * @param {Uint32Array} rank per row its place
 * @returns {Uint32Array} rows by their place
 */
function rowsByRank(rank) {
    const rows = new Uint32Array(rank.length);
    rank.forEach((position, row) => {
        rows[position] = row;
    });

    return rows;
}

/**
 * @param {Float64Array} column
 * @param {Uint32Array} rank per row its place among the names, for equal figures
 * @returns {Uint32Array} rows; those without a figure come last
 */
function largestFirst(column, rank) {
    const figures = column.map((figure) => Number.isNaN(figure) ? -Infinity : figure);

    return Uint32Array.from(rank.keys()).sort((a, b) => {
        const [x, y] = [/** @type {number} */ (figures[a]), /** @type {number} */ (figures[b])];

        return x === y ? /** @type {number} */ (rank[a]) - /** @type {number} */ (rank[b]) : (x < y ? 1 : -1);
    });
}
