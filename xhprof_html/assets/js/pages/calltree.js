/** The call paths of a run as a tree: index.php?view=calltree. */
import { working } from '../core/api.js';
import { counts, figure, share } from '../core/format.js';
import { onKey } from '../core/keys.js';
import { state } from '../core/state.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { CallTreePage } from '../calltree/page.js';
import { BottomUp, TopDown } from '../calltree/sources.js';
import { CallTreeTable } from '../calltree/table.js';
import { aside, startAside } from '../paths/aside.js';
import { choice, kindsOf, showMissing, startIslands } from '../paths/controls.js';
import { prunedNote } from '../paths/frame-table.js';
import { viewItems } from '../paths/path-menu.js';
import { matchedShare } from '../profile/search.js';

/** @typedef {import('../profile/tree.js').TreeColumns} TreeColumns */

/** @extends {CallTreePage<TreeColumns>} */
class RunCallTree extends CallTreePage {
    /** @type {WorkerClient<import('../paths/tree-jobs.js').TreeJobs>} */
    worker = new WorkerClient(new Worker(new URL('../paths/tree-worker.js', import.meta.url), { type: 'module' }));
    #isLoading = false;

    /** @param {HTMLElement} island */
    constructor(island) {
        const direction = choice('Direction', [
            ['', 'Top-down', 'From main() to what it calls'],
            ['up', 'Bottom-up', 'From each function to its callers'],
        ], (value) => state.set({ tree: value }, { push: true }));
        const side = aside();
        super(island, {
            columns: ['name', 'total', 'self', 'calls', 'first'],
            controls: [direction.element],
            table: (host, parts) => new CallTreeTable(host, counts(), parts),
            side,
        });
        this.direction = direction;
        this.side = side;
        onKey('b', 'Top-down or bottom-up', () => this.isShown() && state.set({ tree: isBottomUp() ? null : 'up' }, { push: true }), 'Call tree');
    }

    async open() {
        const opened = super.open();
        startAside(this.side, this.island, this.worker, opened, () => this.run.names);
        if (await opened) {
            state.watch(['tree'], () => this.show());
        }

        return opened;
    }

    /** @param {import('../calltree/page.js').Progress} progress */
    async load(progress) {
        return this.worker.call('open', { url: absolute(this.island.dataset.tree), kinds: await kindsOf(this.island) }, progress);
    }

    /** @param {string} metric */
    figures(metric) {
        return this.worker.call('columns', { metric });
    }

    /** @param {TreeColumns} columns */
    source(columns) {
        this.direction.show(isBottomUp() ? 'up' : '');

        return isBottomUp() ? new BottomUp(columns) : new TopDown(columns);
    }

    /** @returns {import('../calltree/table.js').Column} */
    usual() {
        return isBottomUp() ? 'self' : 'total';
    }

    notes() {
        const canLoad = !isBottomUp() && (this.columns?.origin ?? null) !== null;

        return [
            isBottomUp() ? 'Self is the cost of the function itself on the paths through a row; calls are those of the function.' : '',
            prunedNote(this.run, canLoad ? 'Open such a row to load them.' : ''),
            this.run.runs > 1 ? `The mean of ${this.run.runs} runs, path by path.` : '',
        ];
    }

    /**
     * @param {TreeColumns} columns
     * @param {Uint8Array} matches
     */
    found(columns, matches) {
        const { nodes, sum } = matchedShare(columns, matches, columns.inclusive);

        return nodes === 0 ? 'No function matches' : `${figure(nodes, 'count')} ${nodes === 1 ? 'path matches' : 'paths match'}: `
            + `${figure(sum, this.metric.unit)}, ${share(sum, columns.total)} of all`;
    }

    /** @param {number} row that stands for paths which were left out */
    async loadMore(row) {
        const { columns } = this;
        if (columns === null || this.#isLoading) {
            return;
        }
        this.#isLoading = true;
        await working(this.island, 'Loading more call paths…', async (progress) => {
            const what = { node: row, n: columns.fn.length, metric: this.metric.k, order: /** @type {const} */ ('time') };
            const found = await this.worker.call('more', what, progress);
            this.problem.hidden = true;
            if (found !== null) {
                this.grown(found.run);
                const asked = ++this.asked;
                const larger = await this.worker.call('columns', { metric: this.metric.k });
                if (asked === this.asked && !isBottomUp()) {
                    this.goOn(larger, new TopDown(larger), found.change);
                } else {
                    await this.refresh();
                }
            }
        }, (message) => showMissing(this.problem, message));
        this.#isLoading = false;
    }

    /**
     * @param {string} name
     * @param {string[]} stack
     */
    links(name, stack) {
        return viewItems(name, isBottomUp() ? '' : 'calltree', stack);
    }
}

/** @returns {boolean} whether the rows are functions with their callers below */
function isBottomUp() {
    return state.get('tree') === 'up';
}

startIslands('calltree', (island) => void new RunCallTree(island).open());
