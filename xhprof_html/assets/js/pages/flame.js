/** The flame graph of a run: index.php?view=flame. */
import { h } from '../core/dom.js';
import { counts, figure, share } from '../core/format.js';
import { WorkerClient, absolute } from '../core/worker.js';
import { aside, startAside } from '../paths/aside.js';
import { CHANGE_KEYS, changeItems, changesInAddress, showChanges } from '../paths/changes.js';
import { ColourChoice } from '../paths/colour-choice.js';
import { frameDetails, kindsOf, startIslands } from '../paths/controls.js';
import { cellsOf, headsOf, negativeNote, prunedNote, shownPaths } from '../paths/frame-table.js';
import { PathsPage } from '../paths/page.js';
import { viewItems } from '../paths/path-menu.js';
import { matchedShare } from '../profile/search.js';
import { changesNothing } from '../profile/transform.js';

/** @typedef {import('../flame/layout.js').FrameLayout} FrameLayout */

/** @param {HTMLElement} island */
function flame(island) {
    /** @type {WorkerClient<import('../paths/tree-jobs.js').TreeJobs>} */
    const worker = new WorkerClient(new Worker(new URL('../paths/tree-worker.js', import.meta.url), { type: 'module' }));
    const colour = new ColourChoice(() => (page.layout !== null && colour.lacks(page.layout) ? void page.refresh() : page.recolour()), 'Flame graph', island.dataset.kinds !== undefined);
    const counted = counts();
    const changed = h('span', { class: 'chips', role: 'group', 'aria-label': 'Changes of the picture', hidden: true });
    const side = aside();
    /** @type {PathsPage} */
    const page = new PathsPage(island, {
        label: 'Call paths',
        controls: [colour.element, changed],
        aside: side,
        watched: CHANGE_KEYS,
        load: async (progress) => worker.call('open', { url: absolute(island.dataset.tree), kinds: await kindsOf(island) }, progress),
        layout: (metric, order) => {
            showChanges(changed);

            return worker.call('layout', { metric, order, changes: changesInAddress(), where: colour.isWhere() });
        },
        more: async (node, progress) => {
            const { metric, layout, isHeavy } = page;

            return layout === null || !changesNothing(changesInAddress())
                ? null
                : worker.call('more', { node, n: layout.fn.length, metric: metric.k, order: isHeavy ? 'heavy' : 'time' }, progress);
        },
        menu: (node, path) => [
            null,
            ...changeItems(path[path.length - 1] ?? '', node === 0),
            // What many hosts have sent is no run, and has no other views of one.
            ...(island.dataset.symbol === undefined ? [] : [
                null,
                ...viewItems(path[path.length - 1] ?? '', 'flame', changesNothing(changesInAddress()) ? path : []),
            ]),
        ],
        colouring: (layout) => colour.of(layout, page.run.names, page.metric),
        details: (node) => frameDetails(/** @type {FrameLayout} */ (page.layout), page.metric, node, page.view.root, counted),
        // "4.75 s", "1.10 s of 4.75 s, 23.2 %".
        figure: (node) => {
            const { inclusive, total } = /** @type {FrameLayout} */ (page.layout);
            const [value, whole] = [inclusive[node], total].map((cost) => figure(cost, page.metric.unit));

            return node === 0 || inclusive[node] === total ? value : `${value} of ${whole}${total > 0 ? `, ${share(inclusive[node], total)}` : ''}`;
        },
        status: () => statusText(page),
        note: (layout) => [
            negativeNote(layout, page.metric),
            prunedNote(page.run, 'Zoom in to load them.'),
            page.run.runs > 1 ? `The mean of ${page.run.runs} runs, path by path.` : '',
        ].filter((text) => text !== '').join(' '),
        heads: headsOf(counted),
        // Merged paths of several processes have no order in time.
        usual: island.dataset.merged === undefined ? 'time' : 'heavy',
        cells: (node) => cellsOf(/** @type {FrameLayout} */ (page.layout), page.metric, node).slice(0, headsOf(counted).length),
    });
    startAside(side, island, worker, page.open(), () => page.run.names);
}

/**
 * @param {PathsPage} page
 * @returns {string}
 */
function statusText({ run, layout, lit, lighting, search: { matches }, view: { root }, metric }) {
    if (layout === null) {
        return '';
    }
    if (matches === null && lit !== null && lighting !== undefined) {
        const { frames, calls, sum } = lighting.litSum(layout, lit);

        return frames === 0 ? 'No frame is lit' : `${figure(frames, 'count')} ${frames === 1 ? 'frame is' : 'frames are'} lit${metric.k === 'ct' ? '' : `, ${figure(calls, 'count')} ${counts().isCalls ? (calls === 1 ? 'call' : 'calls') : 'samples'}`}: `
            + `${figure(sum, metric.unit)}, ${share(sum, layout.total)} of all`;
    }
    if (matches === null) {
        return `${figure(layout.fn.length, 'count')} frames, ${layout.levels} levels${shownPaths(run) && `; ${shownPaths(run)}`}`;
    }
    const { nodes, sum } = matchedShare(layout, matches, layout.inclusive, root);

    return nodes === 0 ? 'No frame matches' : `${figure(nodes, 'count')} ${nodes === 1 ? 'frame matches' : 'frames match'}: `
        + `${figure(sum, metric.unit)}, ${share(sum, layout.inclusive[root])} of ${root === 0 ? 'all' : 'the zoomed frame'}`;
}

startIslands('flame', flame);
