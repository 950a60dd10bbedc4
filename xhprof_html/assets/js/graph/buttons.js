/** Buttons over the picture, and the keys of the call graph. */
import { buttonFor, h } from '../core/dom.js';
import { describeKey, onKey } from '../core/keys.js';
import { state } from '../core/state.js';
import { focus, focusOn } from './settings.js';

const GROUP = 'Call graph';

/** @param {import('./view.js').GraphView} view */
export function buttons(view) {
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ fn) => buttonFor(fn, { class: 'icon', title: label, 'aria-label': label }, text);
    const zoom = (/** @type {number} */ factor) => () => view.viewport.zoom(factor);
    const fit = () => view.viewport.fit();
    onKey('+', 'Zoom in', zoom(1.25), GROUP);
    onKey('=', 'Zoom in', zoom(1.25), GROUP);
    onKey('-', 'Zoom out', zoom(0.8), GROUP);
    onKey('0', 'Show all', fit, GROUP);
    onKey('Home', 'Back to the start', () => view.showStart(), GROUP);
    onKey('o', 'Focus on the selected function; again: show all', () => focusOn(focus() === '' ? state.get('sel') : ''), GROUP);
    describeKey('ArrowUp / ArrowDown / ArrowLeft / ArrowRight', 'Along the calls, or to the next function', GROUP);
    describeKey('Enter', 'Open the page of the function', GROUP);

    return h(
        'div',
        { class: 'graph-buttons' },
        button('+', 'Zoom in (+)', zoom(1.25)),
        button('−', 'Zoom out (-)', zoom(0.8)),
        button('⤢', 'Show all (0)', fit),
        button('⌂', 'Back to the start (Home)', () => view.showStart()),
    );
}
