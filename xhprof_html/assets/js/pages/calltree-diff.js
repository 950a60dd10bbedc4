/** The call paths of both sides of a comparison as one tree: index.php?run1=A&run2=B&view=calltree. */
import { sides } from '../core/difference.js';
import { counts, figure } from '../core/format.js';
import { state } from '../core/state.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { ChangesTable } from '../calltree/changes-table.js';
import { Changes } from '../calltree/changes.js';
import { CallTreePage } from '../calltree/page.js';
import { byChoice, changeText, chosenNote, comparisonLinks, shownBy, sidesNote } from '../paths/comparison.js';
import { startIslands } from '../paths/controls.js';
import { matchedShare } from '../profile/search.js';

/** @typedef {import('../profile/diff.js').DiffColumns} DiffColumns */

/** @extends {CallTreePage<DiffColumns>} */
class ComparedCallTree extends CallTreePage {
    /** @type {WorkerClient<import('../paths/diff-jobs.js').DiffJobs>} */
    worker = new WorkerClient(new Worker(new URL('../paths/diff-worker.js', import.meta.url), { type: 'module' }));
    /** Words for changes that are the machine's. */
    machine = '';

    /** @param {HTMLElement} island */
    constructor(island) {
        const by = byChoice('Figures', 'of', 'incl', 'What paths cost with all that they call', 'What the functions cost themselves on these paths');
        super(island, {
            columns: ['name', 'a', 'b', 'change', 'calls', 'first'],
            controls: [by.element],
            table: (host, parts) => new ChangesTable(host, counts(), parts, sides(), () => this.machine),
            side: null,
        });
        this.by = by;
        this.note.after(chosenNote(island));
    }

    async open() {
        const isOpen = await super.open();
        if (isOpen) {
            state.watch(['of'], () => void this.refresh());
        }

        return isOpen;
    }

    /** @param {import('../calltree/page.js').Progress} progress */
    async load(progress) {
        const { a, b, names } = this.island.dataset;
        const opened = await this.worker.call('open', { a: absolute(a), b: absolute(b), names: absolute(names) }, progress);
        this.machine = opened.machine;

        return opened;
    }

    /** @param {string} metric */
    figures(metric) {
        return this.worker.call('columns', { metric, by: shownBy('of', 'incl') });
    }

    /** @param {DiffColumns} columns */
    source(columns) {
        this.by.show(shownBy('of', 'incl'));

        return new Changes(columns, shownBy('of', 'incl'));
    }

    /** @returns {import('../calltree/table.js').Column} */
    usual() {
        return 'change';
    }

    /**
     * @param {DiffColumns} columns
     * @param {number} node
     */
    weight({ a, b }, node) {
        return Math.abs(b[node] - a[node]);
    }

    notes() {
        const { columns } = this;

        return columns === null ? [] : [
            sidesNote(columns.only, this.run),
            `Grey: changes under 1 % of the total${columns.machine.includes(1) ? `, or ${this.machine}` : ''}`
                + `${columns.chance.includes(1) ? ', or of functions whose change may be chance (Welch’s t-test)' : ''}.`,
        ];
    }

    /**
     * @param {DiffColumns} columns
     * @param {Uint8Array} matches
     */
    found(columns, matches) {
        const [before, after] = [columns.a, columns.b].map((inclusive) => matchedShare(columns, matches, inclusive));

        return before.nodes === 0 ? 'No function matches' : `${figure(before.nodes, 'count')} ${before.nodes === 1 ? 'path matches' : 'paths match'}: `
            + changeText(before.sum, after.sum, this.metric.unit);
    }

    /**
     * @param {string} name
     * @param {string[]} stack
     */
    links(name, stack) {
        return comparisonLinks(name, 'calltree', stack);
    }
}

startIslands('calltree-diff', (island) => void new ComparedCallTree(island).open());
