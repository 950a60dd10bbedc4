/** Largest and smallest values of a curve's parts, so that it is drawn at the cost of its pixels. Pure. */
import { firstNot } from '../core/bisect.js';

/** Points, or parts, that one part of the next level holds. */
const FACTOR = 16;

/**
 * t: of the points; levels: the first has one entry per point; top: the largest value.
 *
 * @typedef {{t: Float64Array, levels: {least: Float64Array, most: Float64Array}[], top: number}} Levels
 */

/**
 * Sums the points up in levels. Runs in a worker: it visits every point.
 *
 * @param {Float64Array} t in order
 * @param {Float64Array} values
 * @returns {Levels}
 */
export function levelsOf(t, values) {
    const levels = [{ least: values, most: values }];
    for (let last = values.length; last > FACTOR; last = Math.ceil(last / FACTOR)) {
        const below = levels[levels.length - 1];
        const n = Math.ceil(last / FACTOR);
        const [least, most] = [new Float64Array(n).fill(Infinity), new Float64Array(n).fill(-Infinity)];
        for (let i = 0; i < last; i++) {
            const part = Math.floor(i / FACTOR);
            least[part] = Math.min(least[part], below.least[i]);
            most[part] = Math.max(most[part], below.most[i]);
        }
        levels.push({ least, most });
    }

    return { t, levels, top: values.reduce((most, value) => Math.max(most, value), 0) };
}

export class MemoryCurve {
    /** @param {Levels} levels */
    constructor({ t, levels, top }) {
        this.t = t;
        this.levels = levels;
        this.top = top;
    }

    /**
     * @param {number} time
     * @returns {number} the last point at or before, -1 for none
     */
    before(time) {
        return firstNot(0, this.t.length, (point) => this.t[point] <= time) - 1;
    }

    /**
     * The points of a range, or parts of them where they are too many.
     *
     * @param {number} from
     * @param {number} to
     * @param {number} most parts, about
     * @returns {{t: number, least: number, most: number}[]} with the point before the range, and the one behind it
     */
    parts(from, to, most) {
        const [first, last] = [Math.max(0, this.before(from)), Math.min(this.t.length - 1, this.before(to) + 1)];
        let [level, size] = [0, 1];
        while (level + 1 < this.levels.length && (last - first) / size > most) {
            level++;
            size *= FACTOR;
        }
        const parts = [];
        const column = this.levels[level];
        for (let i = Math.floor(first / size); i * size <= last && i < column.least.length; i++) {
            parts.push({ t: this.t[i * size], least: column.least[i], most: column.most[i] });
        }

        return parts;
    }
}
