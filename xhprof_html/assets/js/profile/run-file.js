/**
 * The format of run files, ID.SOURCE.run: a line, a head of JSON, and sections of binary columns. A document is a member of the
 * head with the columns whose names begin with its name, "tree.self.wt". Pure: no DOM, no network.
 */

/**
 * Over the file's own bytes: little-endian, as the machines of all browsers are.
 *
 * @typedef {Uint8Array | Uint16Array | Uint32Array | Int32Array} Indexes
 * @typedef {Indexes | Float64Array} Numbers
 *
 * at: from the beginning of the file; value: of a section of equal values, which takes no bytes.
 *
 * @typedef {{type: keyof typeof ARRAYS | 'text' | 'same', n: number, at: number, bytes: number, value: number}} Section
 */

const VERSION = 1;
/** Members of the head that are no documents. */
const OTHERS = ['v', 'sections'];
const LONGEST_HEAD = 4 << 20;
const MOST_VALUES = 2 ** 31;
/** No run has half as many. */
const MOST_SECTIONS = 1000;
/** Largest number: f64 is exact up to here. */
const LARGEST = 2 ** 53;
/** Sections of equal values take memory: together they have up to so many, or so many for each byte of the file. */
const MOST_SAME = 1 << 20;
const MOST_SAME_PER_BYTE = 16;
/** Names of documents' columns: the document, and the steps to the column. */
const NAME = /^\w+(\.\w+)+$/;

const ARRAYS = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array, f64: Float64Array };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A run that cannot be read, or has not what is asked for; the message says why in one sentence. */
export class BadRun extends Error {
}

/**
 * @param {ArrayBuffer} buffer the whole file
 * @returns {RunFile}
 * @throws {BadRun}
 */
export function readRun(buffer) {
    const start = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(64, buffer.byteLength)));
    const [line, version, length] = /^xhprof-run (\d{1,9}) (?:(\d{1,9})\n)?/.exec(start) ?? damaged('it does not begin as one');
    if (Number(version) > VERSION) {
        throw new BadRun(`This run was written by a newer XHProf (format ${version}).`);
    }
    const base = Number(length);
    if (Number(version) !== VERSION || !(base % 8 === 0 && base > line.length && base <= LONGEST_HEAD && base <= buffer.byteLength)) {
        damaged('its first line is wrong');
    }
    let head;
    try {
        head = object(JSON.parse(decoder.decode(new Uint8Array(buffer, line.length, base - line.length))));
    } catch {
        damaged('its head is no JSON of an object');
    }
    const found = Object.entries(object(head.sections));
    if (head.v !== VERSION || found.length > MOST_SECTIONS) {
        damaged('its head has another version, or too many sections');
    }
    const size = buffer.byteLength - base;
    /** @type {Map<string, Section>} */
    const sections = new Map();
    let [same, bytes] = [0, 0];
    for (const [name, data] of found) {
        const section = (NAME.test(name) && isDocument(head, name.split('.')[0]) ? judged(object(data), base, size) : null)
            ?? damaged(`its section "${shown(name)}" is wrong`);
        sections.set(name, section);
        same += section.type === 'same' ? section.n : 0;
        bytes += section.bytes;
    }
    if (bytes > size || same > Math.max(MOST_SAME, MOST_SAME_PER_BYTE * size)) {
        damaged('its sections are larger than the file');
    }
    for (const [name, { type, n }] of sections) {
        const end = sections.get(`${name}.end`);
        if (type === 'text' && (end?.n !== n || end.type === 'text')) {
            damaged(`the texts of "${shown(name)}" have no ends`);
        }
    }

    return new RunFile(buffer, head, sections);
}

export class RunFile {
    #buffer;
    #sections;

    /**
     * Trusts its sections: see readRun().
     *
     * @param {ArrayBuffer} buffer
     * @param {Record<string, any>} head
     * @param {Map<string, Section>} sections
     */
    constructor(buffer, head, sections) {
        this.#buffer = buffer;
        this.#sections = sections;
        this.head = head;
    }

    /**
     * @param {string} name
     * @returns {any} the document with its columns at their places; null if the file has none of that name
     * @throws {BadRun}
     */
    document(name) {
        if (!isDocument(this.head, name)) {
            return null;
        }
        const document = copied(object(this.head[name]));
        for (const path of this.#sections.keys()) {
            const steps = path.split('.');
            const isEnd = steps.at(-1) === 'end' && this.#sections.get(steps.slice(0, -1).join('.'))?.type === 'text';
            if (steps.shift() === name && !isEnd) {
                put(document, steps, this.column(path), path);
            }
        }

        return document;
    }

