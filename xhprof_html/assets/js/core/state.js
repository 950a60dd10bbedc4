/**
 * State that the views of a run share, kept in the address: the metric, the selected function, the search text and each view's
 * own settings. Links marked data-keep carry it, so that every view opens where the last one was left.
 */

/** Keys that every view has; lit is the finding whose calls are shown, x0 and x1 are the range of time that is shown, in µs. */
const SHARED = ['metric', 'sel', 'q', 'lit', 'x0', 'x1'];

/** Bytes (in the address) above which a value is remembered for this page only: servers bound a URL's length. */
const LONGEST = 1500;

/** @type {Map<string, string>} too long for the address */
const unwritten = new Map();

/** @type {{ keys: string[], fn: () => void }[]} */
const watchers = [];

let known = typeof location === 'undefined' ? '' : location.search;

/**
 * @param {string} text of a query string
 * @returns {string} bytes that are no UTF-8 become U+FFFD, as in JSON of the server
 */
function decoded(text) {
    const spaced = text.replaceAll('+', ' ');
    try {
        return decodeURIComponent(spaced);
    } catch {
        return new URLSearchParams(`v=${text}`).get('v') ?? '';
    }
}

/**
 * @param {string} search with or without its "?"
 * @param {string} key
 * @returns {string} '' where it is missing
 */
export function valueIn(search, key) {
    let value = '';
    for (const pair of search.replace(/^\?/, '').split('&')) {
        const at = pair.indexOf('=');
        if (at > 0 && decoded(pair.slice(0, at)) === key) {
            value = decoded(pair.slice(at + 1));
        }
    }

    return value;
}

/**
 * The query string with some values replaced. The others stay byte by byte: a name need not be UTF-8.
 *
 * @param {string} search with or without its "?"
 * @param {Record<string, string | null>} values null or '' removes the key
 * @returns {string} without "?"
 */
export function replaced(search, values) {
    const pairs = search.replace(/^\?/, '').split('&').filter((pair) => pair !== '' && !Object.hasOwn(values, decoded(pair.split('=', 1)[0] ?? '')));
    for (const [key, value] of Object.entries(values)) {
        if (value !== null && value !== '') {
            pairs.push(`${encodeURIComponent(key)}=${encodeURIComponent(wellFormed(value))}`);
        }
    }

    return pairs.join('&');
}

/**
 * @param {string} text
 * @returns {string} without halves of surrogate pairs, which no URL can hold
 */
function wellFormed(text) {
    return text.replace(/\p{Cs}/gu, '\uFFFD');
}

/** Gives every link marked data-keep the shared keys of the address, and those that data-keep names, but not those of data-drop. */
export function keepLinks() {
    /** @type {Record<string, string | null>} */
    const shared = {};
    for (const key of SHARED) {
        shared[key] = valueIn(location.search, key);
    }
    if (valueIn(location.search, 'symbol') !== '' || valueIn(location.search, 'symbol_hash') !== '') {
        // On the page of a function the links to other views select it, as PHP wrote them.
        delete shared.sel;
    } else if (unwritten.has('sel') || shared.sel !== '') {
        shared.sel_hash = null;
    }
    for (const link of document.querySelectorAll('a[data-keep]')) {
        const [rest = '', hash = ''] = (link.getAttribute('href') ?? '').split('#', 2);
        const [path = '', query = ''] = rest.split('?', 2);
        const keys = (/** @type {string} */ name) => (link.getAttribute(name) ?? '').split(' ').filter((key) => key !== '');
        const next = replaced(query, {
            ...shared,
            ...Object.fromEntries(keys('data-keep').map((key) => [key, valueIn(location.search, key)])),
            ...Object.fromEntries(keys('data-drop').map((key) => [key, null])),
        });
        link.setAttribute('href', path + (next === '' ? '' : `?${next}`) + (hash === '' ? '' : `#${hash}`));
    }
}

/** Calls the watchers of keys that have changed since the last time. */
function notifyWatchers() {
    const before = known;
    known = location.search;
    keepLinks();
    for (const { keys, fn } of [...watchers]) {
        if (keys.some((key) => changed.has(key) || valueIn(before, key) !== valueIn(known, key))) {
            fn();
        }
    }
    changed.clear();
}

/** @type {Set<string>} keys whose value is not in the address */
const changed = new Set();

export const state = {
    /**
     * @param {string} key
     * @param {string} [fallback]
     * @returns {string}
     */
    get(key, fallback = '') {
        const value = unwritten.get(key) ?? valueIn(location.search, key);

        return value === '' ? fallback : value;
    },

    /**
     * @param {Record<string, string | null>} values null or '' removes
     * @param {{ push?: boolean }} [options] push adds a history entry: for another view, not for every click
     */
    set(values, { push = false } = {}) {
        /** @type {Record<string, string | null>} */
        const written = {};
        for (const [key, value] of Object.entries(values)) {
            if ((value ?? '') === state.get(key)) {
                continue;
            }
            const isLong = value !== null && encodeURIComponent(wellFormed(value)).length > LONGEST;
            if (isLong || unwritten.has(key)) {
                changed.add(key);
            }
            if (isLong && value !== null) {
                unwritten.set(key, value);
            } else {
                unwritten.delete(key);
            }
            written[key] = isLong ? null : value;
            if (key === 'sel') {
                written.sel_hash = null;
            }
        }
        if (Object.keys(written).length === 0) {
            return;
        }
        const query = replaced(location.search, written);
        const address = location.pathname + (query === '' ? '' : `?${query}`) + location.hash;
        if (push) {
            history.pushState(null, '', address);
        } else {
            history.replaceState(null, '', address);
        }
        notifyWatchers();
    },

    /**
     * @param {string[]} keys
     * @param {() => void} fn called after any of them has changed
     * @returns {() => void} ends it
     */
    watch(keys, fn) {
        const watcher = { keys, fn };
        watchers.push(watcher);

        return () => {
            watchers.splice(watchers.indexOf(watcher), 1);
        };
    },

    /**
     * The metric of all views: `metric`, else what the table is sorted by, else wall time, else the first there is.
     *
     * @param {string[]} available keys of metrics
     * @returns {string}
     */
    metric(available) {
        const sort = state.get('sort').replace(/^(?:excl|per)_/, '');
        const wanted = [state.get('metric'), sort === 'ct' || sort === 'fn' ? '' : sort, 'wt'];

        return wanted.find((key) => available.includes(key)) ?? available[0] ?? '';
    },
};

if (typeof window !== 'undefined') {
    window.addEventListener('popstate', () => {
        for (const key of unwritten.keys()) {
            changed.add(key);
        }
        unwritten.clear();
        notifyWatchers();
    });
}

/**
 * @param {'index' | 'api'} page
 * @returns {string} its address without parameters, as Web\Http\Url has it: below a path of another program's site it names no file
 */
export function pageAddress(page) {
    const isFile = globalThis.document?.documentElement.dataset.withoutFiles === undefined;

    return isFile ? `${page}.php` : `./${page}`;
}
