/** Items of a call path's menu, in any view of call paths. */
import { copy } from '../core/copy.js';
import { visible } from '../core/names.js';
import { markOfPath } from '../core/path-mark.js';
import { replaced } from '../core/state.js';

/** @typedef {import('../core/menu.js').Item} Item */

/**
 * Makes the items that copy.
 *
 * @param {string} name of the function
 * @param {string[]} stack names from the outermost function to the innermost
 * @param {boolean} hasMark whether the address of the view names paths, and the stack is one
 * @returns {Item[]}
 */
export function copyItems(name, stack, hasMark) {
    const link = replaced(location.search, {
        sel: name, sel_hash: null, ...(hasMark ? { root: stack.length > 1 ? markOfPath(stack) : null, zoom: null } : {}),
    });

    return [
        { label: 'Copy name', act: () => void copy(name, 'Name') },
        // A line per name, the function first, as in a stack trace.
        { label: 'Copy stack', act: () => void copy([...stack].reverse().map((one) => visible(one)).join('\n'), 'Stack') },
        { label: 'Copy link', act: () => void copy(`${location.href.replace(/[?#].*$/s, '')}?${link}`, 'Link') },
    ];
}

/**
 * Makes links to other views of the same function, with the parameters of this page.
 *
 * @param {string} name
 * @param {string} current view
 * @param {string[]} path names from main() to it; [] where it is no path
 * @returns {Item[]}
 */
export function viewItems(name, current, path) {
    const own = { sel: name, sel_hash: null, zoom: null, table: null, q: null, by: null, only: null, hide: null, fold: null };
    const root = path.length > 1 ? markOfPath(path) : null;
    const url = (/** @type {Record<string, string | null>} */ values) => `?${replaced(location.search, { ...own, root: null, ...values })}`;
    const isHere = (/** @type {string} */ view) => current === view;

    return [
        ...(isHere('flame') ? [] : [{ label: 'In the flame graph', url: url({ view: 'flame', root }) }]),
        ...(isHere('calltree') ? [] : [{ label: 'In the call tree', url: url({ view: 'calltree', tree: null, root }) }]),
        { label: 'Callers, bottom-up', url: url({ view: 'calltree', tree: 'up' }) },
        { label: 'All callers and callees (sandwich)', url: url({ view: 'sandwich', tree: null }) },
    ];
}
