/** Shows the figures of what is under the pointer, beside the pointer. */
import { h, nameElement } from './dom.js';

/**
 * @param {HTMLElement} host whose left and right edge it stays within
 * @param {string} [className]
 */
export function tooltip(host, className = 'flame-tip') {
    const element = h('div', { class: className, hidden: true, 'aria-hidden': 'true' });

    return {
        element,
        hide() {
            element.hidden = true;
        },
        /**
         * @param {string} name
         * @param {{title: string, lines: [string, string][]}} details
         */
        show(name, { title, lines }) {
            element.hidden = false;
            element.replaceChildren(
                h('p', {}, nameElement(name, { limit: 300 }), title === '' ? null : h('b', {}, ` ${title}`)),
                h('dl', {}, ...lines.map(([term, text]) => h('div', {}, h('dt', {}, term), h('dd', {}, text)))),
            );
        },
        /** @param {MouseEvent} event */
        moveTo(event) {
            const box = host.getBoundingClientRect();
            const { offsetWidth: width, offsetHeight: height } = element;
            const left = Math.min(event.clientX - box.left + 14, box.width - width - 4);
            const below = event.clientY + 18;
            // Where there is room neither below the pointer nor above it, its first lines show.
            const top = below + height < window.innerHeight ? below : Math.max(4, event.clientY - height - 10);
            element.style.left = `${Math.max(4, left)}px`;
            element.style.top = `${top - box.top}px`;
        },
    };
}
