/** Colours of frames and their legend. flame.css defines the colours, light and dark. */
import { figure, labelInSentence, share } from '../core/format.js';
import { scopeOf, visible } from '../core/names.js';
import { inkOn, resolveColours } from '../core/theme.js';

/**
 * @typedef {import('./layout.js').FrameLayout} FrameLayout
 * @typedef {import('../profile/tree.js').Metric} Metric
 *
 * @typedef {{colour: Uint8Array, variables: string[], title: string, legend: {variable: string, text: string, title?: string}[], gone?: number}} Colouring
 *
 * colour: per node, an index into variables; variables: names of colours in flame.css; legend: their meanings.
 */

/** Colours of frames that are found, selected...: SPECIAL of draw.js are their indexes. */
export const SPECIALS = ['--frame-faint', '--frame-hit', '--frame-selected'];
/** The first colour of a meaning. */
export const FIRST = SPECIALS.length;

/** Shares of the largest own figure from which a frame is one step darker. */
const STEPS = [1 / 256, 1 / 64, 1 / 16, 1 / 4];

/** Number of colours for packages; most categories, and lines of a legend. */
export const SPACES = 24;
export const HUES = 8;

/** Start of the packages' hashes: with this one, the colours of frameworks that are seen together differ. */
const SEED = 29471;

/**
 * Colours frames by their own cost, relative to the largest.
 *
 * @param {FrameLayout} layout
 * @param {Metric} metric
 * @returns {Colouring}
 */
