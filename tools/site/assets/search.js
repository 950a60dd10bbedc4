/**
 * Finds sections of the documentation. Loaded as a script, not as a module: a page that is opened from a disk may load no modules.
 * Names of settings and functions are words as a whole, and so are their parts: "xhprof.max_nodes" finds its own section first,
 * "nodes" finds it too.
 */
'use strict';

/** @typedef {{ page: string, title: string, url: string, text: string }} Section */
/** @typedef {{ section: Section, words: string[] }} Found words: of the section's text, that were found */

(function () {
    const WHOLE = /[\p{L}\p{N}_$]+(?:(?:::|->|[.\\/-])[\p{L}\p{N}_]+)*/gu;
    const PART = /[\p{L}\p{N}]+/gu;
    /** Longer words may be mistyped. */
    const SURE = 4;
    const MOST = 20;

    /** @param {string} text @returns {string[]} */
    function words(text) {
        /** @type {string[]} */
        const all = [];
        for (const [whole] of text.matchAll(WHOLE)) {
            const parts = whole.match(PART) ?? [];
            all.push(...parts);
            if (parts.length > 1 || parts[0] !== whole) {
                all.push(whole);
            }
        }

        return all;
    }

    /**
     * @param {any} MiniSearch the class of the library
     * @param {[string, string, string, string][]} rows page, title, address and text of each section
     * @returns {(query: string) => Found[]} the best first
     */
    function createSearch(MiniSearch, rows) {
        const sections = rows.map(([page, title, url, text]) => ({ page, title, url, text }));
        const index = new MiniSearch({ fields: ['page', 'title', 'text'], tokenize: words });
        index.addAll(sections.map((section, id) => ({ id, ...section })));
        const options = {
            boost: { title: 6, page: 2 },
            prefix: (/** @type {string} */ term) => term.length > 1,
            fuzzy: (/** @type {string} */ term) => (term.length > SURE ? 0.2 : false),
            weights: { prefix: 0.3, fuzzy: 0.1 },
        };

        return (query) => {
            const asked = query.trim().toLowerCase().replace(/\(\)$/, '');
            if (asked === '') {
                return [];
            }
            /** A section whose title is what was asked comes first: that of a setting, a function, a page. @param {number} id */
            const boostDocument = (id) => {
                const title = (sections[id]?.title ?? '').toLowerCase().replace(/\(.*/, '');

                return title === asked ? 20 : title.startsWith(asked) ? 2 : 1;
            };
            const all = index.search(asked, { ...options, boostDocument, combineWith: 'AND' });
            const found = all.length > 0 ? all : index.search(asked, { ...options, boostDocument });

            return found.slice(0, MOST).map((/** @type {{ id: number, terms: string[] }} */ { id, terms }) => ({ section: sections[id], words: terms }));
        };
    }

    /**
     * The part of a text around what was asked, else around the longest of the words that is in it.
     *
     * @param {string} text
     * @param {string} query
     * @param {string[]} found words
     * @returns {{ text: string, isFound: boolean }[]} pieces
     */
    function excerpt(text, query, found) {
        const escaped = [query.trim(), ...found].filter((word) => word.length > 1).sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
        const pattern = escaped.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})`, 'giu');
        const lower = text.toLowerCase();
        const first = [query.trim(), ...found].sort((a, b) => b.length - a.length).map((word) => lower.indexOf(word.toLowerCase())).find((place) => place >= 0) ?? 0;
        const start = first < 60 ? 0 : text.indexOf(' ', first - 50) + 1;
        const part = text.slice(start, start + 180);
        const pieces = [{ text: start > 0 ? '… ' : '', isFound: false }];
        let end = 0;
        for (const match of pattern === null ? [] : part.matchAll(pattern)) {
            pieces.push({ text: part.slice(end, match.index), isFound: false }, { text: match[0], isFound: true });
            end = match.index + match[0].length;
        }
        pieces.push({ text: part.slice(end) + (start + 180 < text.length ? ' …' : ''), isFound: false });

        return pieces.filter((piece) => piece.text !== '');
    }

    /** @type {any} */ (globalThis).XHProfSearch = { createSearch, excerpt };
})();
