/** Colours of frames and their legend. flame.css defines the colours, light and dark. */
import { figure, share } from '../core/format.js';
import { scopeOf, visible } from '../core/names.js';
import { resolveColours } from '../core/theme.js';
import { labelInSentence } from '../profile/tree.js';

/**
 * @typedef {import('./layout.js').Picture} Picture
 * @typedef {import('../profile/tree.js').Metric} Metric
 *
 * @typedef {{colour: Uint8Array, variables: string[], title: string, legend: {variable: string, text: string, title?: string}[], gone?: number}} Colouring
 *
 * colour: per node, an index into variables; variables: names of colours in flame.css; legend: their meanings.
 */

const SPECIALS = ['--frame-faint', '--frame-hit', '--frame-selected'];
const FIRST = SPECIALS.length;

/** Shares of the largest own figure from which a frame is one step darker. */
const STEPS = [1 / 256, 1 / 64, 1 / 16, 1 / 4];

const HUES = 8;

/**
 * By a frame's own cost, relative to the largest.
 *
 * @param {Picture} picture
 * @param {Metric} metric
 * @returns {Colouring}
 */
export function byCost(picture, metric) {
    const { unit } = metric;
    let most = 0;
    for (const value of picture.self) {
        most = Math.max(most, value);
    }
    const limits = STEPS.map((step) => step * most);
    const colour = new Uint8Array(picture.fn.length);
    for (let node = 0; node < colour.length; node++) {
        const own = picture.self[node];
        let step = 0;
        while (step < limits.length && own >= limits[step] && own > 0) {
            step++;
        }
        colour[node] = FIRST + step;
    }
    const family = unit === 'bytes' ? 'memory' : 'time';
    const variables = [...SPECIALS, ...[1, 2, 3, 4, 5].map((step) => `--frame-${family}-${step}`)];

    return {
        colour,
        variables,
        title: `Self ${labelInSentence(metric)}`,
        legend: most === 0 ? [] : [
            { variable: variables[FIRST], text: 'less' },
            ...limits.map((limit, step) => ({ variable: variables[FIRST + 1 + step], text: `≥ ${figure(limit, unit)}` })),
        ],
    };
}

/**
 * By namespace: those with the largest own costs have a hue each.
 *
 * @param {Picture} picture
 * @param {string[]} names
 * @param {{fn: Int32Array, self: Float64Array}} [ranking] own figures that rank them, where several pictures share the hues
 * @returns {Colouring}
 */
export function byNamespace(picture, names, ranking = picture) {
    const spaces = names.map((name) => /^(?:[^\\]+\\){1,2}/.exec(scopeOf(name).includes('\\') ? scopeOf(name) : '')?.[0] ?? '');
    const own = new Float64Array(names.length);
    for (let i = 0; i < ranking.fn.length; i++) {
        own[ranking.fn[i]] += Math.max(0, ranking.self[i]);
    }
    /** @type {Map<string, number>} */
    const costs = new Map();
    for (const fn of new Set(ranking.fn)) {
        costs.set(spaces[fn], (costs.get(spaces[fn]) ?? 0) + own[fn]);
    }
    const all = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
    const ranked = [...costs].filter(([space]) => space !== '').sort((a, b) => b[1] - a[1]);
    const shown = ranked.slice(0, HUES);
    const variables = [...SPECIALS, '--space-none', '--space-other', ...shown.map((_, hue) => `--space-${hue}`)];
    const hueOf = new Map(shown.map(([space], hue) => [space, FIRST + 2 + hue]));
    const perName = Uint8Array.from(spaces, (space) => (space === '' ? FIRST : hueOf.get(space) ?? FIRST + 1));
    const line = (/** @type {string} */ variable, /** @type {string} */ text, /** @type {number} */ cost) => (
        { variable, text: `${text} ${share(cost, all)}`, title: `${share(cost, all)} of self figures` });

    return {
        colour: Uint8Array.from(picture.fn, (fn) => perName[fn]),
        variables,
        title: 'Namespace',
        legend: [
            ...shown.map(([space, cost], hue) => line(`--space-${hue}`, visible(space, 40), cost)),
            ...(ranked.length > HUES ? [line('--space-other', 'others', ranked.slice(HUES).reduce((sum, [, cost]) => sum + cost, 0))] : []),
            line('--space-none', "none: internal, global code", costs.get('') ?? 0),
        ],
    };
}

/** Shares of the scale from which a change is one step darker, on either side. */
const CHANGES = [0.03, 0.15, 0.4, 0.8];

/**
 * By change, symmetric around zero.
 *
 * @param {import('./diff-jobs.js').DiffPicture} picture
 * @param {Metric} metric
 * @param {'own' | 'incl'} by
 * @returns {Colouring}
 */
export function byChange(picture, metric, by) {
    const { unit } = metric;
    const less = [4, 3, 2, 1].map((step) => `--less-${step}`);
    const more = [1, 2, 3, 4].map((step) => `--more-${step}`);
    const variables = [...SPECIALS, ...less, '--same', ...more, '--frame-gone'];
    const same = FIRST + less.length;
    const gone = variables.length - 1;
    const colour = Uint8Array.from(picture.change, (change, node) => {
        if (picture.only[node] === 1) {
            return gone;
        }
        const part = picture.scale === 0 ? 0 : Math.abs(change) / picture.scale;
        // A new frame has changed, however little it costs.
        const step = Math.max(picture.only[node] === 2 ? 1 : 0, CHANGES.filter((limit) => part >= limit).length);

        return same + (change < 0 ? -step : step);
    });
    const { scale, totals } = picture;
    const end = `${figure(scale, unit)}${totals.a > 0 ? ` (${share(scale, totals.a)} of the run before)` : ''}`;

    return {
        colour,
        variables,
        gone,
        title: `${by === 'own' ? 'Change of self' : 'Change of total'} ${labelInSentence(metric)}`,
        legend: [
            { variable: less[0], text: `▼ ≤ -${end}` },
            { variable: less[2], text: '' },
            { variable: '--same', text: 'as before' },
            { variable: more[0], text: 'slightly more, or new' },
            { variable: more[2], text: '' },
            { variable: more[3], text: `▲ ≥ +${end}`, title: '99 of 100 changes are smaller' },
            { variable: '--frame-gone', text: 'dashed: gone' },
        ],
    };
}

/**
 * Colours as the canvas takes them, in the current theme.
 *
 * @param {Element} element whose background is the picture's
 * @param {string[]} variables
 * @returns {{fills: string[], inks: string[], ground: string}}
 */
export function resolvePalette(element, variables) {
    const fills = resolveColours(element, variables.map((variable) => `var(${variable})`));
    const inks = resolveColours(element, variables.map((variable) => `var(${variable}-ink, var(--ink))`));

    return { fills, inks, ground: getComputedStyle(element).backgroundColor };
}
