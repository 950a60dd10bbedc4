/** The legend of colours and lines. */
import { h, svg } from '../core/dom.js';

/**
 * @param {boolean} isComparison
 * @param {'time' | 'memory'} [family] of the colours
 * @param {string} [machine] words for changes that are the machine's, '' where they are not known
 * @returns {HTMLElement}
 */
export function graphLegend(isComparison, family = 'time', machine = '') {
    const swatch = (/** @type {string} */ classes) => svg(
        'svg',
        { class: 'graph', width: 18, height: 12, 'aria-hidden': 'true' },
        svg('g', { class: `node ${classes}` }, svg('rect', { class: 'box', x: 1, y: 1, width: 16, height: 10 })),
    );
    const line = (/** @type {string} */ classes) => svg(
        'svg',
        { class: 'graph', width: 24, height: 12, 'aria-hidden': 'true' },
        svg('g', { class: `edge ${classes}` }, svg('path', { class: 'line', d: 'M0 6H24', 'stroke-width': 3 })),
    );
    const parts = isComparison
        ? [
            ['self ▼', ...[5, 3, 1].map((level) => swatch(`own-down-${level}`)), swatch('own-same'), ...[1, 3, 5].map((level) => swatch(`own-up-${level}`)), '▲'],
            [swatch('all-down-5'), swatch('all-up-5'), 'border: total'],
            ...(machine === '' ? [] : [[swatch('own-machine all-machine'), h('span', { title: machine }, 'only wall time')]]),
            [swatch('gone own-down-3'), 'gone'],
        ]
        : [
            ['self', ...[0, 1, 2, 3, 4, 5].map((level) => swatch(`${family} heat-${level}`)), '60 %'],
            [line(''), 'width: share'],
            [line('critical'), 'critical path'],
        ];

    return h('div', { class: 'graph-legend', 'aria-hidden': 'true' }, ...parts.map((items) => h('span', {}, ...items)));
}
