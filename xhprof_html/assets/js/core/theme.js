/** Light, dark, or the system's theme, and its colours for canvases. A cookie keeps the choice, so that PHP sends the page in it at once. */
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

/** @param {() => void} redraw called when the theme changes */
export function onTheme(redraw) {
    document.addEventListener('xhprof-theme', redraw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}

/**
 * Colours as a canvas takes them, in the current theme: an element resolves variables and light-dark().
 *
 * @param {Element} element in whose context they are resolved
 * @param {string[]} colours as in CSS
 * @returns {string[]}
 */
export function resolveColours(element, colours) {
    const probe = document.createElement('i');
    element.append(probe);
    const values = colours.map((colour) => {
        probe.style.color = colour;

        return getComputedStyle(probe).color;
    });
    probe.remove();

    return values;
}
