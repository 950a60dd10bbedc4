/** Copies text, and confirms it in a few words. */
import { h } from './dom.js';

/** How long the words stay, in ms. */
const SHOWN = 2500;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * @param {string} text
 * @param {string} what it is, for the reader: "Name"
 * @returns {Promise<void>}
 */
export async function copy(text, what) {
    let isCopied = true;
    try {
        // Browsers have it for pages of this machine or with HTTPS only.
        await navigator.clipboard.writeText(text);
    } catch {
        isCopied = copyByField(text);
    }
    confirm(isCopied ? `${what} copied` : 'This browser does not let pages copy');
}

/**
 * @param {string} text
 * @returns {boolean}
 */
function copyByField(text) {
    const before = document.activeElement;
    const field = h('textarea', { class: 'sr', readonly: true, 'aria-hidden': 'true', tabindex: -1 });
    field.value = text;
    document.body.append(field);
    field.select();
    let isCopied = false;
    try {
        isCopied = document.execCommand('copy');
    } finally {
        field.remove();
        if (before instanceof HTMLElement) {
            before.focus({ preventScroll: true });
        }
    }

    return isCopied;
}

/** @param {string} words */
function confirm(words) {
    clearTimeout(timer);
    let note = document.querySelector('.toast');
    if (note === null) {
        note = h('p', { class: 'toast', role: 'status' });
        document.body.append(note);
    }
    // A live region must be in the page before its text.
    note.textContent = '';
    const shown = note;
    requestAnimationFrame(() => {
        shown.textContent = words;
    });
    timer = setTimeout(() => shown.remove(), SHOWN);
}
