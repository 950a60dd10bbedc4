/** Light, dark, or the system's theme, and its colours for canvases. A cookie keeps the choice, so that PHP sends the page in it at once. */
import { buttonFor } from './dom.js';

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
    document.cookie = `${COOKIE}=${next === 'auto' ? '' : next}; SameSite=Lax; Max-Age=${next === 'auto' ? 0 : YEAR}`;
    // Canvases are painted in colours read once.
    document.dispatchEvent(new CustomEvent('xhprof-theme'));
}

/** @returns {HTMLButtonElement} that goes from one theme to the next */
export function themeButton() {
    const button = buttonFor(() => {
        setTheme(ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length] ?? 'auto');
        show();
    }, { class: 'icon', 'data-key-label': 'Light, dark or system' });
    const show = () => {
        const now = theme();
        button.textContent = SIGNS[now];
        button.title = `Theme: ${WORDS[now]}`;
        button.setAttribute('aria-label', button.title);
    };
    show();

    return button;
}

/** @param {() => void} redraw called when the theme changes */
export function onTheme(redraw) {
    document.addEventListener('xhprof-theme', redraw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}

/**
 * Opaque pixels, on which text is sharp, are black until something is drawn. While its data is on the way, a canvas has the
 * colour of what it stands on, in any theme.
 *
 * @param {CanvasRenderingContext2D} context of a canvas that is, or will at once be, in the page
 * @param {() => boolean} isEmpty whether there is nothing to draw yet
 */
export function startBlank(context, isEmpty) {
    const paint = () => {
        if (context.canvas.isConnected && isEmpty()) {
            let ground = '';
            for (let at = /** @type {Element | null} */ (context.canvas); at !== null && (ground === '' || ground === 'rgba(0, 0, 0, 0)'); at = at.parentElement) {
                ground = getComputedStyle(at).backgroundColor;
            }
            context.fillStyle = ground;
            context.fillRect(0, 0, context.canvas.width, context.canvas.height);
        }
    };
    if (context.canvas.isConnected) {
        paint();
    } else {
        // Before the browser shows it.
        requestAnimationFrame(paint);
    }
    onTheme(paint);
}

/** Letters on a colour: nearly black, and white, with their luminance. */
const INKS = { dark: '#16181d', light: '#ffffff' };
const LUMINANCE = { dark: 0.0092, light: 1 };

/**
 * @param {string} colour "rgb(1, 2, 3)" or "#010203"
 * @returns {number} its relative luminance, as WCAG 2 defines it
 */
export function luminance(colour) {
    const parts = colour.startsWith('#') ? (colour.slice(1).match(/../g) ?? []).map((hex) => parseInt(hex, 16)) : (colour.match(/[\d.]+/g) ?? []).map(Number);
    const [red, green, blue] = parts.slice(0, 3).map((part) => (part <= 10.31475 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));

    return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/**
 * @param {number} a luminance
 * @param {number} b
 * @returns {number} their contrast, 1 to 21
 */
export function contrast(a, b) {
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * @param {string} fill as resolveColours() returns it
 * @returns {string} the letters that are read best on it
 */
export function inkOn(fill) {
    const ground = luminance(fill);

    return contrast(ground, LUMINANCE.dark) >= contrast(ground, LUMINANCE.light) ? INKS.dark : INKS.light;
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
    // Readers with colours of their own have them for text; with these a picture would be of one colour.
    probe.style.setProperty('forced-color-adjust', 'none');
    element.append(probe);
    const values = colours.map((colour) => {
        probe.style.color = colour;

        return getComputedStyle(probe).color;
    });
    probe.remove();

    return values;
}
