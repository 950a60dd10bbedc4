/** A function of both sides between its callers and callees: index.php?run1=A&run2=B&view=sandwich. */
import { sides } from '../core/difference.js';
import { counts, exact, figure } from '../core/format.js';
import { state } from '../core/state.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { ChangeList, sizesOf } from '../paths/change-list.js';
import { STATUS, byChoice, changeDetails, changeText, shownBy } from '../paths/comparison.js';
import { startIslands } from '../paths/controls.js';
import { byChange } from '../paths/diff-colours.js';
import { SandwichPage } from '../paths/sandwich.js';

/**
 * @typedef {import('../paths/diff-jobs.js').DiffLayout} DiffLayout
 * @typedef {import('../paths/sandwich.js').Side} Side
 * @typedef {import('../paths/change-list.js').SideRows} SideRows
 */

/** @extends {SandwichPage<SideRows, DiffLayout>} */
class ComparedSandwich extends SandwichPage {
    /** @type {WorkerClient<import('../paths/diff-jobs.js').DiffJobs>} */
    worker = new WorkerClient(new Worker(new URL('../paths/diff-worker.js', import.meta.url), { type: 'module' }));
    sides = sides();
    /** Words for changes that are the machine's. */
    machine = '';

    /** @param {HTMLElement} island */
    constructor(island) {
        const by = byChoice('Colour', 'by', 'own', 'Change of functions with what they call', 'Change of functions themselves');
        super(island, [by.element], (host, select) => new ChangeList(host, select, sides(), () => this.machine));
        this.by = by;
        state.watch(['by'], () => void this.functions());
    }

    /** @param {import('../paths/sandwich.js').Progress} progress */
    async load(progress) {
        const { a, b, names } = this.island.dataset;
        const opened = await this.worker.call('open', { a: absolute(a), b: absolute(b), names: absolute(names) }, progress);
        this.machine = opened.machine;

        return opened;
    }

    /** @param {string} metric */
    async rowsOf(metric) {
        this.by.show(shownBy('by', 'own'));
        const rows = await this.worker.call('functions', { metric, by: shownBy('by', 'own') });

        return { rows, total: Math.max(rows.totals.a, rows.totals.b) };
    }

    /** @param {SideRows} rows */
    weights(rows) {
        return sizesOf(rows);
    }

    /** @param {number} fn */
    pictures(fn) {
        return this.worker.call('sandwich', { fn, metric: this.metric.k, order: 'heavy', by: shownBy('by', 'own') });
    }

    /**
     * @param {DiffLayout} layout
     * @param {Side} side
     */
    colouring(layout, side) {
        return byChange(layout, this.metric, side === 'callers' ? 'incl' : shownBy('by', 'own'), { of_a: 'this function', of_b: 'this function' }, this.machine);
    }

    /**
     * @param {Side} side
     * @param {DiffLayout} layout
     * @param {number} node
     */
    details(side, layout, node) {
        return changeDetails(layout, this.metric, node, counts().label, this.machine, side === 'callees');
    }

    /**
     * @param {number} _fn
     * @param {DiffLayout | null} callees
     */
    words(_fn, callees) {
        if (callees === null) {
            return '';
        }
        const { a, b, ownA, ownB, only } = callees;
        const { unit } = this.metric;
        const both = (/** @type {number} */ x, /** @type {number} */ y) => `${figure(x, unit)} → ${figure(y, unit)}${x === y ? '' : `, ${changeText(x, y, unit)}`}`;

        return `${only[0] === 0 ? '' : `${STATUS[only[0]]}; `}total ${both(a[0], b[0])}; self ${both(ownA[0], ownB[0])}`;
    }

    /** @param {DiffLayout | null} callees */
    notes(callees) {
        return callees === null ? [] : [
            'Widths are the larger of both sides, so that new and gone frames show. Callers have the change of the function on the paths through them.',
            this.run.runs > 1 ? 'A side of several runs is their mean, path by path.' : '',
        ];
    }

    /** @param {Side} side */
    heads(side) {
        return [this.sides.a, this.sides.b, 'Change', ...(side === 'callees' ? ['Self change'] : []), 'Status'];
    }

    /**
     * @param {Side} side
     * @param {DiffLayout} layout
     * @param {number} node
     * @returns {[text: string, title: string][]}
     */
    cells(side, { a, b, ownA, ownB, only, machine }, node) {
        const { unit } = this.metric;
        /** @type {[string, string]} */
        const self = [changeText(ownA[node], ownB[node], unit), exact(ownB[node] - ownA[node], unit)];

        return [
            [figure(a[node], unit), exact(a[node], unit)],
            [figure(b[node], unit), exact(b[node], unit)],
            [changeText(a[node], b[node], unit), exact(b[node] - a[node], unit)],
            .../** @type {[string, string][]} */ (side === 'callees' ? [self] : []),
            machine[node] === 1 ? ['only wall time', this.machine] : [STATUS[only[node]], ''],
        ];
    }

    nothing() {
        return `These runs have no ${state.get('sel') === '' ? 'functions' : 'such function'}.`;
    }
}

startIslands('sandwich-diff', (island) => void new ComparedSandwich(island).open());
