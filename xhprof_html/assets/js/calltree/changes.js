/** Rows of two call trees laid over each other: a row is a call path of either, its kids are the callees of both. Pure. */
import { isSmall, sizeOf } from '../core/difference.js';
import { changeOf } from '../profile/diff.js';
import { TopDown } from './sources.js';

export class Changes extends TopDown {
    /**
     * @param {import('../profile/diff.js').DiffColumns} columns
     * @param {'own' | 'incl'} by whether the figures are the functions' own
     */
    constructor(columns, by) {
        super(columns);
        const { ownA, ownB, a, b, totals, machine, chance, only, ctA, ctB } = columns;
        const [before, after] = by === 'own' ? [ownA, ownB] : [a, b];
        const delta = changeOf(columns, by);
        const total = changeOf(columns, 'incl');
        const whole = Math.max(Math.abs(totals.a), Math.abs(totals.b));
        this.a = (/** @type {number} */ row) => before[row];
        this.b = (/** @type {number} */ row) => after[row];
        this.delta = delta;
        this.only = (/** @type {number} */ row) => only[row];
        this.callsBefore = (/** @type {number} */ row) => ctA[row];
        this.callsAfter = (/** @type {number} */ row) => ctB[row];
        this.isMachine = (/** @type {number} */ row) => machine[row] === 1;
        /** Whether the change is not worth a look. */
        this.isNoise = (/** @type {number} */ row) => machine[row] === 1 || chance[row] === 1 || isSmall(delta(row), whole);
        /** What rows are sorted by: the size of the change, those of the machine or of chance behind all others. */
        this.change = (/** @type {number} */ row) => sizeOf(delta(row), machine[row] === 1 || chance[row] === 1);
        this.calls = (/** @type {number} */ row) => ctB[row] - ctA[row];
        // The hot path follows what changes most.
        this.cost = (/** @type {number} */ row) => Math.abs(total(row));
        this.ownCost = (/** @type {number} */ row) => Math.abs(ownB[row] - ownA[row]);
    }

    /**
     * Down to the path whose own change is larger than that of any callee.
     *
     * @param {number} row
     * @param {number} kid
     */
    continues(row, kid) {
        return this.cost(kid) > this.ownCost(row);
    }
}
