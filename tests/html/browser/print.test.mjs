/** Pages on paper: a table made on a wide screen keeps its names, and nothing leaves the sheet. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AFTER, BEFORE, WORKER, fixtures, withSite } from './support.mjs';


/** CSS pixels between the margins, of 10 mm. */
const PAPERS = { A4: 718, Letter: 740, 'A4 landscape': 1047, 'Letter landscape': 980 };

/** CSS pixels that a name has at least, where there are names of functions or runs. */
const NAME = 230;

const { site, onPage } = withSite({
    runs(folder) {
        fixtures(folder);
        fixtures(folder, 'heap');
    },
});

/** Name => path, and a selector of names that are never narrow. */
const PAGES = /** @type {Record<string, [string, string]>} */ ({
    runs: ['index.php', '.c-title'],
    functions: [`index.php?run=${BEFORE}&source=shop`, 'th.text'],
    'functions by memory': [`index.php?run=${BEFORE}&source=shop&sort=excl_pmu`, 'th.text'],
    function: [`index.php?run=${BEFORE}&source=shop&symbol=PDOStatement::execute`, '.functions th.text'],
    comparison: [`index.php?run1=${BEFORE}&run2=${AFTER}&source=shop`, '.functions th.text'],
    'comparison by total': [`index.php?run1=${BEFORE}&run2=${AFTER}&source=shop&sort=d_wt`, '.functions th.text'],
    'comparison by calls': [`index.php?run1=${BEFORE}&run2=${AFTER}&source=shop&sort=d_ct`, '.functions th.text'],
    mean: [`index.php?run=${BEFORE},${AFTER}&source=shop&wts=1,3`, '.mean th.text'],
    'call tree': [`index.php?run=${WORKER}&source=worker&view=calltree`, 'th.text'],
    sandwich: [`index.php?run=${WORKER}&source=worker&view=sandwich`, 'th.text'],
    'call tree of both': [`index.php?run1=${WORKER}&run2=${WORKER}&source=worker&view=calltree`, 'th.text'],
    'sandwich of both': [`index.php?run1=${WORKER}&run2=${WORKER}&source=worker&view=sandwich`, 'th.text'],
    memory: [`index.php?run=${WORKER}&source=worker&view=memory`, '.memory th.text'],
    operations: [`index.php?run=${WORKER}&source=worker&view=operations`, 'th.text'],
    'heap snapshots': ['index.php?view=heap', '.heap-list th.text'],
});

/** @param {import('playwright-core').Page} page */
async function onPaper(page) {
    await page.addInitScript(() => {
        const Observer = ResizeObserver;
        // A browser lays a page out for paper without asking the page's scripts again.
        globalThis.ResizeObserver = class extends Observer {
            /** @param {ResizeObserverCallback} seen */
            constructor(seen) {
                super((...all) => matchMedia('print').matches || seen(...all));
            }
        };
    });
}

describe('on paper', () => {
    for (const [name, [path, selector]] of Object.entries(PAGES)) {
        test(`${name}: names are whole, and the sheet holds all columns`, async () => {
            await onPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
                await onPaper(page);
                await page.goto(site.root + path);
                await page.waitForLoadState('networkidle');
                await page.emulateMedia({ media: 'print' });
                for (const [paper, width] of Object.entries(PAPERS)) {
                    await page.setViewportSize({ width, height: 1000 });
                    const found = await page.evaluate((names) => {
                        const shown = (/** @type {Element} */ one) => one.getClientRects().length > 0;
                        const cells = [...document.querySelectorAll('table.data tbody :is(th, td).text')].filter((one) => shown(one) && one.textContent?.trim() !== '');
                        const cut = (/** @type {Element} */ one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1
                            && getComputedStyle(one).overflowX !== 'visible';
                        const heads = [...document.querySelectorAll('table.data thead')].filter((head) => [...head.querySelectorAll('.group')].some(shown)).map((head) => {
                            // A head of two lines is of both.
                            const of = (/** @type {Element} */ row) => [...row.children, ...head.querySelectorAll('[rowspan="2"]')].filter(shown);

                            return [...head.children].map((row) => Math.max(0, ...of(row).map((one) => one.getBoundingClientRect().right)));
                        });

                        return {
                            width: document.documentElement.scrollWidth,
                            narrow: Math.min(...cells.filter((one) => one.matches(`tbody :is(${names})`)).map((one) => one.clientWidth)),
                            cut: cells.filter((one) => [one, ...one.querySelectorAll('*')].some(cut)).map((one) => one.textContent),
                            uneven: heads.filter((rights) => rights.length > 1 && Math.abs(rights[0] - rights[1]) > 1),
                            controls: [...document.querySelectorAll('main :is(input, select, .sides a), main button:not(.plain)')].filter(shown).map((one) => one.outerHTML),
                        };
                    }, selector);
                    assert.ok(found.width <= width, `${paper}: ${found.width} px wide in ${width}`);
                    assert.ok(Number.isFinite(found.narrow) && found.narrow >= NAME, `${paper}: a name has ${found.narrow} px`);
                    assert.deepEqual({ cut: found.cut, uneven: found.uneven, controls: found.controls }, { cut: [], uneven: [], controls: [] }, paper);
                }
            });
        });
    }
});
