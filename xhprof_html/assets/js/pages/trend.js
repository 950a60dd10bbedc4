/** The page of a trend: replaces the drawing by a chart that reacts to the pointer and selects ranges. */
import { h } from '../core/dom.js';
import { state } from '../core/state.js';
import { onTheme } from '../core/theme.js';
import { trendChart } from '../trend/chart.js';
import { isByRun, rangeLinks } from '../trend/range.js';

/** @typedef {import('../trend/range.js').Points} Points */

const element = document.querySelector('[data-trend]');
if (element instanceof HTMLElement) {
    start(element, /** @type {Points} */ (JSON.parse(element.dataset.trend ?? '{}')));
}

/**
 * @param {HTMLElement} element
 * @param {Points} points
 */
function start(element, points) {
    const range = document.querySelector('[data-trend-range]');
    const hint = document.querySelector('[data-trend-hint]');
    const chart = trendChart(element, points, (first, behind) => {
        if (range instanceof HTMLElement) {
            const count = behind - first;
            const links = rangeLinks(points, first, behind).map(({ label, url }) => h('a', { href: url }, label));
            range.replaceChildren(h('span', {}, `${count} ${count === 1 ? 'run' : 'runs'} picked`), ...links);
            range.hidden = count === 0;
        }
    });
    element.querySelector('svg.strip')?.setAttribute('hidden', '');
    if (hint instanceof HTMLElement) {
        hint.hidden = false;
    }
    const axis = document.querySelector('[data-trend-axis]');
    if (axis instanceof HTMLElement) {
        const buttons = [...axis.querySelectorAll('button')];
        const press = () => buttons.forEach((button) => button.setAttribute('aria-pressed', String((button.value === 'run') === isByRun(points, state.get('axis')))));
        buttons.forEach((button) => button.addEventListener('click', () => state.set({ axis: button.value })));
        state.watch(['axis'], () => {
            press();
            chart.redraw();
        });
        press();
        axis.hidden = false;
    }
    let width = element.clientWidth;
    new ResizeObserver(() => {
        if (Math.abs(element.clientWidth - width) > 1) {
            width = element.clientWidth;
            chart.redraw();
        }
    }).observe(element);
    onTheme(() => chart.redraw());
}
