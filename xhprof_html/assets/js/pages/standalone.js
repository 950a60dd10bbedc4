/**
 * The page of the file that a run is exported to: its views without a server. The modules of the views are those of the pages;
 * the file itself answers their requests to api.php.
 */
import { answerLocally } from '../core/api.js';
import { onLink } from '../core/dom.js';
import { finders } from '../core/find.js';
import { inspector } from '../core/inspector.js';
import { helpButton, listen, onKey } from '../core/keys.js';
import { state, valueIn } from '../core/state.js';
import { themeButton } from '../core/theme.js';
import { Run } from '../standalone/run.js';

/** Modules of the views; each starts on the elements marked for it. */
const VIEWS = /** @type {Record<string, () => Promise<unknown>>} */ ({
    functions: () => import('./functions.js'),
    calltree: () => import('./calltree.js'),
    flame: () => import('./flame.js'),
    sandwich: () => import('./sandwich.js'),
    timeline: () => import('./timeline.js'),
});

/**
 * Answers a request to api.php.
 *
 * @param {Run} run
 * @param {string} url
 * @returns {any} null for one that the run cannot answer
 */
function answer(run, url) {
    if (url === 'run:functions') {
        return run.functions();
    }
    if (url.startsWith('run:symbol')) {
        const name = valueIn(url.slice(url.indexOf('?') + 1), 'symbol');
        const links = document.querySelector('[data-view=sandwich]') === null ? {} : { 'Sandwich': `?view=sandwich&sel=${encodeURIComponent(name)}` };

        return { ...run.symbol(name), links };
    }

    return null;
}

/** Makes links lead to another state of this page, not away from it. */
function keepLinksInPage() {
    onLink(document, 'a[href^="?"]', (link) => {
        const query = link.getAttribute('href')?.slice(1) ?? '';
        const more = Object.fromEntries(['sel', 'root', 'tree'].map((key) => [key, valueIn(query, key)]).filter(([, value]) => value !== ''));
        const symbol = valueIn(query, 'symbol');
        const view = valueIn(query, 'view');
        if (symbol !== '') {
            state.set({ sel: symbol });
        } else if (view !== '') {
            state.set({ view: view === 'functions' ? null : view, ...more }, { push: true });
        }
    });
}

/**
 * Shows one view at a time, by the tabs and the address.
 *
 * @param {(view: string) => void} opened
 */
function showPanes(opened) {
    const tabs = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-tab]'));
    const show = () => {
        const known = [...tabs].map((tab) => tab.dataset.tab ?? '');
        const view = known.includes(state.get('view')) ? state.get('view') : 'functions';
        for (const tab of tabs) {
            if (tab.dataset.tab === view) {
                tab.setAttribute('aria-current', 'page');
            } else {
                tab.removeAttribute('aria-current');
            }
        }
        for (const pane of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-pane]'))) {
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

/** Starts the page: the run in the file answers in the server's place, each view starts when it is first shown. */
async function start() {
    // boot.js has made it.
    const run = new Run(JSON.parse(await /** @type {any} */ (globalThis).xhprofFile.json()));
    answerLocally((url) => answer(run, url));
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
    const aside = document.querySelector('[data-inspector]');
    if (aside instanceof HTMLElement) {
        inspector(aside, async (name) => answer(run, `run:symbol?symbol=${encodeURIComponent(name)}`));
    }
    showPanes((view) => void VIEWS[view]?.());
}

await start();
