/** The call graph as a user works with it: open, look around, search, narrow it down, click through, return by its URL. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AFTER, BEFORE, HOSTILE, LARGE, assertAccessible, assertFits, shot, withSite } from './support.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RUN = `index.php?run=${BEFORE}&source=shop&view=graph`;
const DIFF = `index.php?run1=${BEFORE}&run2=${AFTER}&source=shop&view=graph`;
const EXECUTE = 'PDOStatement::execute';

const { site, onPage } = withSite();

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} path */
async function open(page, path) {
    const response = await page.goto(site.root + path);
    assert.equal(response?.status(), 200);
    await drawn(page);
}

/** Waits for the picture of the current choice. @param {Page} page */
async function drawn(page) {
    await page.locator('.graph-canvas > .graph [data-node]').first().waitFor({ state: 'attached' });
    await page.locator('.graph-view .busy').waitFor({ state: 'detached' });
}

/** @param {Page} page */
const transform = (page) => page.locator('.graph-canvas > .graph > g').getAttribute('transform');

/** @param {Page} page */
const scale = async (page) => Number(/scale\((.+)\)/.exec(await transform(page) ?? '')?.[1]);

/** @param {Page} page */
const boxes = (page) => page.locator('[data-node]').count();

/** Polls until something holds. @param {() => Promise<boolean>} holds @param {string} what */
async function eventually(holds, what) {
    for (let attempt = 0; attempt < 100; attempt++) {
        if (await holds()) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.fail(`${what}: never`);
}

/** @param {Page} page @param {'button' | 'link'} role @param {string} kind */
async function saved(page, role, kind) {
    const wait = page.waitForEvent('download');
    await page.getByRole(role, { name: `Save as ${kind.toUpperCase()}` }).click();
    const download = await wait;

    return { name: download.suggestedFilename(), body: readFileSync(await download.path(), 'utf8') };
}

/** @param {Page} page @param {string} name */
const node = (page, name) => page.locator(`[data-function="${name}"]`);

/** @param {Page} page @param {string} key */
const parameter = (page, key) => new URL(page.url()).searchParams.get(key);

describe('the picture', () => {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
        test(`is drawn and accessible, ${colorScheme}`, async () => {
            await onPage({ colorScheme }, async (page) => {
                await open(page, RUN);
                assert.ok(await boxes(page) > 40);
                assert.match(await page.locator('.graph-status').innerText(), /^\d+ of \d+ functions, \d+ calls between them/);
                // Readable: the text of the names is at least 10 px high, or the graph is far larger than the window.
                assert.ok(await scale(page) >= 0.55);
                await node(page, 'main()').waitFor();
                assert.equal(await page.locator('.graph-notes > :visible').count(), 0, 'nothing is amiss');
                await shot(page, `graph-${colorScheme}`);
                await open(page, `${RUN}&threshold=0.2`);
                await page.getByLabel('Show all (0)').click();
                await assertAccessible(page);
            });
        });
    }

    test('moves by mouse and by keys, and goes back to its start', async () => {
        await onPage({}, async (page) => {
            await open(page, RUN);
            const start = await transform(page);
            await page.mouse.move(300, 560);
            await page.mouse.down();
            await page.mouse.move(420, 600, { steps: 4 });
            await page.mouse.up();
            await eventually(async () => await transform(page) !== start, 'it moves');
            const [before, address] = [await scale(page), page.url()];
            await page.mouse.wheel(0, -300);
            await eventually(async () => await scale(page) > before * 1.5, 'the wheel makes it larger');
            await page.keyboard.press('-');
            await page.keyboard.press('0');
            await eventually(async () => await scale(page) < before, 'all of it');
            assert.equal(page.url(), address, 'where one looks is not in the address');
            await page.locator('.graph-map').waitFor({ state: 'hidden' });
            await page.keyboard.press('Home');
            await eventually(async () => await transform(page) === start, 'the start');
            await page.locator('.graph-map').waitFor();
        });
    });

    test('texts go as it gets smaller', async () => {
        await onPage({}, async (page) => {
            await open(page, `${RUN}&threshold=0&nodes=200`);
            await node(page, 'main()').locator('.value').first().waitFor();
            await page.getByLabel('Show all (0)').click();
            await page.locator('.graph.far').waitFor();
            assert.equal(await page.locator('[data-node] .value:visible').count(), 0);
        });
    });
});

