/** Searches in what is in order. Pure. */

/**
 * @param {number} low
 * @param {number} high
 * @param {(at: number) => boolean} isBefore true for the first positions, false for those behind them
 * @returns {number} the first position from low on for which it is false, high where it is true for all
 */
export function firstNot(low, high, isBefore) {
    while (low < high) {
        const middle = (low + high) >> 1;
        if (isBefore(middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    return low;
}

/**
 * Finds a position that is near, in ever larger steps.
 *
 * @param {number} low
 * @param {number} high
 * @param {(at: number) => boolean} isBefore
 * @returns {number}
 */
export function nextNot(low, high, isBefore) {
    let step = 1;
    while (low + step < high && isBefore(low + step)) {
        low += step;
        step *= 2;
    }

    return firstNot(low, Math.min(high, low + step), isBefore);
}
