/** The frame of a file that is sent: its views under tabs, its links, its answers in the server's place. */
import { answerLocally } from '../core/api.js';
import { buttonFor, h, onLink } from '../core/dom.js';
import { finders } from '../core/find.js';
import { helpButton, listen, onKey } from '../core/keys.js';
import { visible } from '../core/names.js';
import { state, valueIn } from '../core/state.js';
import { themeButton } from '../core/theme.js';

/** State of views that a link within the file brings. */
const BROUGHT = ['sel', 'root', 'tree', 'operation', 'lit', 'metric', 'x0', 'x1', 'at', 'by'];

/** boot.js has made it. @type {{ answer: (address: string) => Promise<any> | null }} */
const file = /** @type {any} */ (globalThis).xhprofFile;

/**
 * @param {string} address
 * @returns {Promise<any> | null} what the file has in the server's place
 */
export function answerOf(address) {
    return file.answer(address);
}

/** Makes links lead to another state of this page, not away from it. */
function keepLinksInPage() {
    onLink(document, 'a[href^="?"]', (link) => {
        const query = link.getAttribute('href')?.slice(1) ?? '';
        const more = Object.fromEntries(BROUGHT.map((key) => [key, valueIn(query, key)]).filter(([, value]) => value !== ''));
        const symbol = valueIn(query, 'symbol');
        const view = valueIn(query, 'view');
        if (symbol !== '') {
            // Views without a panel of the selected function leave it to the table of functions.
            const isShown = document.querySelector('[data-pane]:not([hidden]) :is(.island, [data-inspector], [data-view])') !== null;
            state.set({ sel: symbol, ...(isShown ? {} : { view: null }) }, { push: !isShown });
        } else if (view !== '') {
            state.set({ view: view === first() ? null : view, ...more }, { push: true });
        }
    });
}

/** @returns {string} the view of an address without one */
function first() {
    const pane = document.querySelector('[data-pane]');

    return pane instanceof HTMLElement ? pane.dataset.pane ?? '' : '';
}

/**
 * Shows one view at a time, by the tabs and the address.
 *
 * @param {(view: string) => void} opened
 */
function showPanes(opened) {
    const tabs = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-tab]'));
    const panes = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-pane]'));
    const show = () => {
        const known = [...panes].map((pane) => pane.dataset.pane ?? '');
        const view = known.includes(state.get('view')) ? state.get('view') : first();
        for (const tab of tabs) {
            if (tab.dataset.tab === view) {
                tab.setAttribute('aria-current', 'page');
            } else {
                tab.removeAttribute('aria-current');
            }
        }
        for (const pane of panes) {
            pane.hidden = pane.dataset.pane !== view;
        }
        opened(view);
    };
    for (const tab of tabs) {
        tab.dataset.keyGroup = 'Views';
    }
    state.watch(['view'], show);
    show();
}

/** Above each picture: which finding is lit there, as a server's page has it (lit.html.twig). */
function litNotes() {
    for (const island of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-lit]'))) {
        /** @type {{id: string, words: string}[]} */
        const all = JSON.parse(island.dataset.lit ?? '[]');
        const note = h('p', { class: 'note lit-note', role: 'note' });
        island.before(note);
        const show = () => {
            const found = all.find(({ id }) => id === state.get('lit'));
            note.hidden = state.get('lit') === '';
            note.replaceChildren(
                ...(found === undefined ? ['The finding that the address names is not one of this run.'] : [
                    h('span', { class: 'lit-key', 'aria-hidden': 'true' }), h('strong', {}, visible(found.words, 300)), ': its calls are lit.',
                ]),
                ' ',
                buttonFor(() => state.set({ lit: null }, { push: true }), { class: 'plain' }, 'Turn the light off'),
            );
        };
        state.watch(['lit'], show);
        show();
    }
}

/**
 * Starts the page: the file answers in the server's place, each view starts when it is first shown.
 *
 * @param {Record<string, () => Promise<unknown>>} views their modules; one without starts nothing
 * @param {(address: string) => any} [answers] to what the file has not as it is; null for nothing
 */
export function startFile(views, answers = () => null) {
    answerLocally((address) => answers(address) ?? answerOf(address)
        ?? Promise.reject(new Error('This file does not have it: the pages of a server do.')));
    const opened = valueIn(location.search, 'symbol');
    if (opened !== '') {
        state.set({ symbol: null, sel: opened });
    }
    listen(document);
    onKey('Escape', 'Close, or leave the field', () => false);
    document.querySelector('[data-tools]')?.append(themeButton(), helpButton());
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-live]'))) {
        element.hidden = false;
    }
    finders(document);
    keepLinksInPage();
    litNotes();
    showPanes((view) => void views[view]?.());
}
