/** The marks of a track that are to be drawn: as many as there are pixels for, however many marks there are. Pure. */
import { firstNot, nextNot } from '../core/bisect.js';

/** @typedef {import('../profile/timeline.js').Track} Track */

/** Pixels of the narrowest mark that is drawn alone. */
const NARROW = 3;
/** Pixels of a mark that has no width. */
const SPECK = 2;

/**
 * Marks narrower than some pixels are one with those beside them.
 *
 * @param {Track} track
 * @param {number} from ns
 * @param {number} to ns
 * @param {number} width pixels
 * @returns {{left: number, right: number, mark: number}[]} from left to right; mark: -1 where it stands for several
 */
export function visibleMarks({ t, d, nested }, from, to, width) {
    const scale = width / (to - from);
    /** @type {{left: number, right: number, mark: number}[]} */
    const shown = [];
    let behind = 0; // pixels, of what is shown
    let isNarrow = false;
    for (let i = firstIn(t, d, from); i < t.length && t[i] <= to;) {
        const end = Math.min(width, (t[i] + d[i] - from) * scale);
        const left = Math.max(behind, (t[i] - from) * scale);
        if (end - left >= NARROW) {
            shown.push({ left, right: end, mark: i });
            behind = end;
            isNarrow = false;
        } else if (end > behind || shown.length === 0 || left > behind) {
            const last = shown[shown.length - 1];
            const right = Math.min(width, Math.max(end, left + SPECK));
            if (isNarrow && left - last.right < 1) {
                last.right = right;
                last.mark = -1;
            } else {
                shown.push({ left, right, mark: i });
            }
            behind = right;
            isNarrow = true;
        }
        i = nested ? i + 1 : nextBehind(t, d, i, from + behind / scale);
    }

    return shown;
}

/**
 * @param {Float64Array} t
 * @param {Float64Array} d of marks beside each other
 * @param {number} mark
 * @param {number} time
 * @returns {number} the next mark that reaches behind a time
 */
function nextBehind(t, d, mark, time) {
    const low = nextNot(mark + 1, t.length, (place) => t[place] < time);

    return low - 1 > mark && t[low - 1] + d[low - 1] > time ? low - 1 : low;
}

/**
 * @param {Float64Array} t
 * @param {Float64Array} d
 * @param {number} from
 * @returns {number} the first that may reach into what begins at `from`
 */
function firstIn(t, d, from) {
    const low = firstNot(0, t.length, (place) => t[place] < from);
    // Marks within each other, as spans, are few.
    let first = low;
    for (let i = low - 1; i >= Math.max(0, low - 64); i--) {
        first = t[i] + d[i] >= from ? i : first;
    }

    return first;
}
