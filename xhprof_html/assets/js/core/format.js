/**
 * Figures for people, as the PHP pages write them (XHProf\Format\Units): three significant digits and a unit.
 *
 * @typedef {'us' | 'ns' | 'bytes' | 'count'} Unit
 */

/** The steps of each unit, in its smallest one. */
/** @type {Record<'us' | 'ns' | 'bytes', [string, number][]>} */
const SCALES = {
    us: [['µs', 1], ['ms', 1e3], ['s', 1e6]],
    ns: [['ns', 1], ['µs', 1e3], ['ms', 1e6], ['s', 1e9]],
    bytes: [['B', 1], ['KB', 1024], ['MB', 1048576], ['GB', 1073741824], ['TB', 1099511627776]],
};

/**
 * @param {number} value
 * @param {number} decimals
 * @returns {string} "41 896.5", with spaces between thousands
 */
export function grouped(value, decimals = 0) {
    const factor = 10 ** decimals;
    const scaled = Math.abs(value) * factor;
    // Half away from zero, as PHP rounds. Larger ones have no halves.
    const size = Math.round(scaled < 1e15 ? Number(scaled.toPrecision(15)) : scaled) / factor;
    const [whole = '', rest = ''] = size.toFixed(decimals).split('.');
    const text = whole.replace(/\B(?=(?:\d{3})+$)/g, ' ') + (rest === '' ? '' : `.${rest}`);

    return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/**
 * @param {number} value
 * @returns {string} three significant digits
 */
function digits(value) {
    const size = Math.abs(value);

    return grouped(value, size >= 99.95 ? 0 : (size >= 9.995 ? 1 : (size >= 0.9995 || size === 0 ? 2 : 3)));
}

/**
 * @param {number} value
 * @param {Unit} unit
 * @returns {string} "46.9 ms", "11.1 MB", "41 896"; fractions of counts keep three digits
 */
export function figure(value, unit) {
    if (unit === 'count') {
        return Number.isInteger(value) ? grouped(value) : digits(value);
    }
    const size = Math.abs(value);
    if (unit === 'us' && size > 0 && size < 0.9995) {
        return `${value < 0 ? '-' : ''}${digits(size * 1000)} ns`;
    }
    const scale = SCALES[unit];
    let text = '';
    for (const [index, [name, step]] of scale.entries()) {
        const shown = size / step;
        text = `${index === 0 && Number.isInteger(value) ? grouped(shown) : digits(shown)} ${name}`;
        const next = scale[index + 1];
        // 999.7 ms reads "1.00 s", 1008 KB "0.984 MB": the rounded figure chooses the step. Bytes are exact.
        if (next === undefined || Math.round(shown) < (index === 0 ? next[1] / step : 1000)) {
            break;
        }
    }

    return (value < 0 ? '-' : '') + text;
}

/**
 * @param {number} value
 * @param {Unit} unit
 * @returns {string} "46 912 µs", "1 024 bytes", "3"
 */
export function exact(value, unit) {
    const text = Number.isInteger(value) ? grouped(value) : grouped(value, Math.abs(value) >= 100 ? 1 : 3);
    switch (unit) {
        case 'us':
            return `${text} µs`;
        case 'ns':
            return `${text} ns`;
        case 'bytes':
            return `${text} ${Math.abs(value) === 1 ? 'byte' : 'bytes'}`;
        default:
            return text;
    }
}

/**
 * @param {number} part
 * @param {number} total
 * @returns {string} "12.3 %"; "-" where there is no whole
 */
export function share(part, total) {
    return total === 0 ? '-' : `${grouped(100 * part / total, 1)} %`;
}

/**
 * @param {number} value
 * @param {number} total
 * @returns {string} its share, '' where it is no part: memory that was freed
 */
export function partOf(value, total) {
    return total > 0 && value >= 0 && value <= total * 1.0001 ? share(value, total) : '';
}

/**
 * The unit of "ct": calls, or samples. Samples have no "per call" figures and no callers. exclusive, inclusive: what "Self" and "Total"
 * are, where they are of some calls only.
 *
 * @typedef {{ label: string, isCalls: boolean, exclusive?: string, inclusive?: string }} Counted
 */

/** @type {Counted} samples in which a function was met */
export const TOTAL_SAMPLES = { label: 'Total samples', isCalls: false };

/** @returns {Counted} of the run of this page, as the server reports it */
export function counts() {
    const { counts: label = '', calls } = /** @type {HTMLElement | null} */ (document.querySelector('[data-counts]'))?.dataset ?? {};

    return { label, isCalls: label === '' || calls !== undefined };
}

/**
 * @param {{label: string}} metric
 * @returns {string} its label inside a sentence
 */
export function labelInSentence({ label }) {
    return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}
