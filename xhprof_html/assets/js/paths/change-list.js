/** The functions of both sides beside their pictures, by how much they changed. */
import { changed, exactly, isSmall, sizeOf, tone } from '../core/difference.js';
import { h } from '../core/dom.js';
import { exact, figure } from '../core/format.js';
import { STATUS } from './comparison.js';
import { FunctionsBeside } from './function-list.js';

/**
 * @typedef {import('./function-list.js').Column} Column
 * @typedef {Awaited<ReturnType<import('./diff-jobs.js').DiffJobs['functions']>>} SideRows
 */

/** @extends {FunctionsBeside<SideRows>} */
export class ChangeList extends FunctionsBeside {
    /**
     * @param {HTMLElement} host
     * @param {(fn: number) => void} select
     * @param {{ a: string, b: string }} words for the sides
     * @param {() => string} machine words for changes that are the machine's
     */
    constructor(host, select, words, machine) {
        super(host, 'Functions of both', select, 'change');
        this.words = words;
        this.machine = machine;
    }

    /** @returns {[Column, string][]} */
    heads() {
        return [['name', 'Function'], ['a', this.words.a], ['b', this.words.b], ['change', 'Change']];
    }

    /**
     * @param {SideRows} rows
     * @param {Column} column
     */
    figures(rows, column) {
        return column === 'a' || column === 'b' ? rows[column] : rows.fn.length === 0 ? [] : sizesOf(rows);
    }

    /** @returns {Column} */
    main() {
        return this.by === 'a' || this.by === 'b' ? this.by : 'change';
    }

    /**
     * @param {SideRows} rows
     * @param {number} row
     */
    marks({ a, b, only, machine, chance }, row) {
        const status = STATUS[only[row]];
        const isNoise = machine[row] === 1 || chance[row] === 1 || isSmall(b[row] - a[row], this.total);

        return { badge: status === '' ? null : h('span', { class: `badge ${status}` }, status), className: isNoise ? 'faint' : '' };
    }

    /**
     * @param {SideRows} rows
     * @param {number} row
     */
    cells({ a: before, b: after, machine }, row) {
        const { unit } = this.metric;
        const [a, b] = [before[row], after[row]];
        const isMachine = machine[row] === 1;
        const cell = (/** @type {'a' | 'b'} */ side, /** @type {number} */ value) => h(
            'td',
            { class: this.classOf(side), title: exact(value, unit) },
            h('span', { class: 'v' }, figure(value, unit)),
        );

        return [cell('a', a), cell('b', b), h(
            'td',
            { class: `${this.classOf('change')} delta ${tone(a, b, isMachine)}`, title: isMachine ? this.machine() : exactly(a, b, unit) },
            h('span', { class: 'v' }, changed(a, b, unit)),
        )];
    }
}

/**
 * @param {SideRows} rows
 * @returns {Float64Array} per function how much it changed; those of the machine or of chance stand behind all others
 */
export function sizesOf({ a, b, machine, chance }) {
    return a.map((before, row) => sizeOf(b[row] - before, machine[row] === 1 || chance[row] === 1));
}