describe('functions in it', () => {
    test('a click selects, two open the page, and the link is one', async () => {
        await onPage({}, async (page) => {
            await open(page, `${RUN}&threshold=0.1`);
            const width = async () => (await page.locator('.graph-canvas').boundingBox())?.width ?? 0;
            const wide = await width();
            assert.ok(wide > 1200, `nothing is selected: the picture has the room, ${wide}`);
            await node(page, 'main()').click();
            assert.equal(parameter(page, 'sel'), 'main()');
            await page.locator('.inspector h2', { hasText: 'main()' }).waitFor();
            assert.ok(await width() < wide - 250);
            await page.locator('.inspector .neighbours button').first().click();
            const name = parameter(page, 'sel') ?? '';
            assert.notEqual(name, 'main()');
            await page.locator('[data-node].selected').waitFor();
            assert.equal(await page.locator('[data-node].selected').getAttribute('data-function'), name);
            // The other views open with it selected.
            assert.ok((await page.getByRole('link', { name: 'Functions' }).getAttribute('href'))?.includes(`sel=${encodeURIComponent(name)}`));
            await page.locator('[data-node].selected').dblclick();
            await page.locator('h1', { hasText: name }).waitFor();
        });
    });

    test('the figures of a call stand beside the boxes, not on them', async () => {
        await onPage({}, async (page) => {
            await open(page, `${RUN}&threshold=0.1`);
            await node(page, 'main()').hover();
            await page.locator('.edge-label').first().waitFor();
            const covered = await page.evaluate(() => {
                const boxes = [...document.querySelectorAll('[data-node] .box')].map((one) => one.getBoundingClientRect());

                return [...document.querySelectorAll('.edge-label')].map((one) => one.getBoundingClientRect()).filter((label) =>
                    boxes.some((box) => label.left < box.right && box.left < label.right && label.top < box.bottom && box.top < label.bottom)).length;
            });
            assert.equal(covered, 0);
        });
    });

    test('the keyboard walks along the calls and opens a function', async () => {
        await onPage({}, async (page) => {
            await open(page, `${RUN}&threshold=0.1`);
            await node(page, 'main()').focus();
            await page.keyboard.press('ArrowRight');
            const name = parameter(page, 'sel');
            assert.ok(name !== null && name !== 'main()');
            assert.ok(await page.locator('.edge-label').count() > 0, 'its calls are labelled');
            await page.keyboard.press('ArrowLeft');
            assert.equal(parameter(page, 'sel'), 'main()');
            await page.keyboard.press('Escape');
            assert.equal(parameter(page, 'sel'), null);
            await page.keyboard.press('ArrowRight');
            await page.keyboard.press('Enter');
            await page.locator('h1', { hasText: name ?? '' }).waitFor();
        });
    });

    test('pointing at one shows its neighbours', async () => {
        await onPage({}, async (page) => {
            await open(page, `${RUN}&threshold=0.1`);
            await node(page, 'main()').hover();
            await page.locator('.graph.lighting').waitFor();
            const near = await page.locator('[data-node].near').count();
            assert.ok(near > 1 && near < await boxes(page));
            assert.match(await page.locator('.edge-label').first().textContent() ?? '', /ms · \d+\.\d % · .* calls?/);
        });
    });

    test('a search dims the others, and offers what is not drawn', async () => {
        await onPage({}, async (page) => {
            await open(page, `${RUN}&threshold=0.05`);
            await page.keyboard.press('/');
            await page.keyboard.type('execute');
            await eventually(async () => parameter(page, 'q') === 'execute', 'the address follows');
            await page.locator('.graph.searching').waitFor();
            const matches = await page.locator('[data-node].match').count();
            assert.ok(matches >= 1 && matches < await boxes(page));
            await page.locator('.graph-notes', { hasText: 'in the picture' }).waitFor();
        });
    });
});

