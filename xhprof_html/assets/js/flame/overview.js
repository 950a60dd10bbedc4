/** The strip above a picture: the whole, with the part in sight marked. */
import { h } from '../core/dom.js';
import { startBlank } from '../core/theme.js';
import { draw } from './draw.js';

const HEIGHT = 44;
/** A shorter drag is a click. */
const CLICK_DISTANCE = 4;

/**
 * @param {import('./view.js').FlameView} view
 * @returns {{canvas: HTMLCanvasElement, draw: () => void, stale: () => void, restyle: () => void}} stale: the whole
 *     has changed; restyle: the colours or the size may have
 */
export function overview(view) {
    const canvas = h('canvas', { class: 'flame-overview', 'aria-hidden': 'true', title: 'Drag to zoom in' });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
    const whole = document.createElement('canvas');
    const wholeContext = /** @type {CanvasRenderingContext2D} */ (whole.getContext('2d', { alpha: false }));
    startBlank(context, () => view.layout === null);
    let isStale = true;
    let [ground, ink] = ['', ''];
    let width = 0;
    const restyle = () => {
        const style = getComputedStyle(canvas);
        [ground, ink] = [style.backgroundColor, style.color];
        width = canvas.clientWidth;
        isStale = true;
    };
    /** @type {{at: number, from: number, size: number, moves: boolean} | null} */
    let drag = null;

    const figureAt = (/** @type {PointerEvent} */ event) => {
        const box = canvas.getBoundingClientRect();

        return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * (view.layout?.width[0] ?? 1);
    };
    canvas.addEventListener('pointerdown', (event) => {
        const at = figureAt(event);
        const size = view.to - view.from;
        const inside = at > view.from && at < view.to && size < (view.layout?.width[0] ?? 1) * 0.98;
        drag = { at, from: view.from, size, moves: inside };
        canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
        if (drag === null) {
            return;
        }
        const at = figureAt(event);
        if (drag.moves) {
            view.range(drag.from + at - drag.at, drag.from + at - drag.at + drag.size);
        } else if (Math.abs(at - drag.at) > (view.layout?.width[0] ?? 1) * CLICK_DISTANCE / canvas.clientWidth) {
            view.range(Math.min(at, drag.at), Math.max(at, drag.at));
        }
    });
    canvas.addEventListener('pointerup', (event) => {
        if (drag !== null && !drag.moves && Math.abs(figureAt(event) - drag.at) <= (view.layout?.width[0] ?? 1) * CLICK_DISTANCE / canvas.clientWidth) {
            view.range(drag.at - drag.size / 2, drag.at + drag.size / 2, true);
        } else {
            view.settle();
        }
        drag = null;
    });
    canvas.addEventListener('dblclick', () => view.zoom(0));

    return {
        canvas,
        restyle,
        stale: () => {
            isStale = true;
        },
        draw: () => {
            const { layout } = view;
            const ratio = window.devicePixelRatio || 1;
            if (layout === null || width === 0) {
                return;
            }
            const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(HEIGHT * ratio)];
            if (isStale || whole.width !== deviceWidth) {
                isStale = false;
                canvas.width = whole.width = deviceWidth;
                canvas.height = whole.height = deviceHeight;
                const camera = {
                    from: 0, to: Math.max(layout.width[0], Number.MIN_VALUE), width, height: HEIGHT, scroll: 0,
                    row: Math.min(6, HEIGHT / layout.levels), up: view.up, ratio,
                };
                draw(wholeContext, layout, camera, { ...view.skin(), root: 0, ground }, null);
            }
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            context.drawImage(whole, 0, 0, width, HEIGHT);
            const scale = width / Math.max(layout.width[0], Number.MIN_VALUE);
            const left = view.from * scale;
            const size = Math.max(2, (view.to - view.from) * scale);
            context.fillStyle = ground;
            context.globalAlpha = 0.72;
            context.fillRect(0, 0, left, HEIGHT);
            context.fillRect(left + size, 0, width, HEIGHT);
            context.globalAlpha = 1;
            context.strokeStyle = ink;
            context.strokeRect(left + 0.5, 0.5, Math.max(1, size - 1), HEIGHT - 1);
        },
    };
}
