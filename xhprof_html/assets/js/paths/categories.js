/** The reader's own categories of functions, a colour each: a line per category, "Database: PDO, mysqli, /^pg_/". */
import { buttonFor, h, showDialog } from '../core/dom.js';
import { state } from '../core/state.js';
import { HUES } from '../flame/colours.js';
import { Matching } from '../profile/matching.js';
import { patternIn } from '../profile/search.js';

/** Key under which this browser keeps them. */
const STORED = 'xhprof-categories';

/** Categories of someone who has made none. */
export const DEFAULT = [
    'Database: PDO, mysqli, /^(pg|sqlite|oci|odbc)_/, Doctrine\\DBAL\\, Illuminate\\Database\\',
    'Network: /^(curl|stream|socket|fsockopen)_?/, Redis, Memcached, GuzzleHttp\\, Symfony\\Component\\HttpClient\\',
    'Templates: Twig\\, Illuminate\\View\\, Smarty, Latte\\',
    'Files: /^(f(open|read|write|close|gets|puts)|file|file_\\w+|is_file|is_dir|scandir|glob|unlink)$/, SplFileObject',
    'Loading of code: load::, run_init::, Composer\\Autoload\\',
    'Text: /^(preg|mb|str|iconv|json|html)_?/, /^(sprintf|implode|explode|serialize|unserialize)$/',
].join('\n');

/** @typedef {{label: string, patterns: string[]}} Category */

/** @returns {string} those of the address, else of this browser, else the usual ones */
export function categoriesText() {
    let stored = '';
    try {
        stored = localStorage.getItem(STORED) ?? '';
    } catch {
        // This browser keeps nothing.
    }

    return state.get('categories', stored) || DEFAULT;
}

/** @param {string} text is kept; the address has it while it is short enough */
function keep(text) {
    const own = text.trim() === DEFAULT ? '' : text.trim();
    try {
        if (own === '') {
            localStorage.removeItem(STORED);
        } else {
            localStorage.setItem(STORED, own);
        }
    } catch {
        // The address still has them.
    }
    state.set({ categories: own, colour: 'mine' });
}

/**
 * @param {string} text
 * @returns {{categories: Category[], problem: string}} problem: what is wrong with the first line that is
 */
export function parse(text) {
    /** @type {Category[]} */
    const categories = [];
    for (const line of text.split('\n').map((one) => one.trim()).filter((one) => one !== '')) {
        const at = line.search(/:(?!:)\s/);
        const label = line.slice(0, Math.max(0, at)).trim();
        const patterns = at < 0 ? [] : patternsIn(line.slice(at + 1));
        if (label === '' || patterns.length === 0) {
            return { categories, problem: `“${line.slice(0, 60)}” is no “Label: name, /pattern/”` };
        }
        const bad = patterns.map((pattern) => patternIn(pattern)?.problem ?? '').find((problem) => problem !== '');
        if (bad !== undefined) {
            return { categories, problem: `${label}: ${bad}` };
        }
        categories.push({ label, patterns });
    }

    return categories.length <= HUES ? { categories, problem: '' } : { categories: categories.slice(0, HUES), problem: `There are colours for ${HUES} categories` };
}

/**
 * @param {string} text separated by commas, which a regular expression may contain
 * @returns {string[]}
 */
function patternsIn(text) {
    return [...text.matchAll(/\s*(\/(?:[^/\\]|\\.)+\/i?(?=\s*(?:,|$))|[^,]+)(?:,|$)/g)].map(([, pattern = '']) => pattern.trim()).filter((pattern) => pattern !== '');
}

/**
 * @param {string[]} names
 * @param {Category[]} categories
 * @returns {Promise<Uint8Array>} per name the place of the first category that has it, from 1; 0 for none
 */
export async function categorize(names, categories) {
    const found = new Uint8Array(names.length);
    const lower = names.map((name) => name.toLowerCase());
    for (const [index, { patterns }] of categories.entries()) {
        for (const pattern of patterns) {
            const matches = patternIn(pattern) === null ? null : (await new Matching(names).find(pattern)).matches;
            const part = pattern.toLowerCase();
            for (let name = 0; name < found.length; name++) {
                if (found[name] === 0 && (matches === null ? lower[name].includes(part) : matches[name] === 1)) {
                    found[name] = index + 1;
                }
            }
        }
    }

    return found;
}

/** Lets the reader change the categories. */
export function editCategories() {
    const field = h('textarea', { rows: 10, cols: 72, spellcheck: 'false', 'aria-describedby': 'categories-help', id: 'categories-text' });
    field.value = categoriesText();
    const problem = h('p', { class: 'warning', role: 'alert', hidden: true });
    const usual = buttonFor(() => {
        field.value = DEFAULT;
    }, {}, 'Usual ones');
    const cancel = buttonFor(() => dialog.close(), {}, 'Cancel');
    const form = h(
        'form',
        { method: 'dialog' },
        h('h2', {}, h('label', { for: 'categories-text' }, 'Categories')),
        h('p', { id: 'categories-help' }, `A line each, at most ${HUES}: “Label: part of a name, /regular expression/”. The first that matches a function gives it its colour. This browser keeps them; links have them too.`),
        field,
        problem,
        h('p', { class: 'buttons' }, h('button', {}, 'Save'), ' ', usual, ' ', cancel),
    );
    const dialog = h('dialog', { class: 'categories' }, form);
    form.addEventListener('submit', (event) => {
        const wrong = parse(field.value).problem;
        if (wrong !== '') {
            event.preventDefault();
            problem.textContent = `${wrong}.`;
            problem.hidden = false;
            return;
        }
        keep(field.value);
    });
    showDialog(dialog);
}
