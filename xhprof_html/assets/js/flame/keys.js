/** The keys of a picture that has the focus. */
import { describeKey } from '../core/keys.js';
import { frameBeside, widestCallee } from './layout.js';

/** @typedef {import('./view.js').FlameView} FlameView */

const GROUP = 'Frames (when the picture has the focus)';

const KEYS = [
    ['ArrowUp / ArrowDown', 'To the caller, to the widest callee'],
    ['ArrowLeft / ArrowRight', 'To the next frame of the level; with Shift: pan'],
    ['Enter', 'Select and zoom in'],
    [' ', 'Select'],
    ['Backspace / Escape', 'Zoom out'],
    ['+ / -', 'Zoom in, zoom out'],
    ['0', 'Show all'],
    ['Shift+F10', 'Menu of the frame, also by the right button'],
    ['Ctrl+C', 'Copy the name'],
];

/** Several pictures of a page have the same keys. */
let described = false;

/** @param {FlameView} view */
export function keys(view) {
    view.canvas.addEventListener('keydown', (event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === 'c' && view.layout !== null && getSelection()?.isCollapsed !== false) {
            view.options.copy?.(view.focused);
            return;
        }
        if (event.ctrlKey || event.metaKey || event.altKey || view.layout === null) {
            return;
        }
        const { layout, focused: node } = view;
        const inwards = view.up ? 'ArrowUp' : 'ArrowDown';
        const size = view.to - view.from;
        switch (event.key) {
            case 'ArrowUp':
            case 'ArrowDown':
                view.focusOn(event.key === inwards ? widestCallee(layout, node) : layout.parent[node]);
                break;
            case 'ArrowLeft':
            case 'ArrowRight':
                if (event.shiftKey) {
                    const by = size * (event.key === 'ArrowLeft' ? -0.2 : 0.2);
                    view.range(view.from + by, view.to + by);
                    view.settle();
                } else {
                    view.focusOn(frameBeside(layout, node, event.key === 'ArrowLeft' ? -1 : 1));
                }
                break;
            case 'Enter':
                view.choose(node);
                break;
            case ' ':
                (view.options.pick ?? view.options.select)?.(layout.fn[node]);
                break;
            case 'Backspace':
            case 'Escape':
                view.zoomOut();
                break;
            case '0':
                view.zoom(0);
                break;
            case 'ContextMenu':
            case 'F10':
                if (view.options.menu === undefined || (event.key === 'F10' && !event.shiftKey)) {
                    return;
                }
                view.openMenu(node);
                break;
            case '+':
            case '=':
            case '-':
                view.scale(event.key === '-' ? 1.5 : 1 / 1.5, Math.min(1, Math.max(0, (layout.x[node] + layout.width[node] / 2 - view.from) / size)));
                view.settle();
                break;
            default:
                return;
        }
        event.preventDefault();
    });
    if (!described) {
        described = true;
        KEYS.forEach(([key, what]) => describeKey(key, what, GROUP));
    }
}