export function byCost(layout, metric) {
    const { unit } = metric;
    let most = 0;
    for (const value of layout.self) {
        most = Math.max(most, value);
    }
    const limits = STEPS.map((step) => step * most);
    const colour = new Uint8Array(layout.fn.length);
    for (let node = 0; node < colour.length; node++) {
        const own = layout.self[node];
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
 * @param {string} name
 * @returns {string} the first two parts of its namespace, "App\Http\"; '' for none: functions of PHP, global code, files
 */
export function packageOf(name) {
    const scope = scopeOf(name);

    return /^(?:[^\\]+\\){1,2}/.exec(scope.includes('\\') ? scope : '')?.[0] ?? '';
}

/**
 * Chooses a colour by the name alone, so that a package has one colour in all pictures.
 *
 * @param {string} name of a package
 * @returns {number} 0 to SPACES - 1
 */
export function hueOf(name) {
    let hash = SEED;
    for (let at = 0; at < name.length; at++) {
        hash = Math.imul(hash ^ name.charCodeAt(at), 16777619) >>> 0;
    }

    return ((hash ^ (hash >>> 15)) >>> 0) % SPACES;
}

/**
 * Colours frames by package. A function without one, like those of PHP, belongs to its caller's.
 *
 * @param {FrameLayout} layout
 * @param {string[]} names
 * @param {{inherits?: boolean}} [options] inherits: false where a frame's parent is not its caller
 * @returns {Colouring} whose legend has the costliest packages
 */
export function byPackage(layout, names, { inherits = true } = {}) {
    /** @type {string[]} */
    const packages = [''];
    /** @type {Map<string, number>} */
    const known = new Map([['', 0]]);
    const ofName = Int32Array.from(names, (name) => {
        const own = packageOf(name);
        const at = known.get(own) ?? packages.push(own) - 1;
        known.set(own, at);

        return at;
    });
    const { fn, parent, self } = layout;
    const ofNode = new Int32Array(fn.length);
    const costs = new Float64Array(packages.length);
    const met = new Uint8Array(packages.length);
    for (let node = 0; node < fn.length; node++) {
        const own = ofName[fn[node]];
        const one = own === 0 && inherits && node > 0 ? ofNode[parent[node]] : own;
        ofNode[node] = one;
        costs[one] += Math.max(0, self[node]);
        met[one] = 1;
    }
    const ranked = [...packages.keys()].filter((one) => one > 0 && met[one] === 1).sort((a, b) => costs[b] - costs[a] || a - b);
    const hues = Uint8Array.from(packages, (name, at) => (at === 0 ? FIRST : FIRST + 1 + hueOf(name)));
    const all = costs.reduce((sum, cost) => sum + cost, 0);
    // Uint8Array.from() takes ten times as long.
    const colour = new Uint8Array(ofNode.length);
    for (let node = 0; node < colour.length; node++) {
        colour[node] = hues[ofNode[node]];
    }

    return {
        colour,
        variables: [...SPECIALS, '--space-none', ...Array.from({ length: SPACES }, (_, hue) => `--space-${hue}`)],
        title: 'Package',
        legend: [
            ...ranked.slice(0, HUES).map((one) => legendLine(`--space-${hueOf(packages[one])}`, visible(packages[one], 40), costs[one], all)),
            ...(ranked.length > HUES ? [legendLine('', 'others', ranked.slice(HUES).reduce((sum, one) => sum + costs[one], 0), all)] : []),
            legendLine('--space-none', 'none', costs[0], all, 'Global code, and what it calls of PHP'),
        ],
    };
}

/**
 * Colours frames by the reader's categories.
 *
 * @param {FrameLayout} layout
 * @param {string[]} labels of categories
 * @param {Uint8Array} found per function its category, from 1; 0 for none
 * @returns {Colouring}
 */
export function byCategory(layout, labels, found) {
    const costs = new Float64Array(labels.length + 1);
    for (let node = 0; node < layout.fn.length; node++) {
        costs[found[layout.fn[node]]] += Math.max(0, layout.self[node]);
    }
    const all = costs.reduce((sum, cost) => sum + cost, 0);

    return {
        colour: Uint8Array.from(layout.fn, (fn) => FIRST + found[fn]),
        variables: [...SPECIALS, '--space-none', ...labels.map((_, hue) => `--space-${hue}`)],
        title: 'Category',
        legend: [
            ...labels.map((label, hue) => legendLine(`--space-${hue}`, visible(label, 40), costs[hue + 1], all)),
            legendLine('--space-none', 'none', costs[0], all),
        ],
    };
}

/**
 * Colours frames by what most of their own time was spent on.
 *
 * @param {FrameLayout} layout
 * @param {import('../profile/time-parts.js').Where} where
 * @returns {Colouring}
 */
export function byPart({ fn }, { of, sums, parts }) {
    return {
        colour: Uint8Array.from(fn, (_, node) => FIRST + of[node]),
        variables: [...SPECIALS, '--space-none', ...parts.map(({ key }) => `--time-${key}`)],
        title: 'Where the time was',
        legend: partsLegend(parts, sums),
    };
}

/**
 * @param {import('../profile/time-parts.js').Part[]} parts
 * @param {ArrayLike<number>} sums of each
 * @returns {Colouring['legend']} of those that there are
 */
export function partsLegend(parts, sums) {
    const all = Array.from(sums).reduce((sum, ns) => sum + ns, 0);

    return parts.flatMap(({ key, label }, at) => (sums[at] > 0 ? [legendLine(`--time-${key}`, label, sums[at], all)] : []));
}

/**
 * @param {string} variable '' for several colours
 * @param {string} text
 * @param {number} cost
 * @param {number} all
 * @param {string} [more]
 */
function legendLine(variable, text, cost, all, more) {
    return { variable, text: `${text} ${share(cost, all)}`, title: `${more === undefined ? '' : `${more}: `}${share(cost, all)} of self figures` };
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
    const chosen = resolveColours(element, variables.map((variable) => `var(${variable}-ink, transparent)`));
    const inks = chosen.map((ink, at) => (ink === 'rgba(0, 0, 0, 0)' ? inkOn(fills[at]) : ink));

    return { fills, inks, ground: getComputedStyle(element).backgroundColor };
}
