/**
 * The paths of a tree that were left out because it was too large. A node's origin is its number in the whole tree; that of a frame
 * "(small paths)" is ~ of its caller's. Pure.
 */
import { BadRun, column } from './run-file.js';

/**
 * Per node its origin, and the part of the tree it came with: an index into parts, which are named as api.php takes them (`root`).
 *
 * @typedef {{origin: Int32Array, part: Int32Array, parts: string[]}} Rest
 */

/**
 * @param {any} pruned member of the document "tree" of api.php
 * @param {number} n nodes
 * @param {string} [part] its name
 * @returns {Rest | null} null if nothing more can be loaded
 * @throws {BadRun}
 */
export function restOf(pruned, n, part = '') {
    const runs = pruned?.origin;
    if (!ArrayBuffer.isView(runs)) {
        return null;
    }
    const pairs = column(runs, 'The column "pruned.origin" of the call tree', -(2 ** 31), 2 ** 31);
    const origin = new Int32Array(n);
    let filled = 0;
    for (let run = 0; run + 1 < pairs.length; run += 2) {
        const [first, length] = [pairs[run], pairs[run + 1]];
        if (length < 1 || filled + length > n || first + length > (pruned.of ?? 2 ** 31)) {
            break;
        }
        for (let i = 0; i < length; i++) {
            origin[filled++] = first + i;
        }
    }
    if (filled !== n) {
        throw new BadRun('The call tree does not say which call paths have been left out.');
    }

    return { origin, part: new Int32Array(n), parts: [part] };
}
