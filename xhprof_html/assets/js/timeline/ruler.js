/** Round times along an axis. Pure. */
import { grouped } from '../core/format.js';

/** @type {[string, number, number][]} unit, ns, decimals at most */
const UNITS = [['ns', 1, 0], ['µs', 1e3, 3], ['ms', 1e6, 6], ['s', 1e9, 9]];

/**
 * @param {number} span ns
 * @param {number} most ticks
 * @returns {number} distance of the ticks, ns: 1, 2 or 5 times a power of ten, at least 1
 */
export function tickDistance(span, most) {
    const least = Math.max(1, span / Math.max(1, most));
    const power = 10 ** Math.floor(Math.log10(least) + 1e-9);
    const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;

    return step * power;
}

/**
 * The ticks of a range. All have the unit of the end of the range, and as many decimals as the distance needs.
 *
 * @param {number} from ns
 * @param {number} to ns
 * @param {number} most
 * @returns {{at: number, text: string}[]}
 */
export function ticks(from, to, most) {
    const distance = tickDistance(to - from, most);
    const [unit, size] = [...UNITS].reverse().find(([, ns]) => to >= ns) ?? UNITS[0];
    const decimals = Math.max(0, Math.ceil(Math.log10(size) - Math.log10(distance) - 1e-9));
    const found = [];
    for (let i = Math.ceil(from / distance); i * distance <= to && found.length <= most + 1; i++) {
        found.push({ at: i * distance, text: `${grouped(i * distance / size, decimals)} ${unit}` });
    }

    return found;
}
