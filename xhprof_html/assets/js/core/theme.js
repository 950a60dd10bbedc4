/** Light, dark, or the system's theme. A cookie keeps the choice, so that PHP sends the page in it at once. */
import { h } from './dom.js';

const COOKIE = 'xhprof_theme';
const YEAR = 31536000;

/** @typedef {'auto' | 'light' | 'dark'} Theme */

/** @type {Theme[]} */
const ORDER = ['auto', 'light', 'dark'];
const SIGNS = { auto: '◐', light: '☀', dark: '☾' };
const WORDS = { auto: 'system', light: 'light', dark: 'dark' };

/** @returns {Theme} */
export function theme() {
    const chosen = document.documentElement.dataset.theme;

    return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}

/** @param {Theme} next */
function setTheme(next) {
    if (next === 'auto') {
        delete document.documentElement.dataset.theme;
    } else {
        document.documentElement.dataset.theme = next;
    }
    document.cookie = `${COOKIE}=${next === 'auto' ? '' : next}; Path=/; SameSite=Lax; Max-Age=${next === 'auto' ? 0 : YEAR}`;
    // Canvases are painted in colours read once.
    document.dispatchEvent(new CustomEvent('xhprof-theme'));
}

/** @returns {HTMLButtonElement} that goes from one theme to the next */
export function themeButton() {
    const button = h('button', { type: 'button', class: 'icon', 'data-key-label': 'Light, dark or system' });
    const show = () => {
        const now = theme();
        button.textContent = SIGNS[now];
        button.title = `Theme: ${WORDS[now]}`;
        button.setAttribute('aria-label', button.title);
    };
    button.addEventListener('click', () => {
        setTheme(ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length] ?? 'auto');
        show();
    });
    show();

    return button;
}