    /**
     * @param {string} name of a section
     * @returns {Numbers | string[]} its numbers, or its texts
     * @throws {BadRun}
     */
    column(name) {
        const { type, n, at, bytes, value } = this.#sections.get(name) ?? damaged(`it has no section "${shown(name)}"`);
        if (type === 'text') {
            return this.#texts(at, bytes, /** @type {Numbers} */ (this.column(`${name}.end`)));
        }
        if (type === 'same') {
            // The smallest type that holds the value.
            const fitting = Object.values(ARRAYS).find((one) => one === Float64Array || one.of(value)[0] === value) ?? Float64Array;

            return new fitting(n).fill(value);
        }
        const values = new ARRAYS[type](this.#buffer, at, n);

        return type !== 'f64' || values.every(isWhole) ? values : damaged(`the section "${shown(name)}" has a value that is no whole number`);
    }

    /**
     * @param {number} at
     * @param {number} bytes
     * @param {Numbers} ends
     * @returns {string[]}
     */
    #texts(at, bytes, ends) {
        const texts = new Array(ends.length);
        for (let i = 0, from = 0; i < ends.length; from = ends[i++]) {
            if (ends[i] < from || ends[i] > bytes) {
                damaged('its texts end in wrong places');
            }
            try {
                texts[i] = decoder.decode(new Uint8Array(this.#buffer, at + from, ends[i] - from));
            } catch {
                damaged('one of its texts is no UTF-8');
            }
        }

        return texts;
    }
}

/**
 * A column of a document for those who use its values as indexes, times...
 *
 * @param {any} values
 * @param {string} name 'The column "fn" of the call tree'
 * @param {number} least
 * @param {number} most
 * @param {number} [n]
 * @returns {Numbers} values, judged
 * @throws {BadRun}
 */
export function column(values, name, least, most, n) {
    // The head has a list of what can be no section, as it has another name or other numbers.
    const isList = Array.isArray(values) && values.every((value) => typeof value === 'number');
    if (!(isList || ArrayBuffer.isView(values)) || (n !== undefined && /** @type {Numbers} */ (values).length !== n)) {
        throw new BadRun(`${name} is missing or of the wrong length.`);
    }
    const numbers = isList ? Float64Array.from(values) : /** @type {Numbers} */ (values);
    for (let i = 0; i < numbers.length; i++) {
        if (numbers[i] < least || numbers[i] > most) {
            throw new BadRun(`${name} is invalid at ${i}.`);
        }
    }

    return numbers;
}

/**
 * @param {any} texts
 * @param {string} what 'The call tree'
 * @returns {string[]} texts, judged
 * @throws {BadRun}
 */
export function namesIn(texts, what) {
    // Nothing shows that none would be texts.
    const names = ArrayBuffer.isView(texts) && texts.byteLength === 0 ? [] : texts;
    if (!Array.isArray(names) || !names.every((text) => typeof text === 'string')) {
        throw new BadRun(`${what} has no list of names.`);
    }

    return names;
}

/**
 * @param {Record<string, any>} head
 * @param {string} name
 * @returns {boolean}
 */
function isDocument(head, name) {
    return !OTHERS.includes(name) && Object.hasOwn(head, name);
}

/**
 * @param {Record<string, any>} section
 * @param {number} base where the head ends
 * @param {number} size of what is behind it
 * @returns {Section | null} null if it is wrong
 */
function judged({ type, n, at: place, bytes: given, value: every }, base, size) {
    const [at, value] = type === 'same' ? [0, every] : [place, 0];
    const width = type === 'same' ? 0 : (Object.hasOwn(ARRAYS, type) ? ARRAYS[/** @type {keyof typeof ARRAYS} */ (type)].BYTES_PER_ELEMENT : NaN);
    const bytes = type === 'text' ? given : n * width;
    const isWithin = isCount(at, size) && at % 8 === 0 && isCount(bytes, size - at);

    return isCount(n, MOST_VALUES) && isWithin && isWhole(value) ? { type, n, at: base + at, bytes, value } : null;
}

/**
 * @param {any} value
 * @returns {boolean}
 */
function isWhole(value) {
    return Number.isInteger(value) && Math.abs(value) <= LARGEST;
}

/**
 * @param {any} value
 * @param {number} most
 * @returns {boolean}
 */
function isCount(value, most) {
    return Number.isInteger(value) && value >= 0 && value <= most;
}

/**
 * @param {any} value
 * @returns {Record<string, any>} value; it may be a list, as PHP writes an object without members
 */
function object(value) {
    return value !== null && typeof value === 'object' ? value : damaged('a part of its head is of another kind');
}

/**
 * Copies entries into an object without a prototype, where "__proto__" is a name like any other.
 *
 * @param {Record<string, any>} from
 * @returns {Record<string, any>}
 */
function copied(from) {
    return Object.assign(Object.create(null), from);
}

/**
 * @param {Record<string, any>} document whose members, as far as they are on the path, become copies
 * @param {string[]} steps
 * @param {Numbers | string[]} column
 * @param {string} path
 */
function put(document, steps, column, path) {
    let at = document;
    steps.forEach((step, level) => {
        const isLast = level === steps.length - 1;
        if (isLast ? step in at : ArrayBuffer.isView(at[step]) || (step in at && (at[step] === null || typeof at[step] !== 'object'))) {
            damaged(`two values are at "${shown(path)}"`);
        }
        at[step] = isLast ? column : copied(at[step] ?? {});
        at = at[step];
    });
}

/**
 * @param {string} name from a file
 * @returns {string}
 */
function shown(name) {
    return name.slice(0, 60);
}

/**
 * @param {string} why
 * @returns {never}
 */
function damaged(why) {
    throw new BadRun(`This run is damaged: ${why}.`);
}
