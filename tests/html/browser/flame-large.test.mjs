/**
 * The flame graph of a run of a million call paths: how long until it is seen, how smoothly it moves. Measured from the click
 * on, with the page, the fetch of 17 MB, reading, layout and drawing.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { treeJson } from '../../js/support.mjs';
import { PHP, withSite } from './support.mjs';

const HUGE = 'f5555555555555555555555555555555';

const { site, onPage } = withSite({
    runs: (folder) => {
        writeFileSync(join(folder, `${HUGE}.shop.tree.json`), JSON.stringify(treeJson(1e6, { functions: 5000, levels: 50 })));
        const profile = execFileSync(PHP, ['-r', 'echo serialize(["main()" => ["ct" => 1, "wt" => 1000000]]);']);
        writeFileSync(join(folder, `${HUGE}.shop.xhprof`), profile);
    },
});

describe('a million frames', () => {
    test('are painted soon and move smoothly', { timeout: 120000 }, () => onPage({}, async (page) => {
        const measure = async () => {
            await page.goto(`${site.root}index.php?run=${HUGE}&source=shop&view=flame`);

            return page.evaluate(async () => {
                while (performance.getEntriesByName('flame-draw').length === 0) {
                    await new Promise((resolve) => setTimeout(resolve, 5));
                }
                const first = performance.getEntriesByName('flame-draw')[0];

                return first.startTime + first.duration;
            });
        };
        // Thrice what it may take, and the best of three: other work may take its turn.
        const times = [await measure(), await measure(), await measure()];
        const [first] = times.sort((a, b) => a - b);
        const move = () => page.evaluate(async () => {
            const canvas = /** @type {HTMLElement} */ (document.querySelector('.flame-canvas'));
            const box = canvas.getBoundingClientRect();
            performance.clearMeasures('flame-draw');
            const begun = performance.now();
            let frames = 0;
            while (performance.now() - begun < 2000) {
                const phase = Math.floor((performance.now() - begun) / 500) % 4;
                canvas.dispatchEvent(new WheelEvent('wheel', {
                    ctrlKey: phase < 2, deltaY: [-30, 30, 0, 0][phase], deltaX: [0, 0, 30, -30][phase], clientX: box.left + 300, clientY: box.top + 100,
                    bubbles: true, cancelable: true,
                }));
                await new Promise(requestAnimationFrame);
                frames++;
            }
            const draws = performance.getEntriesByName('flame-draw').map((draw) => draw.duration).sort((a, b) => a - b);

            return { fps: frames / 2, median: draws[draws.length >> 1], p95: draws[Math.floor(draws.length * 0.95)] };
        });
        // 30 fps are wanted; a third of it is asked for, of the best of three tries.
        let moved = await move();
        for (let attempt = 1; attempt < 3 && (moved.fps <= 10 || moved.median >= 33); attempt++) {
            moved = await move();
        }
        console.log(`# a million frames: painted after ${times.map((time) => Math.round(time)).join(', ')} ms, ${moved.fps} fps, `
            + `${moved.median.toFixed(1)} ms a drawing, p95 ${moved.p95.toFixed(1)}`);
        assert.ok(first < 3000, `${first} ms until it is painted`);
        assert.ok(moved.fps > 10 && moved.median < 33, JSON.stringify(moved));
        const status = page.locator('.flame-status');
        const begun = Date.now();
        await page.fill('input[name=q]', 'Module3');
        await page.locator('.flame-status', { hasText: 'match' }).waitFor();
        assert.ok(Date.now() - begun < 3000, 'searched');
        assert.match(await status.innerText(), /frames match: .* % of all$/);
        await page.goto('about:blank');
    }));
});
