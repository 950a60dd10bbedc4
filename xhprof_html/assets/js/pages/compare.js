/** The page of a comparison: all its rows at once, in place of the first hundred that PHP has sent. */
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
        takeOver();
    }, () => element.classList.add('not-live')); // The table that PHP has sent stays, and its form asks the server.
}

/** From now on what is typed and ticked is looked up here: the form no longer asks the server. */
function takeOver() {
    const bar = document.querySelector('.toolbar');
    const form = bar?.querySelector('form');
    if (!(bar instanceof HTMLElement) || !(form instanceof HTMLFormElement)) {
        return;
    }
    for (const type of ['input', 'change', 'submit']) {
        bar.addEventListener(type, (event) => {
            event.stopPropagation();
            if (type === 'submit') {
                event.preventDefault();
            }
            const fields = new FormData(form);
            /** @param {string} name */
            const value = (name) => String(fields.get(name) ?? '') || null;
            state.set({ q: value('q'), changed: value('changed'), noise: value('noise') });
        }, true);
    }
}
