/** What one sees of pictures, whatever the colours: while they load, in a reader's own colours, and where the focus is. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { AFTER, BEFORE, WORKER, fixtures, saveRuns, shot, withSite } from './support.mjs';

const CACHE = mkdtempSync(join(tmpdir(), 'xhprof-sight-cache-'));
after(() => rmSync(CACHE, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const TIMELINE = 'f6666666666666666666666666666666';

/** Four packages, one after the other and within each other. */
const TREE = {
    v: 1, kind: 'tree', n: 5, names: ['main()', 'App\\Http\\Kernel::handle', 'Doctrine\\ORM\\Query::run', 'Twig\\Template\\Page::render', 'Acme\\Mail\\Queue::send'],
    fn: [0, 1, 2, 3, 4], depth: [0, 1, 2, 1, 1], ct: [1, 1, 1, 2, 1], self: { wt: [2e8, 1e8, 2e8, 4e8, 1e8] },
};

/** parse() calls 160 rules, of which one is heavy and calls one more; what it does before and after them is as wide. */
const FAN = 'fa000000000000000000000000000001';
function fan() {
    const rows = [['main()', 0, 1], ['kernel', 1, 1]];
    for (let i = 0; i < 40; i++) {
        rows.push([`before${i}`, 2, 9], [`helper${i % 7}`, 3, 2]);
    }
    rows.push(['parse', 2, 5]);
    for (let i = 0; i < 160; i++) {
        rows.push([`rule${i}`, 3, i === 77 ? 60 : 6], ...(i === 77 ? [['last', 4, 500]] : (i % 3 === 0 ? [[`leaf${i}`, 4, 3]] : [])));
    }
    rows.push(['print', 1, 5], ...Array.from({ length: 40 }, (_, i) => [`after${i}`, 2, 8]));
    const names = [...new Set(rows.map(([name]) => name))];

    return {
        v: 1, kind: 'tree', order: 'preorder', n: rows.length, names, fn: rows.map(([name]) => names.indexOf(name)),
        depth: rows.map(([, depth]) => depth), ct: rows.map(() => 1), self: { wt: rows.map(([, , ms]) => Number(ms) * 1e6) },
    };
}

const { site, onPage } = withSite({
    runs(folder) {
        fixtures(folder);
        for (const more of ['heap', 'automatic']) {
            fixtures(folder, more);
        }
        saveRuns(folder, [{ id: FAN, source: 'fan', tree: fan() }]);
        const timeline = {
            v: 1, kind: 'timeline', duration: 1e9, asked_threshold: 25000, threshold: 50000, raised: 1, folded: 3,
            t: [0, 50e6, 400e6, 650e6, 700e6], d: [250e6, 100e6, 200e6, 50e6, 200e6], node: [1, 2, 3, 4, 3], memory: [4e6, 6e6, 9e6, 9e6, 2e6],
            spans: { t: [400e6], d: [300e6], name: [4] },
        };
        saveRuns(folder, [{ id: TIMELINE, source: 'shop', documents: { tree: TREE, timeline } }]);
    },
    env: { XDG_CACHE_HOME: CACHE },
});

/** Pages with pictures: their addresses. */
const PICTURES = {
    flame: `index.php?run=${TIMELINE}&source=shop&view=flame`,
    sandwich: `index.php?run=${TIMELINE}&source=shop&view=sandwich&sel=${encodeURIComponent(TREE.names[1])}`,
    timeline: `index.php?run=${TIMELINE}&source=shop&view=timeline`,
    'flame graph of a comparison': `index.php?run1=${TIMELINE}&source1=shop&run2=${WORKER}&source2=worker&view=flame`,
    heap: 'index.php?view=heap&heap=worker-after',
};

/**
 * @param {import('playwright-core').Page} page which decodes it
 * @param {string} png in base64
 * @returns {Promise<{width: number, height: number, data: Buffer}>} four bytes a pixel
 */
