/**
 * The flame graph of a run of a million call paths: it is painted, moved and searched, and the cost of a drawing depends on its
 * visible part. No times are tested, so that a busy machine makes no test fail: `make bench` measures them.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { treeJson } from '../../js/support.mjs';
import { saveRuns, withSite } from './support.mjs';

const HUGE = 'f5555555555555555555555555555555';

const { site, onPage } = withSite({
    runs: (folder) => {
        saveRuns(folder, [{ id: HUGE, source: 'shop', documents: { tree: treeJson(1e6, { functions: 5000, levels: 50 }) } }]);
    },
});

describe('a million frames', () => {
    test('are painted, moved and searched; a drawing has no more rectangles than pixels need', { timeout: 240000 }, () => onPage({}, async (page) => {
        await page.addInitScript(() => {
            const fill = CanvasRenderingContext2D.prototype.fillRect;
            Object.assign(window, { rectangles: 0 });
            CanvasRenderingContext2D.prototype.fillRect = function (...box) {
                /** @type {any} */ (window).rectangles++;
                fill.apply(this, box);
            };
        });
        await page.goto(`${site.root}index.php?run=${HUGE}&source=shop&view=flame`);
        await page.waitForFunction(() => performance.getEntriesByName('flame-draw').length > 0, undefined, { timeout: 120000 });
        const { frames, draws, most, pixels } = await page.evaluate(async () => {
            const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('.flame-canvas'));
            const box = canvas.getBoundingClientRect();
            await new Promise(requestAnimationFrame);
            const before = performance.getEntriesByName('flame-draw').length;
            let most = 0;
            for (let frame = 0; frame < 24; frame++) {
                /** @type {any} */ (window).rectangles = 0;
                // Several movements between two frames make one drawing.
                for (let event = 0; event < 4; event++) {
                    canvas.dispatchEvent(new WheelEvent('wheel', {
                        ctrlKey: frame < 12, deltaY: [-30, 30, 0, 0][frame >> 3], deltaX: [0, 0, 30, -30][frame >> 3], clientX: box.left + 300,
                        clientY: box.top + 100, bubbles: true, cancelable: true,
                    }));
                }
                await new Promise(requestAnimationFrame);
                most = Math.max(most, /** @type {any} */ (window).rectangles);
            }

            return {
                frames: 24, draws: performance.getEntriesByName('flame-draw').length - before, most,
                pixels: canvas.width * Math.ceil(box.height / 15),
            };
        });
        console.log(`# a million frames: ${draws} drawings in ${frames} frames, at most ${most} rectangles`);
        assert.ok(draws > 0 && draws <= frames + 1, `${draws} drawings in ${frames} frames`);
        assert.ok(most > 100 && most < pixels, `${most} rectangles on ${pixels} pixels of rows`);
        const status = page.locator('.flame-status');
        await page.fill('input[name=q]', 'Module3');
        await page.locator('.flame-status', { hasText: 'match' }).waitFor();
        assert.match(await status.innerText(), /frames match: .* % of all$/);
        await page.goto('about:blank');
    }));
});
