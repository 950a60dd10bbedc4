/** The rows of two call trees as a table: figures of both sides, and their changes. */
import { changed, exactly, growth, tone } from '../core/difference.js';
import { h } from '../core/dom.js';
import { exact, figure } from '../core/format.js';
import { CallTreeTable } from './table.js';

/**
 * @typedef {import('./changes.js').Changes} Changes
 * @typedef {import('./table.js').Column} Column
 */

const BADGES = ['', 'gone', 'new'];

export class ChangesTable extends CallTreeTable {
    /**
     * @param {HTMLElement} host
     * @param {import('../core/format.js').Counted} counted
     * @param {import('./table.js').Parts} parts
     * @param {{ a: string, b: string }} words for the sides
     * @param {() => string} machine words for changes that are the machine's
     */
    constructor(host, counted, parts, words, machine) {
        super(host, counted, parts, 'changes');
        this.words = words;
        this.machine = machine;
    }

    /**
     * @param {import('./outline.js').AnySource} source
     * @param {Column} by
     */
    figureOf(source, by) {
        const changes = /** @type {Changes} */ (source);

        return by === 'a' || by === 'b' || by === 'calls' ? changes[by] : changes.change;
    }

    /** @param {number} row */
    marksOf(row) {
        const changes = /** @type {Changes} */ (this.outline?.source);
        const badge = BADGES[changes.only(row)];

        return { badge: badge === '' ? null : h('span', { class: `badge ${badge}` }, badge), className: changes.isNoise(row) ? 'faint' : '' };
    }

    /** @returns {[Column, string][]} */
    columns() {
        /** @type {[Column, string][]} */
        const all = [['a', this.words.a], ['b', this.words.b], ['change', 'Change'], ['calls', this.counted.label]];
        const { by } = this.order;
        const main = by === 'a' || by === 'b' || (by === 'calls' && this.metric.k !== 'ct') ? by : 'change';

        return all.filter(([column]) => (this.narrow.matches ? column === main : column !== 'calls' || this.metric.k !== 'ct'));
    }

    /** @param {Column} column */
    classOf(column) {
        const isMain = column === this.order.by || (column === 'change' && !['a', 'b', 'calls'].includes(this.order.by));

        return `num c-${column} ${column === 'change' ? 'delta wide' : ''}${isMain ? ' main' : ''}`;
    }

    /**
     * @param {number} row
     * @param {Column} column
     */
    cell(row, column) {
        const changes = /** @type {Changes} */ (this.outline?.source);
        const className = this.classOf(column);
        const { unit } = this.metric;
        if (column === 'calls') {
            const [before, after] = [changes.callsBefore(row), changes.callsAfter(row)];
            const text = before === after ? figure(after, 'count') : `${figure(before, 'count')} → ${figure(after, 'count')}`;

            return h('td', { class: className, title: exactly(before, after, 'count') }, h('span', { class: 'v' }, text));
        }
        const [a, b] = [changes.a(row), changes.b(row)];
        if (column === 'a' || column === 'b') {
            const value = column === 'a' ? a : b;

            return h('td', { class: className, title: exact(value, unit) }, h('span', { class: 'v' }, figure(value, unit)));
        }
        const isMachine = changes.isMachine(row);

        return h(
            'td',
            { class: `${className} ${tone(a, b, isMachine)}`, title: isMachine ? `${this.machine()}: ${exactly(a, b, unit)}` : exactly(a, b, unit) },
            h('span', { class: 'v' }, changed(a, b, unit)),
            growth(a, b) === '' ? null : h('span', { class: 'p' }, growth(a, b)),
        );
    }
}
