/**
 * The runs of a range of time, and links that compare and average them. No DOM.
 *
 * @typedef {object} Points as TrendPage writes them, oldest first
 * @property {string} label
 * @property {'us' | 'bytes' | 'count'} unit
 * @property {string | null} source of all runs; null where they have several: such runs cannot be compared
 * @property {number} most runs of one side of a comparison
 * @property {string[]} ids
 * @property {string[]} urls of their pages
 * @property {number} offset of the server's time zone, seconds
 * @property {number[]} t seconds since 1970
 * @property {(number | null)[]} v figures; null where the function was not called
 * @property {string[]} git
 * @property {{ at: number, text: string }[]} marks positions of runs of another revision, or with other tags, than the run before
 */
import { pageAddress } from '../core/state.js';

/**
 * @param {Points} points
 * @param {string} axis "time", "run"; '' for what suits them
 * @returns {boolean} whether the runs stand at equal distances; by itself where most of a time axis would be empty
 */
export function isByRun({ t }, axis) {
    if (axis !== '') {
        return axis === 'run';
    }
    const whole = (t[t.length - 1] ?? 0) - (t[0] ?? 0);
    const widest = t.reduce((most, time, at) => Math.max(most, time - (t[at - 1] ?? time)), 0);

    return t.length > 3 && widest > whole * 0.6;
}

/**
 * @param {Points} points
 * @param {boolean} byRun
 * @returns {number[]} places of the points along the axis: seconds, or their numbers
 */
export function placesOf(points, byRun) {
    return byRun ? points.t.map((_, at) => at) : points.t;
}

/**
 * @param {number[]} times ascending
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]} the first position in the range, and the first one behind it
 */
export function within(times, from, to) {
    const [low, high] = from <= to ? [from, to] : [to, from];
    const first = times.findIndex((time) => time >= low);
    if (first < 0) {
        return [times.length, times.length];
    }
    const behind = times.findIndex((time) => time > high);

    return [first, Math.max(first, behind < 0 ? times.length : behind)];
}

/**
 * Links for the runs from one position to another.
 *
 * @param {Points} points
 * @param {number} first
 * @param {number} behind
 * @returns {{ label: string, url: string }[]} nothing where there are fewer than two, or of several sources
 */
export function rangeLinks(points, first, behind) {
    const runs = points.ids.slice(first, behind);
    if (runs.length < 2 || points.source === null) {
        return [];
    }
    const source = points.source;
    const half = Math.floor(runs.length / 2);
    const found = [{
        label: runs.length === 2 ? 'Compare the two' : 'Compare first half with second half',
        url: comparison(runs.slice(0, half), runs.slice(half), source, points.most),
    }];
    if (first > 0) {
        found.push({
            label: 'Compare earlier runs with these',
            url: comparison(points.ids.slice(0, first), runs, source, points.most),
        });
    }
    found.push({
        label: `Mean of ${Math.min(runs.length, 2 * points.most)}`,
        url: address({ run: runs.slice(-2 * points.most).join(','), source }),
    });

    return found;
}

/**
 * The runs of both sides that are nearest to the border between them.
 *
 * @param {string[]} before
 * @param {string[]} after
 * @param {string} source
 * @param {number} most
 */
function comparison(before, after, source, most) {
    return address({ run1: before.slice(-most).join(','), run2: after.slice(0, most).join(','), source });
}

/** @param {Record<string, string>} parameters */
function address(parameters) {
    return `${pageAddress('index')}?${new URLSearchParams(parameters)}`;
}

/**
 * @param {(number | null)[]} values
 * @param {number} share 0 to 1
 * @returns {number} between two values in a straight line; NaN of none
 */
export function quantile(values, share) {
    const known = values.filter((value) => value !== null).sort((a, b) => a - b);
    const at = (known.length - 1) * share;
    const below = known[Math.floor(at)] ?? Number.NaN;
    const above = known[Math.ceil(at)] ?? Number.NaN;

    return below + (above - below) * (at - Math.floor(at));
}
