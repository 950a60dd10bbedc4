/** The call path to the zoomed frame, as a list of buttons. */
import { buttonFor, h, nameElement } from '../core/dom.js';
import { visible } from '../core/names.js';
import { pathTo } from '../profile/tree.js';

/** Frames that are shown at each end of a long path. */
const SHOWN = [1, 4];

/**
 * Shows the path. The frames in the middle of a long path are replaced by their number.
 *
 * @param {HTMLElement} element an ol
 * @param {string[]} names
 * @param {import('../flame/layout.js').FrameLayout} layout
 * @param {number} root the zoomed frame
 * @param {(node: number) => void} zoom
 */
export function framePath(element, names, layout, root, zoom) {
    const path = pathTo(layout.parent, root);
    const left = path.length - SHOWN[0] - SHOWN[1];
    element.replaceChildren(...path.flatMap((node, index) => {
        const name = visible(names[layout.fn[node]], 200);
        if (left > 1 && index >= SHOWN[0] && index < SHOWN[0] + left) {
            return index === SHOWN[0] ? [h('li', {}, `${left} more`)] : [];
        }
        const short = nameElement(names[layout.fn[node]], { limit: 80, short: true });
        if (node === root) {
            return [h('li', { 'aria-current': 'location', title: name }, short)];
        }

        return [h('li', {}, buttonFor(() => zoom(node), { class: 'plain', title: name }, short))];
    }));
}
