/** Changes that the user has made to a call tree: kept in the address, shown above the drawing, undone one by one. */
import { buttonFor, h, nameElement } from '../core/dom.js';
import { state } from '../core/state.js';

/** Parameters of the address that hold the changes. */
export const CHANGE_KEYS = ['only', 'hide', 'fold'];

/** @returns {import('../profile/transform.js').Changes} */
export function changesInAddress() {
    return {
        only: state.get('only'),
        hide: state.get('hide').split('\n').filter((name) => name !== ''),
        fold: state.get('fold') === '1',
    };
}

/**
 * Makes changes and resets the zoom. The browser's "back" restores the drawing as it was before.
 *
 * @param {Partial<import('../profile/transform.js').Changes>} changes
 */
export function change(changes) {
    const { only, hide, fold } = { ...changesInAddress(), ...changes };
    state.set({ only, hide: hide.join('\n'), fold: fold ? '1' : null, root: null, zoom: null }, { push: true });
}

/**
 * Makes the entries of a frame's menu that change the tree.
 *
 * @param {string} name of the frame's function
 * @param {boolean} isFirst whether it is the first frame, which stays
 * @returns {import('../core/menu.js').Item[]}
 */
export function changeItems(name, isFirst) {
    const { only, hide, fold } = changesInAddress();

    return [
        ...(only === name ? [] : [{ label: 'Only this function, all its calls merged', act: () => change({ only: name }) }]),
        ...(isFirst ? [] : [{ label: 'Hide this function', act: () => change({ hide: [...hide, name] }) }]),
        { label: fold ? 'Show recursion again' : 'Merge recursion', act: () => change({ fold: !fold }) },
    ];
}

/**
 * Shows the changes.
 *
 * @param {HTMLElement} element is filled with a button for each change, which undoes that change
 */
export function showChanges(element) {
    const { only, hide, fold } = changesInAddress();
    const chip = (/** @type {string} */ text, /** @type {string} */ name, /** @type {() => void} */ undo) => buttonFor(undo, { class: 'chip', title: 'Undo' }, text, name === '' ? '' : nameElement(name, { limit: 60, short: true }), h('span', { 'aria-hidden': 'true' }, ' ✕'));
    element.replaceChildren(
        ...(only === '' ? [] : [chip('Only ', only, () => change({ only: '' }))]),
        ...hide.map((name) => chip('Hidden: ', name, () => change({ hide: hide.filter((other) => other !== name) }))),
        ...(fold ? [chip('Recursion merged', '', () => change({ fold: false }))] : []),
    );
    element.hidden = element.childElementCount === 0;
}
