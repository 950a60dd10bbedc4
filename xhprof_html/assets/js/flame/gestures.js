/** Moves the picture by drag, pinch and wheel. */

/** @typedef {import('./view.js').FlameView} FlameView */

/** Least pixels of a drag; a shorter one is a click. */
const CLICK_DISTANCE = 4;

/** Time after the last turn of the wheel until the picture counts as settled, in ms. */
const SETTLE_MS = 150;

/** @param {FlameView} view */
export function dragging(view) {
    const { canvas, scroller } = view;
    /** @type {Map<number, PointerEvent>} */
    const down = new Map();
    let moved = false;
    let start = { x: 0, y: 0, from: 0, to: 0, scroll: 0, apart: 1 };
    const begin = () => {
        const { x, y } = middle(down);
        start = { x, y, from: view.from, to: view.to, scroll: scroller.scrollTop, apart: distance(down) };
    };
    canvas.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) {
            return;
        }
        moved = down.size > 0;
        down.set(event.pointerId, event);
        canvas.setPointerCapture(event.pointerId);
        begin();
    });
    canvas.addEventListener('pointermove', (event) => {
        if (!down.has(event.pointerId)) {
            view.hover(event.pointerType === 'touch' ? -1 : view.frameUnder(event), event);
            return;
        }
        down.set(event.pointerId, event);
        const { x, y } = middle(down);
        if (!moved && Math.hypot(x - start.x, y - start.y) < CLICK_DISTANCE) {
            return;
        }
        moved = true;
        view.hover(-1);
        canvas.classList.add('dragged');
        const size = (start.to - start.from) * start.apart / distance(down);
        const box = canvas.getBoundingClientRect();
        const { width } = view.camera();
        const pin = start.from + (start.x - box.left) / width * (start.to - start.from);
        const left = pin - (x - box.left) / width * size;
        scroller.scrollTop = start.scroll - (event.pointerType === 'touch' ? 0 : y - start.y);
        view.range(left, left + size);
    });
    const end = (/** @type {PointerEvent} */ event) => {
        if (!down.delete(event.pointerId)) {
            return;
        }
        if (down.size > 0) {
            begin();
            return;
        }
        canvas.classList.remove('dragged');
        if (moved) {
            view.settle();
        } else if (event.type === 'pointerup') {
            // The tooltip would lie on what is zoomed to; the next movement shows it again.
            view.hover(-1);
            view.choose(view.frameUnder(event));
        }
    };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
}

/** @param {FlameView} view */
export function wheeling(view) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let settling;
    view.canvas.addEventListener('wheel', (event) => {
        const unit = event.deltaMode === 1 ? 16 : 1;
        const size = view.to - view.from;
        if (event.ctrlKey || event.metaKey) {
            event.preventDefault();
            const at = (event.clientX - view.canvas.getBoundingClientRect().left) / view.camera().width;
            view.scale(Math.exp(Math.max(-120, Math.min(120, event.deltaY * unit)) / 300), at);
        } else {
            const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
            if (Math.abs(across) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) {
                return;
            }
            event.preventDefault();
            const by = across * unit / view.camera().width * size;
            view.range(view.from + by, view.to + by);
        }
        clearTimeout(settling);
        settling = setTimeout(() => view.settle(), SETTLE_MS);
    }, { passive: false });
}

/**
 * @param {Map<number, PointerEvent>} down one pointer or two
 * @returns {{x: number, y: number}} across, between the two; the height of the first
 */
function middle(down) {
    const [first, second] = down.values();

    return { x: second === undefined ? first.clientX : (first.clientX + second.clientX) / 2, y: first.clientY };
}

/**
 * @param {Map<number, PointerEvent>} down one pointer or two
 * @returns {number} across, in pixels; 1 for a single one
 */
function distance(down) {
    const [first, second] = down.values();

    return second === undefined ? 1 : Math.max(8, Math.abs(first.clientX - second.clientX));
}