describe('what is drawn', () => {
    test('threshold, number, focus and levels are in the address, and it opens the same again', async () => {
        await onPage({}, async (page) => {
            await open(page, RUN);
            const all = await boxes(page);
            await page.getByLabel('Minimum share of a function').focus();
            await page.keyboard.press('ArrowRight');
            await page.keyboard.press('ArrowRight');
            await eventually(async () => await boxes(page) < all, 'fewer functions');
            assert.equal(parameter(page, 'threshold'), '0.05');
            await page.getByLabel('functions', { exact: false }).locator('visible=true').first().waitFor();
            await page.locator('select[name=nodes]').selectOption('30');
            await page.getByLabel('Critical path').uncheck();
            await eventually(async () => await page.locator('[data-edge].critical').count() === 0, 'no critical path');
            await page.keyboard.press('0');
            await node(page, EXECUTE).click();
            await page.getByRole('button', { name: 'Focus on it' }).click();
            await page.locator('.graph-notes', { hasText: `Focus on ${EXECUTE}` }).waitFor();
            await drawn(page);
            await eventually(async () => await page.locator('[data-node].focus').count() === 1, 'the focus is marked');
            await page.getByLabel('Top down').check();
            await drawn(page);
            const [count, address] = [await boxes(page), page.url()];
            assert.ok(count < all);
            const rows = page.locator('[data-graph-calls] tbody tr');
            assert.equal(await rows.count(), await page.locator('.edge[data-edge]').count(), 'the table has the same calls');

            await open(page, address.slice(site.root.length));
            assert.equal(await boxes(page), count);
            assert.ok(!await page.getByLabel('Critical path').isChecked());
            assert.equal(await page.locator('select[name=nodes]').inputValue(), '30');
            assert.equal(await page.locator('.graph-form output').innerText(), '5 %');
            await page.getByRole('button', { name: 'Show all', exact: true }).click();
            await eventually(async () => await page.locator('[data-node].focus').count() === 0, 'all again');
            await page.goBack();
            await eventually(async () => await page.locator('[data-node].focus').count() === 1, 'one step back');
        });
    });

    test('PHP\'s own functions can be hidden: what they took is their callers\'', async () => {
        await onPage({}, async (page) => {
            await open(page, `${RUN}&threshold=0.01`);
            assert.equal(await node(page, 'json_decode').count(), 1);
            await node(page, 'main()').click();
            await page.locator('.inspector', { hasText: '100.0 %' }).waitFor();
            await page.getByLabel('Hide internal functions').check();
            await eventually(async () => await node(page, 'json_decode').count() === 0, 'json_decode is gone');
            assert.equal(parameter(page, 'internals'), '0');
            assert.ok(await node(page, 'main()').count() === 1);
        });
    });

    test('another metric', async () => {
        await onPage({}, async (page) => {
            await open(page, RUN);
            await page.locator('select[name=metric]').selectOption({ label: 'Memory' });
            await page.locator('[data-node].memory').first().waitFor();
            assert.equal(parameter(page, 'metric'), 'mu');
            assert.match(await page.locator('[data-graph-calls] th[aria-sort]').innerText(), /^Memory/);
        });
    });

    test('400 functions of a large run', async () => {
        await onPage({}, async (page) => {
            await open(page, `index.php?run=${LARGE}&source=shop-cli&view=graph&threshold=0&nodes=400`);
            assert.equal(await boxes(page), 400);
            await page.keyboard.press('0');
            await shot(page, 'graph-400');
        });
    });

    test('it can be saved', async () => {
        await onPage({}, async (page) => {
            await open(page, RUN);
            for (const [role, kind, text] of /** @type {const} */ ([['button', 'svg', '<svg xmlns'], ['link', 'dot', 'digraph']])) {
                const { name, body } = await saved(page, role, kind);
                assert.equal(name, `call-graph.${kind}`);
                assert.ok(body.includes(text));
            }
        });
    });

    test('as DOT it is the graph that is drawn: with its settings, around its focus, also from a classic address', async () => {
        await onPage({}, async (page) => {
            /** @type {(what: string) => Promise<void>} */
            const same = async (what) => {
                const { body } = await saved(page, 'link', 'dot');
                const lines = [body.match(/^N\d+ \[/mg) ?? [], body.match(/^N\d+ -> N\d+ \[/mg) ?? []];
                assert.deepEqual(lines.map(({ length }) => length), [await boxes(page), await page.locator('.edge[data-edge]').count()], what);
            };
            await open(page, RUN);
            await page.locator('select[name=nodes]').selectOption('30');
            await eventually(async () => await boxes(page) <= 40, 'fewer functions');
            await drawn(page);
            await same('after a change');
            await page.getByLabel('Hide internal functions').check();
            await eventually(async () => await node(page, EXECUTE).count() === 0, 'hidden');
            await drawn(page);
            await same('without internal functions');
            await open(page, `callgraph.php?run=${BEFORE}&source=shop&threshold=0.1&func=${EXECUTE}`);
            await same('a classic address');
            await open(page, `${DIFF}&threshold=0.1`);
            await same('two runs');
        });
    });
});

describe('elsewhere', () => {
    test('two runs: changes by colour, sign and arrow; one beside the other', async () => {
        await onPage({ colorScheme: 'dark' }, async (page) => {
            await open(page, `${DIFF}&threshold=0.1`);
            assert.ok(await page.locator('[data-node][class*="own-up"]').count() > 0);
            assert.ok(await page.locator('[data-node] .value', { hasText: '▲ +' }).count() > 0);
            await page.getByLabel('Colours by percent').check();
            assert.equal(parameter(page, 'change'), 'percent');
            await node(page, 'main()').click();
            await page.locator('.inspector', { hasText: 'Before' }).waitFor();
            assert.match(await page.locator('.changed').innerText(), /Total.*▲ \+/s);
            await assertAccessible(page);
            await shot(page, 'graph-comparison');
        });
    });

    test('classic addresses show it too', async () => {
        await onPage({}, async (page) => {
            await open(page, `callgraph.php?run=${BEFORE}&source=shop&threshold=0.1&func=${EXECUTE}`);
            await page.locator('.graph-notes', { hasText: `Focus on ${EXECUTE}` }).waitFor();
        });
    });

    test('hostile names are text', async () => {
        await onPage({}, async (page) => {
            await open(page, `index.php?run=${HOSTILE}&source=hostile&view=graph&threshold=0`);
            assert.ok(await page.locator('.name', { hasText: '<script>' }).count() > 0);
            // The page's own modules have an address.
            assert.equal(await page.locator('main img, main script:not([src^="assets/js/"])').count(), 0);
            for (const name of ['bad\\xFFutf', 'VeryLong']) {
                const link = await page.locator(`[data-function*=${JSON.stringify(name)}]`).first().getAttribute('href');
                assert.equal((await page.request.get(site.root + link)).status(), 200, name);
            }
        });
    });

    test('a phone', async () => {
        await onPage({ viewport: { width: 390, height: 844 }, hasTouch: true }, async (page) => {
            await open(page, RUN);
            await assertFits(page);
            await shot(page, 'graph-phone');
            await open(page, `${RUN}&threshold=0.2`);
            await node(page, 'main()').tap();
            await page.locator('.inspector h2', { hasText: 'main()' }).waitFor();
            await assertAccessible(page);
        });
    });

    test('without JavaScript: a form, the server\'s picture or why there is none, and the calls', async () => {
        await onPage({ javaScriptEnabled: false }, async (page) => {
            await page.goto(`${site.root}${RUN}&threshold=0.1`);
            assert.ok(await page.locator('noscript img, noscript .note, .graph-picture img').count() > 0);
            const rows = await page.locator('[data-graph-calls] tbody tr').count();
            assert.ok(rows > 3);
            assert.ok(!await page.locator('.graph-view').isVisible());
            await page.locator('select[name=threshold]').selectOption('0.2');
            await page.getByRole('button', { name: 'Show' }).click();
            assert.ok(await page.locator('[data-graph-calls] tbody tr').count() < rows);
            assert.equal(parameter(page, 'view'), 'graph');
        });
    });
});

describe('without the files of npm packages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'xhprof-pages-'));
    after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    const pages = join(folder, 'xhprof_html');
    cpSync(join(ROOT, 'xhprof_html'), pages, { recursive: true, filter: (file) => !file.includes('/assets/vendor') && !file.includes('/.vendor-') });
    for (const name of ['xhprof_lib', 'vendor']) {
        symlinkSync(join(ROOT, name), join(folder, name));
    }
    const other = withSite({ pages });

    test('it has no picture and says what makes one; its settings, table and files work', async () => {
        await other.onPage({}, async (page) => {
            await page.goto(other.site.root + RUN);
            await page.locator('.graph-notes', { hasText: 'make assets' }).waitFor();
            assert.match(await page.locator('.graph-notes').innerText(), /The picture needs Graphviz.*run make assets.*The table below has the same figures/s);
            assert.ok(!await page.locator('.graph-canvas').isVisible());
            assert.ok(!await page.getByRole('button', { name: 'Save as SVG' }).isVisible());
            for (const key of ['0', '+', '-', 'Home', 'o']) {
                await page.keyboard.press(key);
            }
            const rows = page.locator('[data-graph-calls] tbody tr');
            const all = await rows.count();
            assert.ok(all > 40);
            await page.locator('select[name=nodes]').selectOption('30');
            await eventually(async () => await rows.count() < all, 'fewer calls');
            const { body } = await saved(page, 'link', 'dot');
            assert.equal((body.match(/^N\d+ -> N\d+ \[/mg) ?? []).length, await rows.count());
            await page.locator('select[name=metric]').selectOption({ label: 'Memory' });
            await page.locator('[data-graph-calls] th[aria-sort]', { hasText: 'Memory' }).waitFor();
            await assertAccessible(page);
            await shot(page, 'graph-without-graphviz');
            await page.goto(`${other.site.root + RUN}&sel=${EXECUTE}`);
            await page.locator('.inspector h2', { hasText: EXECUTE }).waitFor();
            await page.goto(`${other.site.root + DIFF}&threshold=0.1&sel=main()`);
            assert.match(await page.locator('.changed').innerText(), /Total.*▲ \+/s);
        });
    });
});

describe('where Graphviz fails', () => {
    test('on a large graph, the table has it, and a smaller one is drawn', async () => {
        await onPage({}, async (page) => {
            await page.route('**/vendor/graphviz/graphviz.js', (route) => route.fulfill({
                contentType: 'text/javascript',
                body: `import { Graphviz as Real } from './graphviz.js?real';
                    export class Graphviz {
                        static async load() {
                            const program = await Real.load();
                            const layout = (dot, ...more) => {
                                if (dot.split('[width=').length > 40) {
                                    throw new Error('no memory');
                                }
                                return program.layout(dot, ...more);
                            };
                            return { layout };
                        }
                    }`,
            }));
            await page.goto(site.root + RUN);
            await page.locator('.graph-notes', { hasText: 'Graphviz failed on this graph: choose fewer functions. The table below has the same figures.' }).waitFor();
            assert.ok(!await page.locator('.graph-canvas').isVisible());
            assert.ok(await page.locator('[data-graph-calls] tbody tr').count() > 40);
            await page.locator('select[name=nodes]').selectOption('30');
            await page.locator('.graph-canvas > .graph [data-node]').first().waitFor();
            assert.equal(await page.locator('.graph-notes > :visible').count(), 0, 'nothing is amiss any more');
        });
    });

    test('altogether, the page says so', async () => {
        await onPage({}, async (page) => {
            await page.route('**/vendor/graphviz/graphviz.js', (route) => route.fulfill({ contentType: 'text/javascript', body: 'export const Graphviz = null;' }));
            await page.goto(site.root + RUN);
            await page.locator('.graph-notes', { hasText: 'Graphviz cannot run in this browser' }).waitFor();
        });
    });
});
