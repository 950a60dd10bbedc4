/** Builds elements. Text is text: nothing here parses HTML. */
import { endOf, pieces, scopeOf, visible } from './names.js';

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null>} [attributes] true is a bare attribute, false and null leave it out
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value !== null && value !== false) {
            element.setAttribute(name, value === true ? '' : String(value));
        }
    }
    element.append(...children.filter((child) => child !== null));

    return element;
}

/**
 * @param {(event: MouseEvent) => void} act by a click
 * @param {Parameters<typeof h>[1]} attributes
 * @param {...(Node | string | null)} children
 * @returns {HTMLButtonElement}
 */
export function buttonFor(act, attributes, ...children) {
    const button = h('button', { type: 'button', ...attributes }, ...children);
    button.addEventListener('click', act);

    return button;
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) {
        element.setAttribute(name, String(value));
    }
    element.append(...children);

    return element;
}

/**
 * The name of a function as the PHP pages show it: namespace paler, lines may break after "\", "::" and "/".
 *
 * @param {string} name
 * @param {{ limit?: number, short?: boolean, breaks?: boolean }} [options] short leaves a namespace out (not "load::": a file has more
 *     than one code), breaks: false keeps it in one line, of which the style sheet cuts the middle: see endOf()
 * @returns {HTMLSpanElement}
 */
export function nameElement(name, { limit = 240, short = false, breaks = true } = {}) {
    const span = h('span', { class: 'fn' });
    const shown = short && scopeOf(name).endsWith('\\') ? name.slice(scopeOf(name).length) : name;
    const end = breaks || shown.length > limit ? 0 : endOf(shown);
    if (end > 0) {
        span.classList.add('fn-split');
        span.append(nameElement(shown.slice(0, end), { limit, breaks }), h('span', { class: 'fn-end' }, visible(shown.slice(end))));

        return span;
    }
    for (const piece of pieces(shown, limit)) {
        const target = piece.kind === '' ? span : h('span', { class: `fn-${piece.kind}` });
        if (breaks && span.childNodes.length > 0) {
            span.append(h('wbr'));
        }
        const parts = breaks ? piece.text.split(/(?<=\\|::|\/)(?=.)/s) : [piece.text];
        parts.forEach((part, index) => target.append(...(index > 0 ? [h('wbr'), part] : [part])));
        if (target !== span) {
            span.append(target);
        }
    }

    return span;
}

/**
 * Makes the place of a function's code, below its name: as `place` of templates/parts.html.twig.
 *
 * @param {Place} place
 * @param {Record<string, string | number>} [attributes] of the link
 * @returns {HTMLSpanElement}
 *
 * @typedef {{ text: string, title: string, url: string | null }} Place an empty text is a function without one
 */
export function placeElement(place, attributes = {}) {
    const text = visible(place.text, 120);

    return h('span', { class: 'place' }, place.url === null
        ? h('span', { title: visible(place.title, 1000) }, text)
        : h('a', { href: place.url, title: `${visible(place.title, 1000)}, in the editor`, ...attributes }, text));
}

/** @param {MouseEvent} event @returns {boolean} whether a click on a link opens it here, not in another tab or window */
export const isPlain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;

/**
 * Follows links here, which then do something else than what they lead to.
 *
 * @param {Node} root whose links, those that come later too
 * @param {string} selector
 * @param {(link: HTMLAnchorElement) => void} act
 */
export function onLink(root, selector, act) {
    root.addEventListener('click', (event) => {
        const link = event.target instanceof Element ? event.target.closest(selector) : null;
        if (link instanceof HTMLAnchorElement && isPlain(/** @type {MouseEvent} */ (event)) && !event.defaultPrevented) {
            event.preventDefault();
            act(link);
        }
    });
}

/**
 * @param {HTMLDialogElement} dialog is shown, and is gone when it is closed
 * @param {Document} [page]
 */
export function showDialog(dialog, page = document) {
    dialog.addEventListener('close', () => dialog.remove());
    page.body.append(dialog);
    dialog.showModal();
}

/** Shares (of 1) from which a bar takes the next deeper colour: as XHProf\Web\Table\Cells. */
const HEAT_STEPS = [0.01, 0.05, 0.15, 0.35, 0.6];

/**
 * @param {number} share of 1
 * @returns {number} 0 to 5
 */
export function heat(share) {
    return HEAT_STEPS.filter((step) => share >= step).length;
}

/**
 * The bar behind a figure.
 *
 * @param {number} share 0 to 1
 * @param {string} family "time" or "memory"
 * @returns {SVGElement}
 */
export function bar(share, family) {
    const width = Math.round(Math.min(1, Math.max(0, share)) * 1e4) / 100;
    const attributes = { class: `share ${family} heat-${heat(share)}`, viewBox: '0 0 100 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' };

    return svg('svg', attributes, svg('rect', { width, height: 1 }));
}
