/** Keyboard shortcuts: one list of them all, which "?" shows. A field keeps the keys typed into it. */
import { buttonFor, h, showDialog } from './dom.js';

/**
 * @typedef {object} Shortcut
 * @property {string} key as KeyboardEvent.key has it: "f", "?", "Escape"
 * @property {string} label what it does
 * @property {(event: KeyboardEvent) => void | boolean} fn false leaves the key to the browser
 * @property {string} group heading in the list
 */

/** @type {Shortcut[]} */
const shortcuts = [];

const WORDS = /** @type {Record<string, string>} */ ({
    Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Enter: 'Enter', ' ': 'Space',
});

/**
 * @param {string} key
 * @param {string} label
 * @param {(event: KeyboardEvent) => void | boolean} fn
 * @param {string} [group]
 */
export function onKey(key, label, fn, group = 'Everywhere') {
    shortcuts.push({ key, label, fn, group });
}

/**
 * Lists a key that an element handles itself.
 *
 * @param {string} key
 * @param {string} label
 * @param {string} group
 */
export function describeKey(key, label, group) {
    onKey(key, label, () => false, group);
}

/**
 * @param {EventTarget | null} target
 * @returns {boolean} whether it takes typed keys itself
 */
function isField(target) {
    return target instanceof HTMLSelectElement
        || target instanceof HTMLTextAreaElement
        || (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type))
        || (target instanceof HTMLElement && target.isContentEditable);
}

/**
 * Starts listening. The key of an element with data-key focuses it if it is a field, and clicks it otherwise; data-key-label, or
 * its text, describes the key.
 *
 * @param {Document} page
 */
export function listen(page) {
    page.addEventListener('keydown', (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) {
            return;
        }
        if (page.querySelector('dialog[open]') !== null) {
            return;
        }
        // The newest first: a view's own key goes before a general one.
        for (const shortcut of [...shortcuts].reverse()) {
            if (shortcut.key === event.key && shortcut.fn(event) !== false) {
                event.preventDefault();
                return;
            }
        }
        if (marked(page, event.key)) {
            event.preventDefault();
        }
    });
    onKey('?', 'This list', () => help(page));
}

/**
 * @param {Document} page
 * @param {string} key
 * @returns {boolean} whether an element has it
 */
function marked(page, key) {
    const element = /** @type {HTMLElement | null} */ (page.querySelector(`[data-key="${CSS.escape(key)}"]`));
    if (!isField(element)) {
        element?.click();
    } else {
        element?.focus();
        if (element instanceof HTMLInputElement) {
            element.select();
        }
    }

    return element !== null;
}

/** @returns {HTMLButtonElement} that shows all shortcuts of this page */
export function helpButton() {
    return buttonFor(() => help(document), { class: 'icon', title: 'Keyboard shortcuts (?)', 'aria-label': 'Keyboard shortcuts' }, '?');
}

/**
 * Shows all shortcuts of this page.
 *
 * @param {Document} page
 */
function help(page) {
    const lines = shortcuts.map(({ key, label, group }) => ({ key, label, group }));
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll('[data-key]'))) {
        const { key = '', keyLabel, keyGroup: group = 'Everywhere' } = element.dataset;
        const label = keyLabel ?? element.getAttribute('aria-label') ?? element.getAttribute('placeholder') ?? element.textContent?.trim() ?? '';
        lines.push({ key, label, group });
    }
    const groups = [...new Set(lines.map((line) => line.group))];
    const dialog = h(
        'dialog',
        { class: 'help', 'aria-labelledby': 'help-title' },
        h('h2', { id: 'help-title' }, 'Keyboard'),
        ...groups.map((group) => h(
            'section',
            {},
            h('h3', {}, group),
            h('dl', {}, ...lines.filter((line) => line.group === group).map((line) => h(
                'div',
                {},
                h('dt', {}, ...line.key.split(' / ').flatMap((key, index) => [index > 0 ? ' ' : '', h('kbd', {}, WORDS[key] ?? key)])),
                h('dd', {}, line.label),
            ))),
        )),
        h('form', { method: 'dialog' }, h('button', {}, 'Close')),
    );
    dialog.addEventListener('click', (event) => {
        if (event.target === dialog) {
            dialog.close();
        }
    });
    showDialog(dialog, page);
}