async function pixelsOf(page, png) {
    const { width, height, bytes } = await page.evaluate(async (picture) => {
        const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))]));
        const copy = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', { willReadFrequently: true });
        copy.drawImage(bitmap, 0, 0);
        const { data } = copy.getImageData(0, 0, bitmap.width, bitmap.height);
        let text = '';
        for (let at = 0; at < data.length; at += 32768) {
            text += String.fromCharCode(...data.subarray(at, at + 32768));
        }

        return { width: bitmap.width, height: bitmap.height, bytes: btoa(text) };
    }, png);

    return { width, height, data: Buffer.from(bytes, 'base64') };
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<{name: string, colours: number, black: number}[]>} of each canvas that one sees: how many colours have at least 40
 *     pixels, and the share of black ones, as the browser shows it
 */
async function canvases(page) {
    const all = [];
    for (const canvas of await page.locator('canvas:visible').all()) {
        const pixels = new Uint32Array(Uint8Array.from((await pixelsOf(page, (await canvas.screenshot()).toString('base64'))).data).buffer);
        const counts = new Map();
        for (const pixel of pixels) {
            counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
        }
        all.push({
            name: await canvas.getAttribute('class') ?? '', colours: [...counts.values()].filter((count) => count >= 40).length,
            black: (counts.get(0xff000000) ?? 0) / pixels.length,
        });
    }

    return all;
}

/** @param {import('playwright-core').Page} page */
async function drawn(page) {
    for (let attempt = 0; attempt < 100; attempt++) {
        if ((await canvases(page)).some(({ colours }) => colours > 3)) {
            return;
        }
        await page.waitForTimeout(50);
    }
}

describe('pictures', () => {
    for (const [name, path] of Object.entries(PICTURES)) {
        test(`${name}: nothing is black while it loads`, async () => {
            for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
                await onPage({ colorScheme }, async (page) => {
                    /** @type {(() => void)[]} */
                    const held = [];
                    const asked = new Promise((resolve) => {
                        void page.route(/api\.php\?get=(columns|diff|names)|show=map/, async (route) => {
                            resolve(undefined);
                            await new Promise((go) => held.push(() => go(undefined)));
                            await route.abort();
                        });
                    });
                    await page.goto(site.root + path);
                    await asked;
                    await page.locator('canvas').first().waitFor();
                    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
                    const before = await canvases(page);
                    assert.ok(before.length > 0);
                    assert.deepEqual(before.filter(({ black }) => black > 0.01), [], colorScheme);
                    await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' });
                    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
                    assert.deepEqual((await canvases(page)).filter(({ black }) => black > 0.01), [], 'in the other theme');
                    await page.goto('about:blank');
                    held.forEach((go) => go());
                });
            }
        });

        test(`${name}: a reader's own colours leave its colours apart`, async () => {
            for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
                await onPage({ colorScheme, forcedColors: 'active' }, async (page) => {
                    await page.goto(site.root + path);
                    await drawn(page);
                    const all = await canvases(page);
                    const main = all.filter(({ name: what }) => /flame-canvas|treemap|timeline/.test(what));
                    await shot(page, `forced-${colorScheme}-${name.replace(/\W+/g, '-')}`);
                    assert.ok(main.length > 0);
                    assert.deepEqual(main.filter(({ colours }) => colours < 3), [], colorScheme);
                });
            }
        });
    }
});

test('no text of the treemap stands on another one, whatever its width', async () => {
    await onPage({}, async (page) => {
        await page.addInitScript(() => {
            const { fillRect, fillText } = CanvasRenderingContext2D.prototype;
            /** @type {{text: string, left: number, right: number, y: number}[]} */
            let texts = [];
            Object.assign(globalThis, { textsDrawn: () => texts });
            CanvasRenderingContext2D.prototype.fillRect = function (x, y, width, height) {
                texts = x === 0 && y === 0 && width === this.canvas.width ? [] : texts;
                fillRect.call(this, x, y, width, height);
            };
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                const { width } = this.measureText(text);
                texts.push(this.textAlign === 'right' ? { text, left: x - width, right: x, y } : { text, left: x, right: x + width, y });
                fillText.call(this, text, x, y);
            };
        });
        await page.goto(site.root + PICTURES.heap);
        let seen = 0;
        for (let width = 560; width < 1300; width += 31) {
            await page.setViewportSize({ width, height: 900 });
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            const texts = await page.evaluate(() => /** @type {any} */ (globalThis).textsDrawn());
            seen += texts.length;
            for (const [at, one] of texts.entries()) {
                const under = texts.slice(0, at).filter((other) => other.y === one.y && other.left < one.right && one.left < other.right);
                assert.deepEqual(under.map(({ text }) => `${text} ${one.text}`), [], `${width} px`);
            }
        }
        assert.ok(seen > 100, `${seen} texts`);
    });
});

