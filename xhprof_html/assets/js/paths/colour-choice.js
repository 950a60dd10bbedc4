/** The choice of what the colours of frames mean, kept in the address. */
import { buttonFor, h } from '../core/dom.js';
import { onKey } from '../core/keys.js';
import { state } from '../core/state.js';
import { byCategory, byCost, byPackage, byPart, packageOf } from '../flame/colours.js';
import { categoriesText, categorize, editCategories, parse } from './categories.js';
import { list } from './controls.js';

/** @typedef {'where' | 'space' | 'cost' | 'mine'} Meaning */

/** @type {Meaning[]} */
const MEANINGS = ['space', 'cost', 'where', 'mine'];

export class ColourChoice {
    /** @type {string[]} */
    #names = [];
    /** Whether functions have packages, so that these are what colours mean unless the reader chooses. */
    #hasPackages = false;
    /** @type {{text: string, names: string[], found: Uint8Array} | null} */
    #categories = null;

    /**
     * @param {() => void} recolour is called when other colours are to be shown
     * @param {string} group of its key
     * @param {boolean} [hasWhere] whether the run says where its time was
     */
    constructor(recolour, group, hasWhere = false) {
        this.recolour = recolour;
        this.list = list('Colour', (value) => state.set({ colour: value }));
        const where = /** @type {[string, string][]} */ (hasWhere ? [['where', 'by where the time was']] : []);
        this.list.fill([['space', 'by package'], ['cost', 'by cost'], ...where, ['mine', 'by category']]);
        this.meanings = MEANINGS.filter((meaning) => hasWhere || meaning !== 'where');
        this.edit = buttonFor(editCategories, { hidden: true }, 'Categories…');
        this.element = h('span', { class: 'colour-choice' }, this.list.element, this.edit);
        onKey('c', 'Next meaning of colours', () => {
            state.set({ colour: this.meanings[(this.meanings.indexOf(this.meaning()) + 1) % this.meanings.length] });
        }, group);
        state.watch(['colour', 'categories'], recolour);
    }

    /** @returns {Meaning} */
    meaning() {
        return this.meanings.find((meaning) => meaning === state.get('colour')) ?? (this.#hasPackages ? 'space' : 'cost');
    }

    isWhere() {
        return this.meaning() === 'where';
    }

    /** @param {import('../flame/layout.js').FrameLayout} layout whether it lacks what the colours mean now, and is to be made again */
    lacks(layout) {
        return this.isWhere() && layout.where === undefined;
    }

    /**
     * @param {import('../flame/layout.js').FrameLayout} layout
     * @param {string[]} names
     * @param {import('../profile/tree.js').Metric} metric
     * @param {{inherits?: boolean}} [options] of byPackage()
     * @returns {import('../flame/colours.js').Colouring}
     */
    of(layout, names, metric, options = {}) {
        if (this.#names !== names) {
            this.#names = names;
            this.#hasPackages = names.some((name) => packageOf(name) !== '');
        }
        const meaning = this.meaning();
        this.list.show(meaning);
        this.edit.hidden = meaning !== 'mine';
        if (meaning === 'mine') {
            const { categories } = parse(categoriesText());

            return byCategory(layout, categories.map(({ label }) => label), this.#found(names, categories));
        }

        if (meaning === 'where' && layout.where !== undefined) {
            return byPart(layout, layout.where);
        }

        return meaning === 'space' ? byPackage(layout, names, options) : byCost(layout, metric);
    }

    /**
     * @param {string[]} names
     * @param {import('./categories.js').Category[]} categories
     * @returns {Uint8Array} per name its category; all have none until they are known
     */
    #found(names, categories) {
        const text = categoriesText();
        if (this.#categories?.text !== text || this.#categories.names !== names) {
            /** @type {{text: string, names: string[], found: Uint8Array}} */
            const asked = { text, names, found: new Uint8Array(names.length) };
            this.#categories = asked;
            void categorize(names, categories).then((found) => {
                asked.found = found;
                if (this.#categories === asked) {
                    this.recolour();
                }
            });
        }

        return this.#categories.found;
    }
}
