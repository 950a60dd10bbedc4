/** The page of a comparison: all its rows at once, in place of the first hundred that the server has sent. */
import { loadJson } from '../core/api.js';
import { describeKey } from '../core/keys.js';
import { state } from '../core/state.js';
import { DiffView } from '../compare/diff-view.js';

const element = document.querySelector('[data-view="diff"]');
if (element instanceof HTMLElement) {
    describeKey('↑ / ↓', 'Select a function', 'Table');
    describeKey('Enter', "Open the selected function's page", 'Table');
    loadJson(element.dataset.diff ?? '').then((data) => {
        new DiffView(element, data);
        const form = document.querySelector('form[data-diff-form]');
        if (form instanceof HTMLFormElement) {
            // The search text and the ticked boxes go into the address, which the table follows.
            form.addEventListener('input', () => {
                const fields = new FormData(form);
                const value = (/** @type {string} */ name) => String(fields.get(name) ?? '') || null;
                state.set({ q: value('q'), changed: value('changed'), noise: value('noise') });
            });
        }
    }, () => element.classList.add('not-live')); // The table that the server has sent stays.
}
