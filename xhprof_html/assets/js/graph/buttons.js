/** Buttons over the picture, and the keys of the call graph. */
import { h } from '../core/dom.js';
import { describeKey, onKey } from '../core/keys.js';
import { state } from '../core/state.js';
import { focus, focusOn } from './settings.js';

const GROUP = 'Call graph';

/** @param {import('./view.js').GraphView} view */
export function buttons(view) {
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ fn) => {
        const element = h('button', { type: 'button', class: 'icon', title: label, 'aria-label': label }, text);
        element.addEventListener('click', fn);

        return element;
    };
    const zoom = (/** @type {number} */ factor) => () => view.viewport.zoom(factor);
    const fit = () => view.viewport.fit();
    onKey('+', 'Larger', zoom(1.25), GROUP);
    onKey('=', 'Larger', zoom(1.25), GROUP);
    onKey('-', 'Smaller', zoom(0.8), GROUP);
    onKey('0', 'All of it', fit, GROUP);
    onKey('Home', 'Back to the start', () => view.showStart(), GROUP);
    onKey('o', 'Only what is around the selected function; again: all', () => focusOn(focus() === '' ? state.get('sel') : ''), GROUP);
    describeKey('ArrowUp / ArrowDown / ArrowLeft / ArrowRight', 'Along the calls, or to the function beside', GROUP);
    describeKey('Enter', 'Open the page of the function', GROUP);

    return h(
        'div',
        { class: 'graph-buttons' },
        button('+', 'Larger (+)', zoom(1.25)),
        button('−', 'Smaller (-)', zoom(0.8)),
        button('⤢', 'All of it (0)', fit),
        button('⌂', 'Back to the start (Home)', () => view.showStart()),
    );
}
