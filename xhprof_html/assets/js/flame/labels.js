/** Names of functions that fit into frames: first goes the namespace, then the class or folder, then the middle of the name. */
import { endOf, middleCut, shortName, visible } from '../core/names.js';

/** Least letters of a name that are readable. */
const MIN_LENGTH = 3;
/** Most letters of a name that a frame shows. */
const LONGEST = 300;

/**
 * @param {string[]} names
 * @param {(text: string) => number} measure
 * @returns {(fn: number, room: number) => string} '' where nothing of it would be readable
 */
export function labels(names, measure) {
    /** @type {Map<number, [text: string, width: number][]>} per function, from the longest form to the shortest */
    const forms = new Map();
    /** @type {Map<string, string>} */
    const cut = new Map();
    const dots = measure('…');
    const formsOf = (/** @type {number} */ fn) => {
        const name = names[fn];
        const short = shortName(name);
        const member = /::[^:{}]+$/.exec(short)?.[0] ?? short;
        const end = endOf(short);
        const file = end === 0 ? [] : [`…${short.slice(end)}`, short.slice(end).replace(/\}.*$/s, '')];
        const texts = new Set([name, short, member, member.replace(/^::/, ''), ...file].map((text) => visible(text, LONGEST)));

        return /** @type {[string, number][]} */ ([...texts].map((text) => [text, measure(text)]));
    };

    return (fn, room) => {
        let known = forms.get(fn);
        if (known === undefined) {
            known = formsOf(fn);
            forms.set(fn, known);
        }
        const fits = known.find(([, width]) => width <= room);
        if (fits !== undefined) {
            return fits[0];
        }
        const [text, width] = known[known.length - 1];
        let length = Math.floor(text.length * (room - dots) / width);
        const key = `${fn} ${length}`;
        let shown = cut.get(key);
        if (shown === undefined) {
            // A part with wide letters takes more than its share of the width.
            while (length > 1 && measure(middleCut(text, length)) > room) {
                length--;
            }
            shown = length < MIN_LENGTH ? '' : middleCut(text, length);
            cut.set(key, shown);
        }

        return shown;
    };
}
