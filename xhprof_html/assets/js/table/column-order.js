/** Columns that rows are sorted by: their keys in the address (`sort`), and the directions of each (`dir`). Pure. */

/** Key of the order by name. */
export const BY_NAME = 'fn';

/**
 * Splits the key of a comparison's column.
 *
 * @param {string} key
 * @returns {[string, string]} a, b, p, d (change) or fn; and the column
 */
export function parseColumnKey(key) {
    if (key === BY_NAME) {
        return [BY_NAME, BY_NAME];
    }
    const match = /^([abp])_(.+)$/.exec(key);

    return match === null ? ['d', key] : [match[1] ?? 'd', match[2] ?? key];
}

/** Signs in the heads of columns, by ariaOf(). */
export const ARROWS = { ascending: ' ▲', descending: ' ▼', other: ' ◆' };

/**
 * @param {string} part of parseColumnKey()
 * @param {string} direction '' for the natural one
 * @returns {keyof typeof ARROWS} aria-sort of its column's head
 */
export function ariaOf(part, direction) {
    const natural = part === BY_NAME ? 'ascending' : (part === 'd' || part === 'p' ? 'other' : 'descending');

    return direction === '' ? natural : (direction === 'desc' ? 'descending' : 'ascending');
}

/**
 * The direction that a click on a column's head asks for.
 *
 * @param {string} part of parseColumnKey()
 * @param {string} current '' (by size), desc, asc
 * @returns {string}
 */
export function nextDirection(part, current) {
    const turns = part === 'd' || part === 'p'
        ? { '': 'desc', desc: 'asc', asc: '' }
        : (part === BY_NAME ? { '': 'desc', desc: '', asc: 'desc' } : { '': 'asc', asc: '', desc: 'asc' });

    return /** @type {Record<string, string>} */ (turns)[current] ?? '';
}
