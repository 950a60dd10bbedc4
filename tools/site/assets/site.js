/**
 * What the pages of the documentation do with JavaScript: themes, search, buttons that copy code, the section that is read.
 * Without it they are complete but for these. Loaded in the head, so that a page is drawn in its theme at once.
 */
'use strict';

(function () {
    const THEME = 'xhprof_theme';
    const ORDER = ['auto', 'light', 'dark'];
    const SIGNS = { auto: '◐', light: '☀', dark: '☾' };
    const WORDS = { auto: 'system', light: 'light', dark: 'dark' };
    const root = document.documentElement;
    const base = root.dataset.root ?? '';

    /** @returns {'auto' | 'light' | 'dark'} */
    function theme() {
        try {
            const kept = localStorage.getItem(THEME);

            return kept === 'light' || kept === 'dark' ? kept : 'auto';
        } catch {
            // A browser that keeps nothing.
            return 'auto';
        }
    }

    function applyTheme() {
        const chosen = theme();
        if (chosen === 'auto') {
            delete root.dataset.theme;
        } else {
            root.dataset.theme = chosen;
        }
    }

    function addThemeButton() {
        const button = document.createElement('button');
        button.type = 'button';
        const show = () => {
            const now = theme();
            button.textContent = SIGNS[now];
            button.title = `Theme: ${WORDS[now]}`;
            button.setAttribute('aria-label', button.title);
        };
        button.addEventListener('click', () => {
            try {
                localStorage.setItem(THEME, ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length] ?? 'auto');
            } catch {
                // The theme stays the system's.
            }
            applyTheme();
            show();
        });
        show();
        document.querySelector('.tools')?.append(button);
    }

    /** Of a console, what is typed; else all. @param {Element} code @returns {string} */
    function textToCopy(code) {
        const typed = [...code.querySelectorAll('kbd')].map((line) => line.textContent ?? '');

        return typed.length > 0 ? typed.join('\n') : code.textContent ?? '';
    }

    function addCopyButtons() {
        for (const block of document.querySelectorAll('.code')) {
            const button = document.createElement('button');
            button.type = 'button';
            button.className = 'copy';
            button.textContent = 'Copy';
            button.addEventListener('click', async () => {
                const code = block.querySelector('code');
                let text = 'Copied';
                try {
                    await navigator.clipboard.writeText(code === null ? '' : textToCopy(code));
                } catch {
                    // Not allowed there: what is to be copied is selected instead.
                    if (code !== null) {
                        getSelection()?.selectAllChildren(code);
                    }
                    text = 'Press Ctrl+C';
                }
                button.textContent = text;
                button.classList.add('done');
                setTimeout(() => {
                    button.textContent = 'Copy';
                    button.classList.remove('done');
                }, 2000);
            });
            block.append(button);
        }
    }

    /** What scrolls is reached by the keyboard, in every browser. */
    function reachScrollers() {
        for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.wide, pre'))) {
            if (element.scrollWidth > element.clientWidth) {
                element.tabIndex = 0;
                element.setAttribute('role', 'region');
                element.setAttribute('aria-label', element.matches('pre') ? 'Code' : 'Table');
            } else {
                element.removeAttribute('tabindex');
                element.removeAttribute('role');
                element.removeAttribute('aria-label');
            }
        }
    }

    /** Marks the section that is read in the contents of the page. */
    function followSections() {
        /** @type {Map<string, Element>} */
        const links = new Map();
        for (const link of document.querySelectorAll('.contents a')) {
            links.set(decodeURIComponent((link.getAttribute('href') ?? '').slice(1)), link);
        }
        const headings = [...document.querySelectorAll('article :is(h2, h3)[id]')];
        if (headings.length === 0 || links.size === 0) {
            return;
        }
        const mark = () => {
            const above = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
            const current = links.get(above.at(-1)?.id ?? '');
            for (const link of links.values()) {
                if (link !== current) {
                    link.removeAttribute('aria-current');
                } else if (!link.hasAttribute('aria-current')) {
                    link.setAttribute('aria-current', 'true');
                    link.scrollIntoView({ block: 'nearest' });
                }
            }
        };
        document.addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
        mark();
    }

    /** @param {string} file @returns {Promise<void>} */
    function load(file) {
        return new Promise((resolve, reject) => {
            const script = document.createElement('script');
            script.src = base + file;
            script.onload = () => resolve();
            script.onerror = () => reject(new Error(`${file} cannot be loaded`));
            document.head.append(script);
        });
    }

    function addSearch() {
        const input = /** @type {HTMLInputElement | null} */ (document.getElementById('find'));
        const panel = document.getElementById('found-panel');
        const list = document.getElementById('found');
        const count = document.getElementById('found-count');
        if (input === null || panel === null || list === null || count === null) {
            return;
        }
        /** @type {Promise<(query: string) => Found[]> | undefined} */
        let search;
        const all = /** @type {any} */ (globalThis);
        const ready = () => (search ??= Promise.all(['minisearch/minisearch.js', 'search.js', 'search-index.js'].map((file) => load(`assets/${file}`)))
            .then(() => all.XHProfSearch.createSearch(all.MiniSearch, all.XHPROF_SECTIONS)));

        // By Escape, until something else is typed.
        let isClosed = false;
        const show = async () => {
            const query = input.value;
            if (query.trim() === '' || isClosed) {
                panel.hidden = true;
                return;
            }
            /** @type {Found[]} */
            let found;
            try {
                found = (await ready())(query);
            } catch (error) {
                count.textContent = error instanceof Error ? error.message : String(error);
                panel.hidden = false;
                return;
            }
            if (query !== input.value || isClosed) {
                return;
            }
            list.dataset.query = query;
            list.replaceChildren(...found.map(({ section, words }) => {
                const link = document.createElement('a');
                link.href = base + section.url;
                const title = document.createElement('strong');
                title.textContent = section.title;
                const where = document.createElement('small');
                where.textContent = section.page === section.title ? '' : ` ${section.page}`;
                const text = document.createElement('span');
                text.append(...all.XHProfSearch.excerpt(section.text, query, words).map((/** @type {{ text: string, isFound: boolean }} */ piece) => {
                    const node = document.createElement('mark');
                    node.textContent = piece.text;

                    return piece.isFound ? node : piece.text;
                }));
                link.append(title, where, text);
                const item = document.createElement('li');
                item.append(link);

                return item;
            }));
            count.textContent = found.length === 0 ? `Nothing has “${query}”: try the name of a setting, a function, a command` : `${found.length} found`;
            panel.hidden = false;
        };

        /** @param {number} step */
        const move = (step) => {
            const stops = [input, .../** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('a'))];
            const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
            stops[Math.min(stops.length - 1, Math.max(0, at + step))]?.focus();
        };
        input.addEventListener('focus', () => void ready().catch(() => {}));
        input.addEventListener('input', () => {
            isClosed = false;
            void show();
        });
        input.addEventListener('focus', () => void show());
        input.parentElement?.parentElement?.addEventListener('keydown', (event) => {
            if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
                event.preventDefault();
                move(event.key === 'ArrowDown' ? 1 : -1);
            } else if (event.key === 'Enter' && event.target === input) {
                /** @type {HTMLElement | null} */ (list.querySelector('a'))?.click();
            } else if (event.key === 'Escape') {
                isClosed = true;
                input.focus();
                panel.hidden = true;
            }
        });
        document.addEventListener('pointerdown', (event) => {
            if (event.target instanceof Node && !panel.contains(event.target) && event.target !== input) {
                panel.hidden = true;
            }
        });
        list.addEventListener('click', () => {
            panel.hidden = true;
        });
        document.addEventListener('keydown', (event) => {
            const isTyping = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]') !== null;
            if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
                event.preventDefault();
                input.focus();
                input.select();
            }
        });
        // A search can be sent: ?q=max_nodes.
        const sent = new URLSearchParams(location.search).get('q');
        if (sent !== null) {
            input.value = sent;
            input.focus();
        }
    }

    applyTheme();
    document.addEventListener('DOMContentLoaded', () => {
        addThemeButton();
        addSearch();
        addCopyButtons();
        reachScrollers();
        addEventListener('resize', reachScrollers);
        followSections();
        // In a menu over the page, a link of the same page closes it.
        document.getElementById('menu')?.addEventListener('click', (event) => {
            const menu = /** @type {HTMLElement} */ (event.currentTarget);
            if (event.target instanceof Element && event.target.closest('a') !== null && menu.matches(':popover-open')) {
                menu.hidePopover();
            }
        });
    });
})();
