/** A function between its callers and callees: index.php?view=sandwich. */
import { counts, figure, share } from '../core/format.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { ColourChoice } from '../paths/colour-choice.js';
import { frameDetails, kindsOf, startIslands } from '../paths/controls.js';
import { cellsOf, headsOf, negativeNote } from '../paths/frame-table.js';
import { FunctionList } from '../paths/function-list.js';
import { SandwichPage } from '../paths/sandwich.js';

/**
 * @typedef {import('../flame/layout.js').FrameLayout} FrameLayout
 * @typedef {import('../paths/sandwich.js').Side} Side
 * @typedef {import('../paths/tree-jobs.js').Rows} Rows
 */

/** Columns of a caller: it has no figures but the function's cost on the paths through it. */
const OF_CALLERS = 2;

/** @extends {SandwichPage<Rows, FrameLayout>} */
class RunSandwich extends SandwichPage {
    /** @type {WorkerClient<import('../paths/tree-jobs.js').TreeJobs>} */
    worker = new WorkerClient(new Worker(new URL('../paths/tree-worker.js', import.meta.url), { type: 'module' }));
    counted = counts();

    /** @param {HTMLElement} island */
    constructor(island) {
        const colours = new ColourChoice(() => this.recolour(), 'Sandwich', island.dataset.kinds !== undefined);
        super(island, [colours.element], (host, select) => new FunctionList(host, 'Functions of this run', select, 'exclusive'));
        this.colours = colours;
    }

    /** @param {import('../paths/sandwich.js').Progress} progress */
    async load(progress) {
        return this.worker.call('open', { url: absolute(this.island.dataset.tree), kinds: await kindsOf(this.island) }, progress);
    }

    /** @param {string} metric */
    async rowsOf(metric) {
        const rows = await this.worker.call('functions', { metric });

        return { rows, total: rows.inclusive.reduce((most, value) => Math.max(most, value), 0) };
    }

    /** @param {Rows} rows */
    weights(rows) {
        return rows.exclusive;
    }

    /** @param {number} fn */
    pictures(fn) {
        return this.worker.call('sandwich', { fn, metric: this.metric.k, order: 'heavy', where: this.colours.isWhere() });
    }

    /**
     * @param {FrameLayout} layout
     * @param {Side} side
     */
    colouring(layout, side) {
        // Callers have no own figures here: their width is the function's cost on the paths through them.
        const { where } = this.views.callees.layout ?? layout;
        const shown = side === 'callees' ? layout : {
            ...layout, self: new Float64Array(layout.fn.length), where: where && { ...where, of: new Uint8Array(layout.fn.length) },
        };

        return this.colours.of(shown, this.run.names, this.metric, { inherits: side === 'callees' });
    }

    recolour() {
        const { layout: callees } = this.views.callees;
        if (callees !== null && this.colours.lacks(callees)) {
            void this.layOut();
        } else {
            super.recolour();
        }
    }

    /**
     * @param {Side} side
     * @param {FrameLayout} layout
     * @param {number} node
     */
    details(side, layout, node) {
        const details = frameDetails(layout, this.metric, node, this.views[side].root, this.counted);

        // Frames between the function and main() have no own figures here.
        return side === 'callees' ? details : { title: '', lines: details.lines.filter(([term]) => ['Total', 'Of the zoomed frame'].includes(term)) };
    }

    /**
     * @param {number} fn
     * @param {FrameLayout | null} callees
     */
    words(fn, callees) {
        const inclusive = callees?.inclusive[0] ?? 0;
        const own = this.rows?.exclusive[this.rows.fn.indexOf(fn)] ?? 0;

        return `${figure(inclusive, this.metric.unit)}, ${share(inclusive, this.total)} of all; self ${figure(own, this.metric.unit)}`;
    }

    /** @param {FrameLayout | null} callees */
    notes(callees) {
        return callees === null ? [] : [negativeNote(callees, this.metric)];
    }

    /** @param {Side} side */
    heads(side) {
        const heads = headsOf(this.counted);

        return side === 'callees' ? heads : heads.slice(0, OF_CALLERS);
    }

    /**
     * @param {Side} side
     * @param {FrameLayout} layout
     * @param {number} node
     */
    cells(side, layout, node) {
        const cells = cellsOf(layout, this.metric, node);

        return side === 'callees' ? cells : cells.slice(0, OF_CALLERS);
    }
}

startIslands('sandwich', (island) => void new RunSandwich(island).open());
