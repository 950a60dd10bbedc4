/** The page's colours, for what is painted on a canvas. */

/** @param {() => void} redraw called when the theme is another one */
export function onTheme(redraw) {
    document.addEventListener('xhprof-theme', redraw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
}

/**
 * Colours as a canvas takes them, in the theme of now: variables and light-dark() are solved by giving them to an element.
 *
 * @param {Element} element within which they are meant
 * @param {string[]} colours as in CSS
 * @returns {string[]}
 */
export function solved(element, colours) {
    const probe = document.createElement('i');
    element.append(probe);
    const values = colours.map((colour) => {
        probe.style.color = colour;

        return getComputedStyle(probe).color;
    });
    probe.remove();

    return values;
}
