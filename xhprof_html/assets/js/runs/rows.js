/** The list of runs by keyboard: arrows go from run to run, x picks, n edits the label. Enter opens, as with any link. */
import { onKey } from '../core/keys.js';

const GROUP = 'Runs';

/** @param {Document} page */
export function rowKeys(page) {
    onKey('ArrowDown', 'Next run', () => move(page, 1), GROUP);
    onKey('ArrowUp', 'Previous run', () => move(page, -1), GROUP);
    onKey('Enter', 'Open the run', () => false, GROUP);
    const click = (/** @type {string} */ selector) => () => {
        const target = currentRow(page)?.querySelector(selector);
        if (!(target instanceof HTMLElement)) {
            return false;
        }
        target.click();

        return true;
    };
    onKey('x', 'Pick the run', click('input[type=checkbox]'), GROUP);
    onKey('n', 'Pin, tags and note', click('a[data-label]'), GROUP);
}

/**
 * Enter in the field of the tag tags; in a box it does nothing. The browser would press the form's first button.
 *
 * @param {Document} page
 */
export function enterTags(page) {
    page.addEventListener('keydown', (event) => {
        const field = event.target;
        if (event.key !== 'Enter' || !(field instanceof HTMLInputElement) || field.closest('form[data-picker]') === null) {
            return;
        }
        event.preventDefault();
        const button = field.form?.querySelector('button[name=do][value=tag]');
        if (field.name === 'tag' && button instanceof HTMLButtonElement) {
            button.click();
        }
    });
}

/**
 * @param {Document} page
 * @returns {Element | null} row that has the focus
 */
function currentRow(page) {
    return page.activeElement?.closest('table.runs tbody tr') ?? null;
}

/**
 * @param {Document} page
 * @param {number} step
 * @returns {boolean} false leaves the key to the browser
 */
function move(page, step) {
    const links = [...page.querySelectorAll('table.runs tbody tr')].map(linkOf);
    const row = currentRow(page);
    if (links.length === 0 || (row === null && page.activeElement !== page.body && page.activeElement !== null)) {
        return false;
    }
    const at = row === null ? (step > 0 ? -1 : links.length) : links.indexOf(linkOf(row));
    const next = links[Math.min(links.length - 1, Math.max(0, at + step))];
    next?.focus();
    next?.closest('tr')?.scrollIntoView({ block: 'nearest' });

    return true;
}

/**
 * @param {Element} row
 * @returns {HTMLElement | null} what gets the focus: the run's link, or the box of a run that cannot be opened
 */
function linkOf(row) {
    const target = row.querySelector('th a[href]:not(.tag)') ?? row.querySelector('input[type=checkbox]');

    return target instanceof HTMLElement ? target : null;
}
