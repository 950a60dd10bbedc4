/** The call graph page: the picture, the function selected beside it, the form above it, the table of calls below it. */
import { inspector } from '../core/inspector.js';
import { state } from '../core/state.js';
import { comparisonPanel } from '../graph/compare-panel.js';
import { downloads } from '../graph/download.js';
import { config, controls, focus, focusOn } from '../graph/settings.js';
import { fillTable } from '../graph/table.js';
import { GraphView } from '../graph/view.js';

/** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-view=graph]')).forEach(start);

/** @param {HTMLElement} element */
function start(element) {
    const panel = element.querySelector('.inspector');
    const form = document.querySelector('form[data-graph-form]');
    const isComparison = element.dataset.comparison !== undefined;
    const live = form instanceof HTMLFormElement ? controls(form, isComparison) : undefined;
    const view = new GraphView(element, {
        onChoice: (drawn) => {
            if (drawn.choice !== undefined) {
                live?.show(drawn.choice);
            }
            fillTable(document, drawn);
        },
        onSelect: (drawn) => {
            if (isComparison && panel instanceof HTMLElement) {
                comparisonPanel(panel, drawn);
            }
        },
    });
    if (panel instanceof HTMLElement && !isComparison) {
        const inspect = () => inspector(panel, (name, signal) => view.data.symbol(name, config(), signal));
        let shown = inspect();
        // The panel caches a function's figures from its first request.
        state.watch(['metric', 'sort', 'levels', 'internals'], () => {
            shown.destroy();
            shown = inspect();
        });
    }
    const button = element.querySelector('[data-graph-focus]');
    const show = () => button?.toggleAttribute('hidden', state.get('sel') === '' || state.get('sel') === focus());
    button?.addEventListener('click', () => focusOn(state.get('sel')));
    state.watch(['sel', 'focus', 'func'], show);
    show();
    downloads(document, view);
}
