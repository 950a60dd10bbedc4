/** The page's colours, for canvases. */

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
