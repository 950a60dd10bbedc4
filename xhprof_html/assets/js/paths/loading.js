/** Loads documents of runs from the server and reports the progress. */
import { loadBytes } from '../core/api.js';
import { restOf } from '../profile/rest.js';
import { readRun } from '../profile/run-file.js';
import { Tree } from '../profile/tree.js';

/** @typedef {(text: string, part?: number, whole?: number) => void} Progress */

/**
 * @param {string} url of api.php?get=columns
 * @param {string} documents their names
 * @param {Progress} progress
 * @param {string} what
 * @returns {Promise<import('../profile/run-file.js').RunFile>} with those of them that the run has
 */
export async function loadDocuments(url, documents, progress, what) {
    let reported = 0;
    const size = (/** @type {number} */ bytes) => (bytes / 1048576).toFixed(1);

    return readRun(await loadBytes(`${url}&documents=${documents}`, {
        onProgress(received, total) {
            if (received - reported > 262144) {
                reported = received;
                progress(`Loading ${what}… ${total > 0 ? `${size(received)} of ${size(total)}` : size(received)} MB`, received, total);
            }
        },
    }));
}

/**
 * @param {string} url of api.php?get=columns
 * @param {Progress} progress
 * @param {string} what
 * @returns {Promise<Tree>}
 */
export async function loadTree(url, progress, what) {
    const run = await loadDocuments(url, 'tree', progress, what);
    progress('Reading the call tree…');
    const data = run.document('tree');
    const tree = Tree.of(data);
    tree.rest = restOf(data.pruned, tree.n);

    return tree;
}

/**
 * Loads what a tree has not yet of a metric: the server computes corrected times when they are wanted.
 *
 * @param {Tree} tree
 * @param {string} url that it was loaded from
 * @param {string} metric
 * @param {Progress} progress
 * @returns {Promise<boolean>} whether the tree has come by columns
 */
export async function complete(tree, url, metric, progress) {
    if (!tree.later.has(metric)) {
        return false;
    }
    const run = await loadDocuments(`${url}&version=${encodeURIComponent(tree.version)}`, 'corrected', progress, 'the corrected times');
    tree.addCorrected(run.document('corrected'));

    return true;
}
