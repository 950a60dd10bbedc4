/**
 * The chart of a trend, by uPlot: points and line, the median and the band that holds the middle half. A click opens the run of
 * a point; dragging over a range calls `onRange`.
 */
import uPlot from '../../vendor/uplot/uplot.js';
import { h } from '../core/dom.js';
import { figure } from '../core/format.js';
import { state } from '../core/state.js';
import { resolveColours } from '../core/theme.js';
import { isByRun, placesOf, quantile, within } from './range.js';

/** @typedef {import('./range.js').Points} Points */

const HEIGHT = 280;

/** Runs between two ticks. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** Largest distance between a click and its point, in CSS pixels. */
const CLICK_RADIUS = 24;

/**
 * @param {HTMLElement} element whose drawing is replaced
 * @param {Points} points
 * @param {(first: number, behind: number) => void} onRange
 * @returns {{ redraw: () => void }}
 */
export function trendChart(element, points, onRange) {
    const median = quantile(points.v, 0.5);
    const [low, high] = [quantile(points.v, 0.25), quantile(points.v, 0.75)];
    const tip = h('div', { class: 'tip', hidden: true });
    /** @type {uPlot | undefined} */
    let plot;

    const draw = () => {
        plot?.destroy();
        const byRun = isByRun(points, state.get('axis'));
        const places = placesOf(points, byRun);
        // A little wider, and never empty; fewer than ten seconds would have ticks between seconds.
        const beside = (/** @type {number} */ size) => (byRun ? 0.5 : Math.max(5 - size / 2, size * 0.02));
        const colours = coloursOf(element);
        const ink = { stroke: colours.soft, grid: { stroke: colours.line, width: 1 }, ticks: { stroke: colours.line, width: 1 }, font: `12px ${colours.font}` };
        plot = new uPlot({
            width: Math.max(240, element.clientWidth - 16),
            height: HEIGHT,
            padding: [12, 36, 0, 0],
            legend: { show: false },
            cursor: { y: false, drag: { x: true, y: false, setScale: false }, focus: { prox: CLICK_RADIUS } },
            scales: { x: { time: !byRun, range: (_, from, to) => [from - beside(to - from), to + beside(to - from)] }, y: { range: (_, least, most) => [Math.min(0, least ?? 0), Math.max(1, most ?? 1) * 1.05] } },
            tzDate: (seconds) => serverDate(seconds, points.offset),
            axes: [{ ...ink, space: byRun ? 132 : 72, ...(byRun ? { incrs: STEPS } : {}), values: (_, ticks, __, ___, step) => ticks.map((tick) => {
                // Between two runs there is no time.
                const time = byRun ? points.t[tick] : tick;

                return time === undefined ? '' : dateText(serverDate(time, points.offset), byRun ? 0 : step);
            }) }, { ...ink, size: 84, values: (_, ticks) => ticks.map((tick) => figure(tick, points.unit)) }],
            series: [
                {},
                { label: points.label, stroke: colours.focus, width: 1.5, points: { show: true, size: 8, fill: colours.focus, stroke: colours.raised } },
            ],
            hooks: {
                drawClear: [(chart) => {
                    band(chart, low, high, colours.sunken);
                    dashed(chart, median, colours.strong);
                    marked(chart, points, places, colours);
                }],
                setCursor: [(chart) => show(tip, chart, points, places)],
                setSelect: [(chart) => {
                    if (chart.select.width > 4) {
                        onRange(...within(places, chart.posToVal(chart.select.left, 'x'), chart.posToVal(chart.select.left + chart.select.width, 'x')));
                    }
                }],
            },
        }, [places, points.v], undefined);
        const chart = plot;
        chart.over.addEventListener('click', () => {
            const at = pointUnder(chart, points, places);
            if (at !== null && chart.select.width <= 4) {
                location.assign(points.urls[at] ?? '');
            }
        });
        element.append(chart.root, tip);
    };
    draw();

    return { redraw: draw };
}

/**
 * A date whose local parts are those of the server: the table beside the chart has them, too.
 *
 * @param {number} seconds since 1970
 * @param {number} offset of the server's time zone, seconds
 */
function serverDate(seconds, offset) {
    const date = new Date(seconds * 1000);

    return new Date((seconds + offset + date.getTimezoneOffset() * 60) * 1000);
}

/**
 * @param {Date} date
 * @param {number} step between two ticks, seconds; 0: all of it
 * @returns {string} as much as distinguishes ticks, in two lines
 */
