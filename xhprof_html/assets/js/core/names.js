/**
 * Names of functions, made readable by the rules of the PHP pages (XHProf\Format\VisibleName). They come from outside: put the
 * results into textContent, never into innerHTML.
 *
 * @typedef {{ text: string, kind: '' | 'scope' | 'escape' | 'cut' }} Piece
 */

/** Controls, format characters (bidi, zero width), separators, unassigned, private, odd spaces and half surrogate pairs. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u00A0\u115F\u1160\u2000-\u200A\u202F\u205F\u2800\u3000\u3164\uFFA0\u034F\uFE00-\uFE0F]+/gu;

/** Namespace, or the kind of a file's code, before the part that is read first. */
const SCOPE = /^(?:(?:[A-Za-z0-9_\u0080-\u{10FFFF}]+\\)+(?=[^\\(]+(?:\(|$)|[^\\:]+::)|(?:load|run_init|eval)::)/u;

/**
 * @param {string} text
 * @param {'' | 'scope'} kind
 * @returns {Piece[]}
 */
function escaped(text, kind) {
    /** @type {Piece[]} */
    const pieces = [];
    let at = 0;
    for (const match of text.matchAll(HIDDEN)) {
        if (match.index > at) {
            pieces.push({ text: text.slice(at, match.index), kind });
        }
        // "\x0A", "\u{202E}".
        const codes = Array.from(match[0], (character) => {
            const code = character.codePointAt(0) ?? 0;
            const digits = code.toString(16).toUpperCase();

            return code < 0x80 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits.padStart(4, '0')}}`;
        });
        pieces.push({ text: codes.join(''), kind: 'escape' });
        at = match.index + match[0].length;
    }
    if (at < text.length) {
        pieces.push({ text: text.slice(at), kind });
    }

    return pieces;
}

/**
 * The name cut into pieces for display: namespace ('scope'), characters made visible ('escape'), the mark of a shortened
 * middle ('cut') and the rest ('').
 *
 * @param {string} name
 * @param {number} [limit] longest display in characters before the middle is cut out, 0 for none
 * @returns {Piece[]}
 */
export function pieces(name, limit = 0) {
    if (limit > 0 && name.length > limit) {
        const head = boundary(name, Math.floor(limit * 2 / 3));
        const tail = boundary(name, name.length - Math.floor(limit / 3));

        return [
            ...pieces(name.slice(0, head)),
            { text: ` … ${tail - head} characters … `, kind: 'cut' },
            ...escaped(name.slice(tail), ''),
        ];
    }
    const scope = scopeOf(name);

    return [...escaped(scope, 'scope'), ...escaped(name.slice(scope.length), '')];
}

/**
 * @param {string} name
 * @param {number} offset
 * @returns {number} one that does not split a pair of surrogates
 */
export function boundary(name, offset) {
    return /[\uDC00-\uDFFF]/.test(name[offset] ?? '') ? offset - 1 : offset;
}

/**
 * @param {string} name
 * @param {number} [limit] as for pieces()
 * @returns {string}
 */
export function visible(name, limit = 0) {
    return pieces(name, limit).map((piece) => piece.text).join('');
}

/**
 * @param {string} name
 * @returns {string} "App\Http\" of "App\Http\Router::get", "load::" of "load::dir/file.php"; '' for none
 */
export function scopeOf(name) {
    return SCOPE.exec(name)?.[0] ?? '';
}

/**
 * @param {string} name
 * @returns {string} the name without its namespace, not yet made visible
 */
export function shortName(name) {
    return name.slice(scopeOf(name).length);
}

/** Characters of a long name of a function, and of its end that stays in sight. */
const LONG = 20;
const END = 14;

/**
 * @param {string} name
 * @returns {number} where the part begins in which it differs from its neighbours and which must stay in sight: "Php8.php:1980}" of
 *     "Parser::{closure:Parser/Php8.php:1980}", "Php8.php" of "load::Parser/Php8.php", "to_cart_url" of "woocommerce_add_to_cart_url",
 *     as functions without a class begin alike; 0 for a short name, and for a method
 */
export function endOf(name) {
    const file = Math.max(name.search(/(?<=\/)[^/]*:[0-9]+\}[^/]*$/s), name.search(/(?<=\/)[^/{}]+\.[A-Za-z0-9]+$/s));
    if (file > 0 || name.length <= LONG || /::|[/(){}]/.test(name)) {
        return Math.max(0, file);
    }
    // As many of the last words as there is room for.
    const word = name.indexOf('_', name.length - END - 1) + 1;

    return word > 0 && word < name.length ? word : boundary(name, name.length - END);
}

/**
 * @param {string} text
 * @param {number} length more than 0
 * @returns {string} of so many characters and the mark of what is left out of the middle: more of the end, by which names that begin
 *     alike differ
 */
export function middleCut(text, length) {
    return `${text.slice(0, boundary(text, Math.floor(length * 0.4)))}…${text.slice(boundary(text, text.length - length + Math.floor(length * 0.4)))}`;
}

/**
 * @param {string} name
 * @returns {string} "f" of "f@2", f called while two f are running; "class@anonymous::m" stays as it is
 */
export function baseName(name) {
    return name.replace(/(?<=.)@[0-9]+$/s, '');
}

/**
 * @param {string | undefined} a
 * @param {string | undefined} b
 * @returns {number} order of two names
 */
export function byName(a = '', b = '') {
    return a < b ? -1 : (a > b ? 1 : 0);
}

/**
 * How well a name answers a search: its text anywhere, whatever its case, or the beginnings of its words ("uowc" finds
 * UnitOfWork::commit).
 *
 * @param {string} name
 * @param {string} query
 * @returns {number} 0 for not at all, more for better
 */
export function score(name, query) {
    if (query === '') {
        return 1;
    }
    const lower = name.toLowerCase();
    const wanted = query.toLowerCase();
    const at = lower.indexOf(wanted);
    if (at >= 0) {
        const start = scopeOf(name).length;
        const atWord = at === 0 || /[^a-z0-9]/i.test(name[at - 1] ?? '') || /[A-Z]/.test(name[at] ?? '');

        return 100 + (at >= start ? 40 : 0) + (atWord ? 30 : 0) + (lower.length === wanted.length ? 100 : 0) + (at + wanted.length === lower.length ? 10 : 0);
    }

    return matchesWordStarts(name, wanted) ? 50 : 0;
}

/**
 * @param {string} name
 * @param {string} query in lower case
 * @returns {boolean} whether the query is made of beginnings of the name's words, in order
 */
function matchesWordStarts(name, query) {
    if (query.length < 2 || query.length > 24) {
        return false;
    }
    const words = name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? [];
    let position = 0;
    for (const word of words) {
        let same = 0;
        while (same < word.length && position + same < query.length && word[same] === query[position + same]) {
            same++;
        }
        position += same;
        if (position === query.length) {
            return true;
        }
    }

    return false;
}
