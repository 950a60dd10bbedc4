/** Differences of figures before and after, for people, and words for the two sides. */
import { exact, figure, grouped, share } from './format.js';

/** @typedef {import('./format.js').Unit} Unit */

/**
 * Words for the sides of this page's comparison, as the server reports them: alone, and as the whole of a part.
 *
 * @returns {{ a: string, b: string, of_a: string, of_b: string }}
 */
export function sides() {
    const { sides: words } = /** @type {HTMLElement | null} */ (document.querySelector('[data-sides]'))?.dataset ?? {};

    return { a: 'Before', b: 'After', of_a: 'the run before', of_b: 'the run after', ...JSON.parse(words ?? '{}') };
}

/**
 * @param {string} side "Before", "A"
 * @returns {string} "before", "A"
 */
export function inSentence(side) {
    return side.length === 1 ? side : side.toLowerCase();
}

/**
 * @param {number} value a difference
 * @param {Unit} unit
 * @returns {string} with a "+" where it grew
 */
export function signed(value, unit) {
    return (value > 0 ? '+' : '') + figure(value, unit);
}

/**
 * @param {number} before
 * @param {number} after
 * @param {Unit} unit
 * @returns {string} "▲ +12.0 ms", "="
 */
export function changed(before, after, unit) {
    return before === after ? '=' : `${after > before ? '▲' : '▼'} ${signed(after - before, unit)}`;
}

/**
 * @param {number} before
 * @param {number} after
 * @param {boolean} [isMachine] whether the change is the machine's
 * @returns {'same' | 'up' | 'down'} class of its colour
 */
export function tone(before, after, isMachine = false) {
    return before === after || isMachine ? 'same' : (after > before ? 'up' : 'down');
}

/** Share of the larger side's total under which a change is not worth a look, as in XHProf\Compare\Noise. */
const SMALL = 0.01;

/**
 * @param {number} change
 * @param {number} total the larger side's
 * @returns {boolean} whether it is nothing, or too little to be worth a look
 */
export function isSmall(change, total) {
    return change === 0 || Math.abs(change) < SMALL * Math.abs(total);
}

/**
 * What changes are sorted by.
 *
 * @param {number} change
 * @param {boolean} isNoise whether it is the machine's, or may be chance
 * @returns {number} its size; noise comes behind all others
 */
export function sizeOf(change, isNoise) {
    return isNoise ? -1 / (1 + Math.abs(change)) : Math.abs(change);
}

/**
 * @param {number} before
 * @param {number} after
 * @param {Unit} unit
 * @returns {string}
 */
export function exactly(before, after, unit) {
    return `${exact(before, unit)} before, ${exact(after, unit)} after`;
}

/**
 * @param {number} before
 * @param {number} after
 * @returns {string} "+12.3 %", '' where it was 0 or is the same
 */
export function growth(before, after) {
    if (before === 0 || before === after) {
        return '';
    }
    const ratio = (after - before) / Math.abs(before);
    if (Math.abs(ratio) >= 10) {
        return `${ratio > 0 ? '+' : '-'}${grouped(Math.abs(ratio) * 100)} %`;
    }

    return (after > before ? '+' : '') + share(after - before, Math.abs(before));
}
