/** Loads trees from the server and reports the progress. */
import { loadJson } from '../core/api.js';
import { restOf } from '../profile/rest.js';
import { Tree } from '../profile/tree.js';

/** @typedef {(text: string, part?: number, whole?: number) => void} Progress */

/**
 * @param {string | undefined} url
 * @param {any} data
 * @param {Progress} progress
 * @param {string} what
 * @returns {Promise<Tree>}
 */
export async function load(url, data, progress, what) {
    const json = url === undefined ? data : await loadJson(url, { onProgress: reporter(progress, what) });
    progress('Reading the call tree…');
    const tree = Tree.fromJson(json);
    tree.rest = restOf(json.pruned, tree.n);

    return tree;
}

/**
 * @param {Progress} progress
 * @param {string} what
 * @returns {(received: number, total: number) => void}
 */
export function reporter(progress, what) {
    let reported = 0;

    return (received, total) => {
        if (received - reported > 262144) {
            reported = received;
            const size = (/** @type {number} */ bytes) => (bytes / 1048576).toFixed(1);
            progress(`Loading ${what}… ${total > 0 ? `${size(received)} of ${size(total)}` : size(received)} MB`, received, total);
        }
    };
}
