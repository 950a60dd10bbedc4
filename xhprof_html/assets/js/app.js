/**
 * Features of all pages: keyboard shortcuts, the field that finds functions, the choice of the theme, filters that work while one
 * types. The pages are complete without it.
 */
import { finders } from './core/find.js';
import { help, listen, onKey } from './core/keys.js';
import { buttonFor } from './core/dom.js';
import { neighbourKeys } from './core/neighbours.js';
import { keepLinks, state } from './core/state.js';
import { themeButton } from './core/theme.js';
import { lazySections } from './core/lazy.js';
import { liveFilters } from './live-filter.js';

listen(document);
onKey('Escape', 'Leave the field, close, clear the selection', () => {
    const isSelected = state.get('sel') !== '';
    state.set({ sel: null });

    return isSelected;
});
const tools = document.querySelector('[data-tools]');
if (tools !== null) {
    const button = buttonFor(() => help(document), { class: 'icon', title: 'Keyboard shortcuts (?)', 'aria-label': 'Keyboard shortcuts' }, '?');
    tools.append(themeButton(), button);
}
keepLinks();
finders(document);
neighbourKeys(document);
lazySections(document);
liveFilters(document);
// The page has announced this: see heap_wait.html.twig.
/** @type {HTMLFormElement | null} */ (document.querySelector('form[data-send]'))?.requestSubmit();