describe('room', () => {
    test("the call graph's buttons, legend and small map stand on no part of its picture", async () => {
        for (const [width, more] of /** @type {const} */ ([[1280, ''], [1280, '&flow=down'], [390, ''], [1280, '&threshold=0&nodes=400'], [390, '&threshold=0&nodes=400&flow=down']])) {
            await onPage({ viewport: { width, height: 800 } }, async (page) => {
                await page.goto(`${site.root}callgraph.php?run=${BEFORE}&source=shop${more}`);
                await page.locator('[data-node]').first().waitFor();
                await page.locator('.graph-map').waitFor();
                await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
                const picture = await page.locator('.graph-canvas > svg.graph').boundingBox();
                assert.ok(picture !== null && picture.height > 250, `${picture?.height} px high`);
                for (const other of ['.graph-buttons', '.graph-legend', '.graph-map']) {
                    const box = await page.locator(other).boundingBox();
                    const isApart = box === null || box.y + box.height <= picture.y + 1 || box.y >= picture.y + picture.height - 1;
                    assert.ok(isApart, `${other}, ${width} px ${more}: ${JSON.stringify([box, picture])}`);
                }
            });
        }
    });

    test('the first view of a wide call graph follows the path of the heaviest calls', async () => {
        for (const flow of ['', '&flow=down']) {
            await onPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
                await page.goto(`${site.root}callgraph.php?run=${FAN}&source=fan&threshold=0&nodes=250${flow}`);
                await page.locator('.graph .edge.critical').first().waitFor({ state: 'attached' });
                await page.locator('.graph-map').waitFor();
                await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
                await shot(page, `graph-fan${flow}`);
                const picture = await page.locator('.graph-canvas > svg.graph').boundingBox();
                for (const name of ['main()', 'kernel', 'parse', 'rule77', 'last']) {
                    const box = await page.locator(`[data-function=${JSON.stringify(name)}] .box`).boundingBox();
                    assert.ok(picture !== null && box !== null && box.x >= picture.x && box.x + box.width <= picture.x + picture.width
                        && box.y >= picture.y && box.y + box.height <= picture.y + picture.height, `${name} ${flow}: ${JSON.stringify([box, picture])}`);
                }
            });
        }
    });

    test('a call tree and charts take all of the width', async () => {
        await onPage({ viewport: { width: 1600, height: 800 } }, async (page) => {
            const wide = async (/** @type {string} */ selector) => (await page.locator(selector).first().boundingBox())?.width ?? 0;
            await page.goto(`${site.root}index.php?run=${WORKER}&source=worker&view=calltree`);
            await page.locator('.call-tree tbody tr[aria-rowindex]').first().waitFor();
            assert.ok(await wide('.call-tree') > 1500);
            await page.goto(`${site.root}index.php?view=requests`);
            assert.ok(await wide('figure.latency svg') > 1500);
            await page.goto(`${site.root}index.php?view=trend&source=traffic&start=aggregate&route=${encodeURIComponent('GET /search')}`);
            assert.ok(await wide('.trend-runs') > 1500);
        });
    });

    test('the head of a request has its answer in the same line', async () => {
        await onPage({ viewport: { width: 1600, height: 800 } }, async (page) => {
            await page.goto(`${site.root}index.php`);
            await page.locator('.runs tr:has(.answer) .c-title > a').first().click();
            await page.locator('p.origin').waitFor();
            assert.match(await page.locator('p.origin').innerText(), /answered \d{3}/);
            const [one, other] = [await page.locator('.head p.sub').first().boundingBox(), await page.locator('p.origin').boundingBox()];
            assert.ok(one !== null && other !== null && other.y < one.y + one.height);
        });
    });
});

