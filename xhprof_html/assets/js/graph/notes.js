/** Sentences above the picture: parts that it leaves out, and buttons that show them. */
import { buttonFor, h, nameElement } from '../core/dom.js';
import { state } from '../core/state.js';
import { focusOn } from './settings.js';

/** Most functions outside the picture that are offered. */
const OFFERED = 4;

export class Notes {
    #focus = h('p', { class: 'note', hidden: true });
    #missing = h('p', { class: 'note', hidden: true });
    #found = h('p', { class: 'note', role: 'status', hidden: true });
    #failed = h('p', { class: 'warning', role: 'alert', hidden: true });
    element = h('div', { class: 'graph-notes' }, this.#failed, this.#focus, this.#missing, this.#found);

    /** @param {...(Node | string)} words why there is no picture, or an older one */
    failed(...words) {
        show(this.#failed, ...words);
    }

    /**
     * @param {string} name '' for all
     * @param {boolean} found
     */
    focus(name, found) {
        this.#failed.hidden = true;
        const all = buttonFor(() => focusOn(''), {}, 'Show all');
        if (name === '') {
            this.#focus.hidden = true;
        } else if (found) {
            show(
                this.#focus,
                'Focus on ',
                h('strong', {}, nameElement(name, { limit: 120 })),
                ': its callers and callees. Functions that others call too count by the share of these calls. ',
                all,
            );
        } else {
            show(this.#focus, 'This run has no function ', h('strong', {}, nameElement(name, { limit: 120 })), ', or it is hidden: showing all. ', all);
        }
    }

    /** @param {string} name selected, and not drawn; '' for none */
    missing(name) {
        if (name === '') {
            this.#missing.hidden = true;
            return;
        }
        show(this.#missing, h('strong', {}, nameElement(name, { limit: 120 })), ' is selected, but too small to be drawn. ', focusButton(name, 'Focus on it'));
    }

    /**
     * @param {string} query '' for none
     * @param {number} drawn
     * @param {string[]} others that answer it and are not drawn
     */
    found(query, drawn, others) {
        if (query === '') {
            this.#found.hidden = true;
            return;
        }
        const words = drawn === 0 ? 'No function in the picture matches' : `${drawn} ${drawn === 1 ? 'function' : 'functions'} in the picture`;
        show(
            this.#found,
            words + (others.length === 0 ? '.' : `, ${others.length} more not drawn: `),
            ...others.slice(0, OFFERED).flatMap((name) => [focusButton(name), ' ']),
            ...(others.length > OFFERED ? ['…'] : []),
        );
    }
}

/**
 * @param {HTMLElement} element
 * @param {...(Node | string)} children
 */
function show(element, ...children) {
    element.replaceChildren(...children);
    element.hidden = false;
}

/**
 * @param {string} name
 * @param {string} [label]
 * @returns {HTMLElement} a button that draws a function's surroundings
 */
function focusButton(name, label) {
    return buttonFor(() => {
        focusOn(name);
        state.set({ sel: name });
    }, label === undefined ? { class: 'plain' } : {}, label ?? nameElement(name, { limit: 80, short: true }));
}