function dateText(date, step) {
    const two = (/** @type {number} */ number) => String(number).padStart(2, '0');
    const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
    const clock = `${two(date.getHours())}:${two(date.getMinutes())}${step === 0 || step < 60 ? `:${two(date.getSeconds())}` : ''}`;
    if (step === 0) {
        return `${day} ${clock}`;
    }

    return step >= 86400 ? day : (clock.startsWith('00:00') ? `00:00\n${day}` : clock);
}

/**
 * @param {uPlot} chart
 * @param {Points} points
 * @param {number[]} places of the points along the axis
 * @returns {number | null} position of the point that the pointer is at
 */
function pointUnder(chart, points, places) {
    const { idx, left } = chart.cursor;
    const place = places[idx ?? -1];
    if (idx === null || idx === undefined || place === undefined || left === undefined || (points.v[idx] ?? null) === null) {
        return null;
    }

    return Math.abs(chart.valToPos(place, 'x') - left) <= CLICK_RADIUS ? idx : null;
}

/**
 * @param {HTMLElement} tip
 * @param {uPlot} chart
 * @param {Points} points
 * @param {number[]} places
 */
function show(tip, chart, points, places) {
    const at = pointUnder(chart, points, places);
    const value = points.v[at ?? -1] ?? null;
    tip.hidden = at === null || value === null;
    if (at === null || value === null) {
        return;
    }
    const time = points.t[at] ?? 0;
    const git = points.git[at] ?? '';
    tip.textContent = `${dateText(serverDate(time, points.offset), 0)}: ${figure(value, points.unit)}${git === '' ? '' : ` · ${git}`}`;
    const left = chart.over.offsetLeft + chart.valToPos(places[at] ?? 0, 'x');
    tip.style.left = `${Math.max(0, Math.min(left + 12, chart.root.clientWidth - tip.offsetWidth))}px`;
    tip.style.top = `${chart.over.offsetTop + Math.max(0, chart.valToPos(value, 'y') - 34)}px`;
    chart.over.style.cursor = 'pointer';
}

/**
 * @param {uPlot} chart
 * @param {number} low
 * @param {number} high
 * @param {string} colour
 */
function band(chart, low, high, colour) {
    const top = chart.valToPos(high, 'y', true);
    chart.ctx.save();
    chart.ctx.fillStyle = colour;
    chart.ctx.fillRect(chart.bbox.left, top, chart.bbox.width, Math.max(1, chart.valToPos(low, 'y', true) - top));
    chart.ctx.restore();
}

/**
 * @param {uPlot} chart
 * @param {number} value
 * @param {string} colour
 */
function dashed(chart, value, colour) {
    const y = Math.round(chart.valToPos(value, 'y', true)) + 0.5;
    chart.ctx.save();
    chart.ctx.strokeStyle = colour;
    chart.ctx.setLineDash([6, 5]);
    chart.ctx.beginPath();
    chart.ctx.moveTo(chart.bbox.left, y);
    chart.ctx.lineTo(chart.bbox.left + chart.bbox.width, y);
    chart.ctx.stroke();
    chart.ctx.restore();
}

/**
 * A line where another revision, or another tag, began.
 *
 * @param {uPlot} chart
 * @param {Points} points
 * @param {number[]} places
 * @param {{ strong: string, soft: string, font: string }} colours
 */
function marked(chart, points, places, { strong, soft, font }) {
    const { ctx, bbox } = chart;
    const ratio = window.devicePixelRatio || 1;
    let free = bbox.left;
    ctx.save();
    [ctx.strokeStyle, ctx.fillStyle, ctx.font, ctx.textBaseline] = [strong, soft, `${11 * ratio}px ${font}`, 'top'];
    for (const { at, text } of points.marks) {
        const x = Math.round((chart.valToPos(places[at] ?? 0, 'x', true) + chart.valToPos(places[at - 1] ?? places[at] ?? 0, 'x', true)) / 2) + 0.5;
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        // A text that would stand on the one before is left out: the tooltip has the revision.
        if (x >= free) {
            ctx.fillText(text, x + 4 * ratio, bbox.top + 2 * ratio);
            free = x + ctx.measureText(text).width + 12 * ratio;
        }
    }
    ctx.restore();
}

/** @param {HTMLElement} element */
function coloursOf(element) {
    const names = ['ink-soft', 'line', 'line-strong', 'focus', 'raised', 'sunken'];
    const [soft = '', line = '', strong = '', focus = '', raised = '', sunken = ''] = resolveColours(element, names.map((name) => `var(--${name})`));

    return { soft, line, strong, focus, raised, sunken, font: getComputedStyle(element).fontFamily };
}
