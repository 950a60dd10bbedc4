/**
 * A call path's name in an address (`root` of the flame graph), valid for other runs of the same program too: depth and hash of
 * its names.
 */

export const SEED = 0x811c9dc5 | 0;

/**
 * @param {string[]} path names from the outermost function to the innermost
 * @returns {string}
 */
export function markOfPath(path) {
    const hash = path.reduce((sum, name) => mix(sum, hashOf(name)), SEED);

    return `${path.length - 1}-${(hash >>> 0).toString(16)}`;
}

/** @param {string} text */
export function hashOf(text) {
    let hash = SEED;
    for (let i = 0; i < text.length; i++) {
        hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }

    return hash;
}

/**
 * @param {number} hash
 * @param {number} value
 */
export function mix(hash, value) {
    const mixed = Math.imul(hash ^ value, 0x85ebca6b);

    return (mixed ^ (mixed >>> 13)) | 0;
}
