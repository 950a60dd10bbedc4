import { h } from '../core/dom.js';

/**
 * @typedef {{ at: number, width: number, from: string, to: string, text: string }} Point a stretch of time: shares of the chart's width,
 *     its first and its last second, and its figures in words
 */

const HELP = 'Drag, or with the keyboard ← → and Shift + ← →, then Enter: only that time.';

/**
 * Shows the figures under the pointer or the keyboard's cursor, and lets a range of stretches be chosen by dragging, or with Shift and the
 * arrow keys and Enter.
 *
 * @param {HTMLElement} figure with elements .plot, one below the other, of the same width
 * @param {Point[]} points ascending; between two may be a gap
 * @param {(from: string, to: string) => void} choose is called with the first and the last second
 */
export function brush(figure, points, choose) {
    const plots = /** @type {HTMLElement[]} */ ([...figure.querySelectorAll('.plot')]);
    const first = plots[0];
    if (first === undefined || points.length === 0) {
        return;
    }
    const values = h('p', { class: 'values', role: 'status' }, HELP);
    figure.append(values);
    const marks = plots.map((plot) => {
        const [band, cursor] = [h('div', { class: 'band', hidden: true }), h('div', { class: 'cursor', hidden: true })];
        plot.append(band, cursor);

        return { band, cursor };
    });
    /** @type {number | null} */
    let here = null;
    /** @type {number | null} */
    let anchor = null;

    const draw = () => {
        const range = anchor === null || here === null ? null : chosen(points, anchor, here);
        for (const { band, cursor } of marks) {
            const point = here === null ? undefined : points[here];
            cursor.hidden = point === undefined;
            cursor.style.left = `${100 * ((point?.at ?? 0) + (point?.width ?? 0) / 2)}%`;
            band.hidden = range === null;
            band.style.left = `${100 * (range?.left ?? 0)}%`;
            band.style.width = `${100 * ((range?.right ?? 0) - (range?.left ?? 0))}%`;
        }
        values.textContent = range !== null && anchor !== here
            ? `${range.from} to ${range.to}: Enter shows only this time, Escape drops it.`
            : points[here ?? -1]?.text ?? HELP;
    };
    const show = () => {
        if (here !== null) {
            const range = chosen(points, anchor ?? here, here);
            choose(range.from, range.to);
        }
    };
    const clear = () => {
        [here, anchor] = [null, null];
        draw();
    };
    /** @param {PointerEvent} event */
    const at = (event) => {
        const box = first.getBoundingClientRect();

        return nearest(points, (event.clientX - box.left) / Math.max(1, box.width));
    };
    for (const plot of plots) {
        plot.tabIndex = plot === first ? 0 : -1;
        plot.addEventListener('pointerdown', (event) => {
            if (event.button === 0) {
                plot.setPointerCapture(event.pointerId);
                here = anchor = at(event);
                draw();
            }
        });
        plot.addEventListener('pointermove', (event) => {
            here = at(event);
            draw();
        });
        plot.addEventListener('pointerup', (event) => {
            here = at(event);
            // A click only shows the figures: a stretch alone is chosen with Enter.
            anchor !== null && anchor !== here ? show() : clear();
            here = at(event);
            draw();
        });
        plot.addEventListener('pointercancel', clear);
        plot.addEventListener('pointerleave', () => anchor === null && clear());
    }
    first.setAttribute('role', 'group');
    first.setAttribute('aria-label', `Requests over time. ${HELP}`);
    first.addEventListener('blur', clear);
    first.addEventListener('keydown', (event) => {
        const last = points.length - 1;
        /** @type {Record<string, () => number>} */
        const moves = {
            ArrowLeft: () => Math.max(0, (here ?? last + 1) - 1),
            ArrowRight: () => Math.min(last, (here ?? -1) + 1),
            Home: () => 0,
            End: () => last,
        };
        const move = moves[event.key];
        if (event.ctrlKey || event.altKey || event.metaKey) {
            return;
        }
        if (move !== undefined) {
            const before = here;
            here = move();
            anchor = event.shiftKey ? anchor ?? before ?? here : null;
            draw();
        } else if (event.key === 'Enter' && here !== null) {
            show();
        } else if (event.key === 'Escape' && here !== null) {
            clear();
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    });
}

/**
 * @param {Point[]} points
 * @param {number} one
 * @param {number} other
 * @returns {{ from: string, to: string, left: number, right: number }} all from one stretch to the other
 */
export function chosen(points, one, other) {
    const [first, last] = [points[Math.min(one, other)], points[Math.max(one, other)]];

    return {
        from: first?.from ?? '',
        to: last?.to ?? '',
        left: first?.at ?? 0,
        right: (last?.at ?? 0) + (last?.width ?? 0),
    };
}

/**
 * @param {Point[]} points
 * @param {number} share of the width
 * @returns {number} index of the stretch at this place, else of the one nearest to it
 */
export function nearest(points, share) {
    let found = 0;
    let least = Infinity;
    for (const [index, { at, width }] of points.entries()) {
        const away = share < at ? at - share : Math.max(0, share - at - width);
        if (away < least || (away === 0 && share >= at)) {
            [found, least] = [index, away];
        }
    }

    return found;
}
