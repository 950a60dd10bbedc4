/** The call graph page: the picture, the function selected beside it, the form above it, the table of calls below it. */
import { loadJson } from '../core/api.js';
import { inspector } from '../core/inspector.js';
import { state } from '../core/state.js';
import { comparisonPanel } from '../graph/compare-panel.js';
import { downloads } from '../graph/download.js';
import { controls, focus, focusOn } from '../graph/settings.js';
import { fillTable } from '../graph/table.js';
import { GraphView } from '../graph/view.js';

for (const element of document.querySelectorAll('[data-view=graph]')) {
    if (element instanceof HTMLElement) {
        start(element);
    }
}

/** @param {HTMLElement} element */
function start(element) {
    const panel = element.querySelector('.inspector');
    const form = document.querySelector('form[data-graph-form]');
    const { symbolUrl = '', edgesBefore = '' } = element.dataset;
    const isComparison = edgesBefore !== '';
    const live = form instanceof HTMLFormElement ? controls(form, isComparison) : undefined;
    const view = new GraphView(element, {
        onChoice: (drawn) => {
            live?.canHide(drawn.choice?.canHide ?? false);
            fillTable(document, drawn);
        },
        onSelect: (drawn) => {
            if (isComparison && panel instanceof HTMLElement) {
                comparisonPanel(panel, drawn);
            }
        },
    });
    if (panel instanceof HTMLElement && !isComparison) {
        inspector(panel, (name, signal) => loadJson(`${symbolUrl}&symbol=${encodeURIComponent(name)}`, { signal }));
    }
    const button = element.querySelector('[data-graph-focus]');
    const show = () => button?.toggleAttribute('hidden', state.get('sel') === '' || state.get('sel') === focus());
    button?.addEventListener('click', () => focusOn(state.get('sel')));
    state.watch(['sel', 'focus', 'func'], show);
    show();
    downloads(document, view);
}