describe('the focus', () => {
    const tables = {
        functions: `index.php?run=${BEFORE}&source=shop`,
        comparison: `index.php?run1=${BEFORE}&run2=${AFTER}&source=shop`,
        'call tree': `index.php?run=${WORKER}&source=worker&view=calltree`,
        sandwich: `index.php?run=${WORKER}&source=worker&view=sandwich`,
    };
    for (const [name, path] of Object.entries(tables)) {
        test(`has a whole ring around the table: ${name}`, async () => {
            await onPage({ viewport: { width: 1280, height: 1600 } }, async (page) => {
                await page.goto(site.root + path);
                await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
                await page.locator('.virtual table').focus();
                await page.keyboard.press('ArrowDown');
                // The inspector lies over the table's end while it is open.
                await page.keyboard.press('Escape');
                // Two pixels wide, one pixel away.
                const box = await page.locator('.virtual').evaluate((one) => {
                    one.scrollIntoView({ block: 'center' });
                    const { left, top, width, height } = one.getBoundingClientRect();

                    return { x: Math.round(left) - 3, y: Math.round(top) - 3, width: Math.round(width) + 6, height: Math.round(height) + 6 };
                });
                const pixels = await pixelsOf(page, (await page.screenshot({ clip: box })).toString('base64'));
                const [focus] = await page.evaluate(() => {
                    const probe = document.createElement('i');
                    probe.style.color = 'var(--focus)';
                    document.body.append(probe);

                    return [getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? []];
                });
                const isFocus = (/** @type {number} */ x, /** @type {number} */ y) => focus.every((value, i) => Math.abs(value - (pixels.data[4 * (y * pixels.width + x) + i] ?? 0)) < 40);
                const share = (/** @type {number} */ length, /** @type {(at: number) => boolean} */ test) => Array.from({ length: length - 12 }, (_, i) => test(i + 6)).filter(Boolean).length / (length - 12);
                const edges = {
                    top: share(pixels.width, (x) => [0, 1, 2].some((y) => isFocus(x, y))),
                    bottom: share(pixels.width, (x) => [1, 2, 3].some((y) => isFocus(x, pixels.height - y))),
                    left: share(pixels.height, (y) => [0, 1, 2].some((x) => isFocus(x, y))),
                    right: share(pixels.height, (y) => [1, 2, 3].some((x) => isFocus(pixels.width - x, y))),
                };
                assert.deepEqual(Object.entries(edges).filter(([, part]) => part < 0.98), []);
            });
        });
    }
});

describe("a reader's own colours", () => {
    /**
     * @param {import('playwright-core').Page} page
     * @param {string} selector
     * @returns {Promise<string[]>} in what they differ from the page: colour, background and lines
     */
    const looks = (page, selector) => page.locator(selector).evaluateAll((all) => all.map((one) => {
        const { color, backgroundColor, borderBottomColor } = getComputedStyle(one);

        return [color, backgroundColor, borderBottomColor].join(' ');
    }));

    test('the open tab and the pressed button look unlike the others', async () => {
        await onPage({ forcedColors: 'active' }, async (page) => {
            await page.goto(site.root + PICTURES.flame);
            await drawn(page);
            for (const [chosen, others] of [
                ['main > .tabs a[aria-current]', 'main > .tabs a:not([aria-current])'],
                ['.choice button[aria-pressed="true"]', '.choice button[aria-pressed="false"]'],
            ]) {
                const one = await looks(page, chosen);
                const rest = await looks(page, others);
                assert.ok(one.length > 0 && rest.length > 0, chosen);
                assert.ok(rest.every((look) => !one.includes(look)), `${chosen}: ${one[0]}`);
            }
            const [ink, ground] = (await looks(page, '.choice button[aria-pressed="true"]'))[0].match(/rgb\([^)]*\)/g) ?? [];
            assert.deepEqual([ink, ground].sort(), ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'], 'in reverse');
        });
    });
});
