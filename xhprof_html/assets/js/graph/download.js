/** The picture as a file: SVG as it is drawn here, or DOT for Graphviz's own programs, which the server writes. */
import { h } from '../core/dom.js';
import { replaced, state } from '../core/state.js';
import { SETTING_KEYS, focus } from './settings.js';

/** Properties that the style sheet gives to the picture; a file has no style sheet. */
const STYLES = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size', 'font-weight', 'font-family', 'text-anchor', 'opacity', 'display'];

/**
 * Makes the button save the picture, and the link lead to the graph of the settings in the address.
 *
 * @param {Document} page
 * @param {import('./view.js').GraphView} view
 */
export function downloads(page, view) {
    const button = page.querySelector('button[data-graph-svg]');
    button?.toggleAttribute('hidden', !view.hasGraphviz);
    button?.addEventListener('click', () => {
        if (view.drawing !== undefined) {
            save(svgOf(view.drawing, view.svg), 'call-graph.svg', 'image/svg+xml');
        }
    });
    const link = page.querySelector('a[data-graph-dot]');
    const follow = () => {
        const [path = '', query = ''] = (link?.getAttribute('href') ?? '').split('?', 2);
        link?.setAttribute('href', `${path}?${replaced(query, {
            ...Object.fromEntries(SETTING_KEYS.map((key) => [key, state.get(key)])),
            // With the classic name of the focus it would be the classic graph: the direct callers and callees alone.
            focus: focus(), focus_hash: state.get('focus_hash', state.get('func_hash')), func: null, func_hash: null,
        })}`);
    };
    state.watch(SETTING_KEYS, follow);
    follow();
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string} type
 */
function save(text, name, type) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/**
 * Copies the drawing into a document of its own.
 *
 * @param {import('./draw.js').Drawing} drawing
 * @param {SVGElement} svg that it is in
 * @returns {string}
 */
function svgOf({ root, layout }, svg) {
    // The file contains the parts out of sight too.
    const hidden = [...root.querySelectorAll('[display=none]')];
    hidden.forEach((element) => element.removeAttribute('display'));
    const marks = ['far', 'dust', 'searching', 'lighting'].filter((name) => svg.classList.contains(name));
    svg.classList.remove(...marks);
    const copy = /** @type {SVGElement} */ (root.cloneNode(true));
    const from = [root, ...root.querySelectorAll('*')];
    const to = [copy, ...copy.querySelectorAll('*')];
    const margin = 20;
    from.forEach((element, at) => {
        const style = getComputedStyle(element);
        const target = to[at];
        for (const name of STYLES) {
            target?.setAttribute(name, style.getPropertyValue(name));
        }
    });
    svg.classList.add(...marks);
    hidden.forEach((element) => element.setAttribute('display', 'none'));
    for (const element of copy.querySelectorAll('.hit, .far')) {
        element.remove();
    }
    // Its links work on this site only.
    for (const link of copy.querySelectorAll('a')) {
        link.removeAttribute('href');
    }
    const box = `${-margin} ${-margin} ${Math.ceil(layout.width + 2 * margin)} ${Math.ceil(layout.height + 2 * margin)}`;
    const background = getComputedStyle(document.documentElement).backgroundColor;
    const text = new XMLSerializer().serializeToString(copy);

    return `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">`
        + `<rect x="${-margin}" y="${-margin}" width="100%" height="100%" fill="${background}"/>${text}</svg>\n`;
}
