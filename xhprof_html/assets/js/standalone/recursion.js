/**
 * The levels of a recursion (f, f@1, f@2) as one function, as XHProf\Report\Recursion: calls and exclusive figures add up; calls of
 * the outermost level are apart in time, so that their inclusive figures add up as well; those of deeper levels are within them.
 * Pure.
 */
import { baseName } from '../core/names.js';

/** @typedef {Record<string, (number | null)[]>} Figures */

/**
 * @param {string} name
 * @returns {number} 2 of "f@2"
 */
export function levelOf(name) {
    return baseName(name) === name ? 0 : Number(/@([0-9]{1,9})$/.exec(name)?.[1] ?? 0);
}

/**
 * @template K
 * @param {number} rows how many there are
 * @param {Figures} figures of each
 * @param {(row: number) => K | null} keyOf rows of the same key become one; null leaves a row out
 * @param {(row: number) => number} levelAt
 * @returns {{ keys: K[], levels: number[], m: Figures }} `levels` are the lowest of each
 */
export function fold(rows, figures, keyOf, levelAt) {
    /** @type {Map<K, number>} */
    const index = new Map();
    /** @type {number[]} */
    const levels = [];
    const columns = Object.entries(figures);
    /** @type {Figures} */
    const m = Object.fromEntries(columns.map(([column]) => [column, []]));
    for (let row = 0; row < rows; row++) {
        const key = keyOf(row);
        if (key === null) {
            continue;
        }
        const level = levelAt(row);
        const at = index.get(key) ?? index.size;
        const known = levels[at] ?? Infinity;
        index.set(key, at);
        levels[at] = Math.min(level, known);
        for (const [column, values] of columns) {
            const sums = /** @type {(number | null)[]} */ (m[column]);
            const value = values[row] ?? null;
            const before = sums[at] ?? null;
            if (level === known || column === 'ct' || column.startsWith('excl_')) {
                sums[at] = value === null && before === null ? null : (before ?? 0) + (value ?? 0);
            } else {
                sums[at] = level < known ? value : before;
            }
        }
    }

    return { keys: [...index.keys()], levels, m };
}
