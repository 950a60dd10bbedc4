/**
 * Features of all pages: keyboard shortcuts, the field that finds functions, the choice of the theme. The pages are complete without
 * it.
 */
import { finders } from './core/find.js';
import { helpButton, listen, onKey } from './core/keys.js';
import { neighbourKeys } from './core/neighbours.js';
import { keepLinks, state } from './core/state.js';
import { themeButton } from './core/theme.js';

listen(document);
onKey('Escape', 'Leave the field, close, clear the selection', () => {
    const isSelected = state.get('sel') !== '';
    state.set({ sel: null });

    return isSelected;
});
document.querySelector('[data-tools]')?.append(themeButton(), helpButton());
keepLinks();
finders(document);
neighbourKeys(document);
// The page has announced this: see heap_wait.html.twig.
/** @type {HTMLFormElement | null} */ (document.querySelector('form[data-send]'))?.requestSubmit();
