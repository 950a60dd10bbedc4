/**
 * The table of functions, the function page, and features of all pages of a run: the field that finds functions, keys, themes.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'node:test';
import { AFTER, assertAccessible, assertFits, BACKGROUND, BEFORE, CORRECTED, fixtures, HOSTILE, PHP, shot, withSite } from './support.mjs';

const RUN = `index.php?run=${BEFORE}&source=shop`;
const MANY = 'index.php?run=many&source=many';
const FUNCTIONS = 100000;

const { site, onPage } = withSite({
    runs(folder) {
        fixtures(folder);
        const autoload = fileURLToPath(new URL('../../../xhprof_lib/autoload.php', import.meta.url));
        const code = `require ${JSON.stringify(autoload)}; $e = [];
            for ($i = 1; $i < ${FUNCTIONS}; $i++) {
                $e["main()==>App\\\\Module" . $i % 89 . "\\\\Service" . $i % 977 . "::method" . $i] = ['ct' => 1 + $i % 7, 'wt' => $i * 7919 % 100003,
                    'cpu' => $i % 5000, 'mu' => $i % 4096 - 100, 'pmu' => $i % 9];
            }
            $e['main()'] = ['ct' => 1, 'wt' => 10**10, 'cpu' => 10**9, 'mu' => 10**9, 'pmu' => 10**6];
            (new XHProf\\Store\\RunFolder($argv[1]))->save($e, 'many', 'many', ['url' => '/many', 'ts' => 1763680000]);`;
        execFileSync(PHP, ['-d', 'memory_limit=512M', '-r', code, folder], { stdio: 'inherit' });
    },
});

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page */
const live = (page) => page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();

/** @param {Page} page */
const names = (page) => page.locator('.run-functions tbody th.text').allInnerTexts();

/**
 * @param {Page} page
 * @param {number} count
 * @returns {Promise<string[][]>} texts of the first rows, without the figures per call, which the scripts add
 */
const rows = (page, count) => page.evaluate((most) => [...document.querySelectorAll('.run-functions tbody tr:has(> th)')]
    .slice(0, most)
    .map((row) => [...row.querySelectorAll(':scope > :not(.per)')].map((cell) => (cell.querySelector('.v, .fn')?.textContent ?? '').trim())), count);

/**
 * The effect of a click on a head, without waiting: nothing is requested from the server.
 *
 * @param {Page} page
 * @param {string} selector of the head
 * @returns {Promise<{sorted: string, first: string}>} the head that the rows are sorted by then, and the text of the first row
 */
const clicked = (page, selector) => page.evaluate((what) => {
    /** @type {HTMLElement} */ (document.querySelector(what)).click();

    return {
        sorted: document.querySelector('.virtual thead th[aria-sort]')?.className ?? '',
        first: document.querySelector('.virtual tbody tr[aria-rowindex]')?.textContent ?? '',
    };
}, selector);

describe('the table', () => {
    test('says the same with and without JavaScript', async () => {
        /** @type {Map<string, { plain: string[][], heads: string[] }>} */
        const said = new Map();
        const heads = (/** @type {Page} */ page) => page.locator('.run-functions thead th:not(.per)').allInnerTexts();
        await onPage({ javaScriptEnabled: false }, async (page) => {
            for (const query of ['', '&sort=excl_cpu', '&sort=fn', '&metric=pmu', '&sort=ct&metric=cpu']) {
                await page.goto(site.root + RUN + query);
                said.set(query, { plain: await rows(page, 25), heads: await heads(page) });
            }
        });
        await onPage({}, async (page) => {
            for (const [query, server] of said) {
                assert.ok(server.plain.length >= 10, query);
                await page.goto(site.root + RUN + query);
                await live(page);
                // As many rows as there is room for.
                const plain = await rows(page, 25);
                assert.ok(plain.length >= 10, query);
                assert.deepEqual({ plain, heads: await heads(page) }, { ...server, plain: server.plain.slice(0, plain.length) }, query);
            }
        });
    });

    test('links that name an order, a filter, a page open as they did', async () => {
        await onPage({}, async (page) => {
            const open = async (/** @type {string} */ query) => {
                await page.goto(site.root + RUN + query);
                await live(page);

                return page.evaluate(() => [...document.querySelectorAll('.virtual tbody tr[aria-rowindex]')].map((row) => ({
                    name: row.querySelector('.fn')?.textContent ?? '',
                    main: Number((row.querySelector('td.main')?.getAttribute('title') ?? '').replace(/,.*/, '').replace(/[^0-9.-]/g, '')),
                })));
            };
            for (const query of ['&sort=excl_cpu&dir=asc', '&sort=mu&dir=asc', '&sort=per_wt', '&sort=per_wt&dir=desc', '&sort=wt']) {
                const shown = (await open(query)).map(({ main }) => main);
                const sign = query.endsWith('asc') ? 1 : -1;
                assert.deepEqual(shown, [...shown].sort((a, b) => sign * (a - b)), query);
                assert.ok(new Set(shown).size > 1, query);
            }
            const filtered = await open('&q=LOGGER');
            assert.ok(filtered.length > 5 && filtered.every(({ name }) => name.toLowerCase().includes('logger')));
            // The rows that every window shows: how many there are below them depends on the moment.
            const all = (await open('&all=1&page=2&sort=nonsense')).slice(0, 10);
            assert.deepEqual(all, (await open('')).slice(0, 10));
            assert.equal(all.length, 10);
            assert.equal(await page.locator('.virtual table').getAttribute('aria-rowcount'), '248');
        });
    });

    test('on paper there are all rows, of very many the first, and a line that says how many are missing', async () => {
        const printed = (/** @type {Page} */ page) => page.evaluate(async () => {
            dispatchEvent(new Event('beforeprint'));
            // The change of the size must not take rows away again.
            await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
            const line = /** @type {HTMLElement} */ (document.querySelector('.on-paper'));

            return {
                rows: document.querySelectorAll('.virtual tbody tr[aria-rowindex]').length,
                room: [...document.querySelectorAll('.virtual .spacer')].some((one) => !(/** @type {HTMLElement} */ (one).hidden)),
                line: line.textContent,
                shown: line.offsetHeight > 0,
            };
        });
        await onPage({}, async (page) => {
            await page.goto(site.root + MANY);
            await live(page);
            assert.match(await page.locator('.count', { hasText: '100 000 rows' }).innerText(), /Ctrl\+F finds those in sight, the search field all$/);
            await page.emulateMedia({ media: 'print' });
            assert.deepEqual(await printed(page), {
                rows: 5000, room: false, shown: true,
                line: 'The first 5 000 of 100 000 rows are printed. Search for some of them to print these only.',
            });
            await page.emulateMedia({ media: 'screen' });
            await page.evaluate(() => dispatchEvent(new Event('afterprint')));
            assert.ok(await page.locator('.virtual .spacer').last().evaluate((one) => one.clientHeight > 1e6));
            assert.equal(await page.locator('.on-paper').isVisible(), false);
        });
        await onPage({}, async (page) => {
            await page.goto(site.root + RUN);
            await live(page);
            await page.emulateMedia({ media: 'print' });
            assert.deepEqual(await printed(page), { rows: 246, room: false, line: '', shown: false });
            const pdf = await page.pdf();
            const pages = (pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length;
            assert.ok(pages >= 4 && pages < 16, `${pages} pages`);
        });
    });

    test('heads sort, the address keeps it, the other views too', async () => {
        await onPage({}, async (page) => {
            await page.goto(site.root + RUN);
            await live(page);
            assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Self ▼', 'what takes most itself is first');
            await page.locator('thead').getByRole('link', { name: 'Total' }).first().click();
            await page.waitForURL(/sort=wt/);
            assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Total ▼');
            await page.locator('thead').getByRole('link', { name: 'Self' }).nth(1).click();
            await page.waitForURL(/sort=excl_cpu/);
            // Figures per call are of the chosen metric.
            assert.equal(await page.locator('thead th.m-cpu.per').count(), 1);
            assert.match(await page.getByRole('link', { name: 'Call graph', exact: true }).getAttribute('href') ?? '', /sort=excl_cpu/);
            await page.locator('th[aria-sort] a').click();
            await page.waitForURL(/dir=asc/);
            const shown = await names(page);
            await page.reload();
            await live(page);
            assert.deepEqual(await names(page), shown);
        });
    });

    test('filters while one types', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}${RUN}&sort=ct`);
            await live(page);
            await page.keyboard.press('/');
            await page.keyboard.type('logger/');
            await page.keyboard.press('Backspace');
            await page.locator('.count', { hasText: 'rows match “logger”' }).or(page.locator('.count', { hasText: 'rows match' })).waitFor();
            const shown = await names(page);
            assert.ok(shown.length > 5 && shown.every((name) => name.toLowerCase().includes('logger')));
            await page.waitForURL(/q=logger(?:&|$)/); // written a little after the last key
            await page.waitForURL(/sort=ct/);
            await page.reload();
            await live(page);
            assert.deepEqual(await names(page), shown);
            await page.getByRole('link', { name: 'Clear the filter' }).click();
            await page.locator('.count', { hasText: '246 rows' }).waitFor();
            assert.doesNotMatch(page.url(), /q=/);
            await page.getByRole('combobox').fill('no-such-function');
            await page.getByText('No function matches.').waitFor();
        });
    });

    test('is moved through by keyboard, Enter opens a function', async () => {
        await onPage({}, async (page) => {
            await page.goto(site.root + RUN);
            await live(page);
            await page.getByRole('grid').focus();
            await page.keyboard.press('ArrowDown');
            await page.keyboard.press('ArrowDown');
            const [first = '', second = ''] = await names(page);
            assert.equal(await page.locator('tr[aria-selected=true] th').innerText(), second);
            assert.equal(new URL(page.url()).searchParams.get('sel'), second);
            const active = await page.getByRole('grid').getAttribute('aria-activedescendant');
            assert.equal(await page.locator(`#${active}`).getAttribute('aria-rowindex'), '4');
            await assertAccessible(page);
            await page.keyboard.press('End');
            await page.locator('tr[aria-selected=true][aria-rowindex="248"]').waitFor();
            await page.keyboard.press('Home');
            await page.keyboard.press('Enter');
            const inspector = page.getByRole('complementary', { name: 'Selected function' });
            await inspector.getByRole('heading', { name: first }).waitFor();
            assert.ok(await inspector.evaluate((aside) => aside === document.activeElement));
            await page.keyboard.press('Escape');
            assert.ok(await page.getByRole('grid').evaluate((table) => table === document.activeElement));
            assert.equal(new URL(page.url()).searchParams.get('sel'), first, 'the selection stays');
            await page.keyboard.press('Enter');
            await page.keyboard.press('Enter');
            await page.waitForURL((address) => address.searchParams.get('symbol') === first);
            assert.equal(await page.locator('h1').innerText(), first);
        });
    });

    for (const [width, colorScheme] of [[1680, 'light'], [1440, 'dark'], [390, 'light']]) {
        test(`a row that is clicked opens the inspector, which closes, ${width} px`, () => onPage({ viewport: { width, height: 844 }, colorScheme }, async (page) => {
            await page.goto(site.root + RUN);
            await live(page);
            const inspector = page.locator('.with-inspector > .inspector');
            assert.ok(await inspector.isHidden());
            const row = page.locator('.virtual tbody tr[aria-rowindex]').nth(2);
            const name = await row.locator('th .fn').innerText();
            await row.locator('td.main').click();
            await inspector.locator('h2').waitFor();
            assert.equal(await inspector.locator('h2').innerText(), name);
            assert.equal(new URL(page.url()).searchParams.get('sel'), name, 'the address has it');
            await inspector.getByRole('link', { name: 'Function page' }).waitFor();
            assert.ok(await inspector.evaluate((aside) => aside.getBoundingClientRect().top < innerHeight && aside.getBoundingClientRect().left >= 0), 'in sight');
            const lies = () => page.evaluate(() => {
                const [row, table, aside] = ['.virtual tr[aria-selected=true]', '.virtual', '.with-inspector > .inspector'].map((one) => document.querySelector(one)?.getBoundingClientRect());

                return { beside: aside.left >= table.right, onRow: row.bottom > aside.top + 1, onTable: table.bottom > aside.top + 1 };
            });
            for (let tries = 0; tries < 50 && !(await lies()).beside && (await lies()).onRow; tries++) {
                await page.waitForTimeout(50);
            }
            assert.ok((await lies()).beside || !(await lies()).onRow, 'the inspector lies over the selected row');
            await page.locator('.with-inspector').evaluate((both) => both.scrollIntoView({ block: 'end' }));
            assert.ok((await lies()).beside || !(await lies()).onTable, 'both fit into the window');
            await assertAccessible(page);
            await assertFits(page);
            await shot(page, `functions-inspector-${width}`);
            await page.reload();
            await inspector.locator('h2').waitFor();
            await inspector.getByRole('button', { name: 'Close' }).click();
            await inspector.waitFor({ state: 'hidden' });
            assert.equal(new URL(page.url()).searchParams.get('sel'), null);
        }));
    }

    test('corrected times can be shown and hidden, also after filtering', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}index.php?run=${CORRECTED}&source=api&sort=ct`);
            await live(page);
            await page.getByRole('combobox').fill('logger');
            await page.locator('.count', { hasText: 'rows match' }).waitFor();
            await page.getByRole('link', { name: 'Show corrected times' }).click();
            await page.waitForURL(/q=logger/);
            await live(page);
            assert.equal(await page.locator('thead th', { hasText: 'Corrected' }).count(), 2);
            await assertFits(page);
            const inner = await page.locator('.virtual').evaluate((box) => box.scrollWidth - box.clientWidth);
            assert.ok(inner <= 0, `the table sticks out by ${inner} px`);
            await shot(page, 'functions-corrected');
            await page.getByRole('link', { name: 'Hide corrected times' }).click();
            await live(page);
            assert.equal(await page.locator('thead th', { hasText: 'Corrected' }).count(), 0);
            await page.waitForURL(/q=logger/);
        });
    });

    test('hostile names are text, and lead to their pages', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}index.php?run=${HOSTILE}&source=hostile&sort=fn`);
            await live(page);
            assert.ok((await names(page)).includes('<script>alert(1)</script>'));
            const links = await page.locator('.virtual tbody th a').evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''));
            for (const link of links) {
                const response = await page.request.get(site.root + link);
                assert.equal(response.status(), 200, link);
            }
            await page.locator('tr', { hasText: 'bad\\uFFFDutf'.slice(0, 3) }).first().locator('td').first().click();
            await assertAccessible(page);
        });
    });

    test('on a phone the metric one sorts by shows', async () => {
        await onPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' }, async (page) => {
            await page.goto(`${site.root}${RUN}&sort=mu`);
            await live(page);
            await assertFits(page);
            await page.locator('.virtual tbody tr').nth(3).locator('td.m-mu.main').waitFor();
            assert.ok(!await page.locator('.virtual tbody tr').nth(3).locator('td.m-wt').first().isVisible());
            await shot(page, 'functions-phone');
        });
    });

    test('shows the columns that fit, also after the window has changed', async () => {
        await onPage({}, async (page) => {
            await page.goto(site.root + RUN);
            await live(page);
            const heads = () => page.locator('.virtual thead tr').last().locator('th').count();
            assert.equal(await heads(), 9);
            for (const [width, columns] of [[1000, 6], [800, 3], [700, 3], [1280, 9]]) {
                await page.setViewportSize({ width: Number(width), height: 800 });
                await page.waitForFunction((count) => document.querySelectorAll('.virtual thead tr:last-child th').length === count, columns);
                const inner = await page.locator('.virtual').evaluate((box) => box.scrollWidth - box.clientWidth);
                assert.ok(inner <= 0, `at ${width} px the table sticks out by ${inner} px`);
                const name = await page.locator('.virtual tbody th.text').first().evaluate((cell) => cell.clientWidth);
                assert.ok(name > 200, `at ${width} px a name has ${name} px`);
            }
        });
    });

    test('where the figures cannot be had, the table of the server stays', async () => {
        await onPage({}, async (page) => {
            await page.route('**/api.php?get=functions*', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":{"message":"x"}}' }));
            await page.goto(site.root + RUN);
            await page.locator('.not-live').waitFor();
            assert.equal((await names(page)).length, 100);
        }, 500);
    });

    test('100 000 rows: few in the document, sorted and filtered at once', async () => {
        await onPage({}, async (page) => {
            /** @type {string[]} */
            const asked = [];
            page.on('request', (request) => request.url().includes('api.php') && asked.push(request.url()));
            await page.goto(site.root + MANY, { waitUntil: 'commit' });
            await page.locator('.run-functions tbody tr').nth(50).waitFor();
            await live(page);
            assert.equal(await page.locator('.virtual table').getAttribute('aria-rowcount'), String(FUNCTIONS + 2));
            assert.ok(await page.locator('.virtual tbody tr').count() < 120);
            let before = '';
            for (const column of ['m-cpu', 'm-ct', 'm-mu', 'text']) {
                const { sorted, first } = await clicked(page, `thead th.${column} a`);
                assert.match(sorted, new RegExp(column));
                assert.notEqual(first, before, column);
                before = first;
            }
            assert.equal(asked.length, 1, `all figures come at once: ${asked.join(' ')}`);
            await page.locator('.virtual').evaluate((box) => box.scrollTo(0, box.scrollHeight));
            await page.locator(`tr[aria-rowindex="${FUNCTIONS + 2}"]`).waitFor();
            assert.ok(await page.locator('.virtual tbody tr').count() < 120);
            await shot(page, 'functions-many');
            await page.getByRole('combobox').fill('METHOD9999');
            await page.locator('.count', { hasText: '11 of 100 000 rows match' }).waitFor();
            assert.equal(await page.locator('.virtual tbody tr[aria-rowindex]').count(), 11);
        });
    });
});

describe('without JavaScript', () => {
    test('the first rows are there, and nothing that does not work', async () => {
        await onPage({ javaScriptEnabled: false }, async (page) => {
            await page.goto(`${site.root}${MANY}&sort=mu&all=1&page=2`);
            assert.equal((await names(page)).length, 100);
            assert.equal(await page.locator('.count').first().innerText(), 'Top 100 of 100 000 rows; JavaScript shows the rest');
            assert.equal(await page.locator('th[aria-sort]').innerText(), 'Total ▼');
            assert.equal(await page.locator('thead a').count(), 0);
            assert.ok(!await page.locator('input[name=q]').isVisible());
            await shot(page, 'functions-plain');
        });
    });
});

describe('the field in the head', () => {
    test('offers functions, selects by keyboard, in every view', async () => {
        await onPage({}, async (page) => {
            await page.goto(site.root + RUN);
            await live(page);
            await page.keyboard.press('/');
            await page.keyboard.type('pdoex');
            // Each letter changes what is offered.
            await page.getByRole('option').first().filter({ hasText: /^PDOStatement::execute$/ }).waitFor();
            await shot(page, 'find');
            await page.keyboard.press('Control+a');
            await page.keyboard.type('router::');
            await page.getByRole('option', { name: 'App\\Http\\Router::get', exact: true }).waitFor();
            await page.keyboard.press('ArrowDown');
            await page.keyboard.press('ArrowDown');
            const wanted = await page.locator('[role=option][aria-selected=true]').innerText();
            await assertAccessible(page);
            await page.keyboard.press('Enter');
            assert.equal(new URL(page.url()).searchParams.get('sel'), wanted);
            assert.equal(await page.locator('tr[aria-selected=true] th').innerText(), wanted);
            assert.ok(await page.getByRole('listbox').isHidden());
            const link = await page.getByRole('link', { name: 'Call graph', exact: true }).getAttribute('href') ?? '';
            assert.ok(link.includes(`sel=${encodeURIComponent(wanted)}`) && link.includes('q=router'));
        });
    });

    test('on a function\'s page opens another\'s', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}${RUN}&symbol=strlen`);
            await page.keyboard.press('/');
            await page.keyboard.type('json_decode');
            await page.getByRole('option').first().waitFor();
            await page.keyboard.press('Enter');
            await page.waitForURL(/symbol=json_decode/);
            assert.equal(await page.locator('h1').innerText(), 'json_decode');
        });
    });
});

describe('a function\'s page', () => {
    for (const javaScriptEnabled of [true, false]) {
        test(`call paths lead to the flame graph, recursion is explained, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
            await onPage({ javaScriptEnabled }, async (page) => {
                await page.goto(`${site.root}index.php?run=${CORRECTED}&source=api&symbol=strlen`);
                await page.getByText('of its calls are nested').waitFor();
                const paths = page.locator('.paths-table tbody tr');
                assert.equal(await paths.count(), 20);
                await shot(page, `function-${javaScriptEnabled ? 'js' : 'plain'}`);
                const share = await page.locator('.paths-table td.main .p').first().innerText();
                assert.match(share, /^\d+\.\d %$/);
                await page.getByRole('link', { name: '@1', exact: true }).first().click();
                await page.getByText('nested in one other call of it').waitFor();
                await page.goBack();
                await page.locator('.paths-table').getByRole('link', { name: 'Flame' }).first().click();
                await page.waitForURL(javaScriptEnabled ? /view=flame.*root=\d+-[0-9a-f]+/ : /view=flame/);
                if (javaScriptEnabled) {
                    // The mark belongs to a path, otherwise there would be no zoom.
                    await page.locator('.frame-path li').nth(1).waitFor();
                    assert.equal(await page.locator('.frame-path li').last().innerText(), 'strlen');
                }
            });
        });
    }

    test('its callers and callees are sorted by each column both ways, as the address says', async () => {
        await onPage({}, async (page) => {
            const callees = page.locator('section[aria-labelledby=callees]');
            const values = async (/** @type {string} */ column) => callees.locator(await cellsOf(callees, column)).evaluateAll((all) => all.map((one) => Number(one.dataset.v)));
            const sorted = async (/** @type {string} */ column, /** @type {number} */ sign) => {
                const shown = await values(column);
                assert.ok(new Set(shown).size > 3, column);
                assert.deepEqual(shown, [...shown].sort((a, b) => sign * (a - b)), column);
            };
            await page.goto(`${site.root}${RUN}&symbol=mb_strtolower&sort=mu&dir=asc`);
            await callees.locator('th[aria-sort=ascending] a').waitFor();
            await sorted('mu', 1);
            await callees.locator('thead a', { hasText: 'Calls' }).click();
            await page.waitForURL(/sort=ct(&|$)/);
            await sorted('ct', -1);
            assert.equal(await callees.locator('th[aria-sort]').innerText(), 'Calls ▼');
            await callees.locator('th[aria-sort] a').click();
            await page.waitForURL(/dir=asc/);
            await sorted('ct', 1);
            assert.match(await callees.locator('tbody th a').first().getAttribute('href') ?? '', /sort=ct/);
            assert.ok(await callees.locator(await cellsOf(callees, 'ct')).first().evaluate((cell) => cell.classList.contains('main')));
            await callees.locator('thead a', { hasText: 'Function' }).click();
            const names = await callees.locator('tbody th').allTextContents();
            assert.deepEqual(names, [...names].sort());
            await assertAccessible(page);
        });
    });

    test('a phone shows the figures that its callers and callees are sorted by', async () => {
        await onPage({}, async (page) => {
            const callees = page.locator('section[aria-labelledby=callees]');
            await page.goto(`${site.root}${RUN}&symbol=mb_strtolower&sort=wt`);
            await callees.locator('thead th[data-sort=mu] a').click();
            await page.waitForURL(/sort=mu/);
            await page.setViewportSize({ width: 390, height: 844 });
            for (const [column, isShown] of /** @type {[string, boolean][]} */ ([['mu', true], ['ct', true], ['wt', false]])) {
                assert.equal(await callees.locator(`thead th[data-sort=${column}]`).isVisible(), isShown, column);
                assert.equal(await callees.locator(await cellsOf(callees, column)).first().isVisible(), isShown, column);
            }
        });
    });

    test('the call paths of a large tree come when the rest is there', async () => {
        await onPage({}, async (page) => {
            // As for a large tree, a link is in their place.
            await page.route('**/index.php?*symbol=strlen', async (route) => {
                const response = await route.fetch();
                const body = (await response.text()).replace(
                    /<section aria-labelledby="paths">[\s\S]*?<\/section>/,
                    `<section aria-labelledby="paths" data-lazy="index.php?run=${CORRECTED}&amp;source=api&amp;symbol=strlen&amp;paths=1"><h2 id="paths">Call paths</h2><p><a href="#">Show</a></p></section>`,
                );
                await route.fulfill({ response, body });
            });
            await page.goto(`${site.root}index.php?run=${CORRECTED}&source=api&symbol=strlen`);
            await page.locator('.paths-table tbody tr').nth(19).waitFor();
        });
    });
});

/**
 * @param {import('playwright-core').Locator} part with one table
 * @param {string} column
 * @returns {Promise<string>} selector of its cells
 */
async function cellsOf(part, column) {
    const at = await part.locator('thead th').evaluateAll((heads, key) => heads.findIndex((head) => head.getAttribute('data-sort') === key), column);

    return `tbody td:nth-child(${at + 1})`;
}

describe('keys', () => {
    test('open the views, list themselves, go to the neighbours of the list', async () => {
        await onPage({}, async (page) => {
            await page.goto(`${site.root}index.php`);
            const order = await page.locator('table.runs tbody th a[title][href^="index.php?run="]').evaluateAll((links) => links.map((link) => new URL(/** @type {HTMLAnchorElement} */ (link).href).searchParams.get('run')));
            const at = order.indexOf(BEFORE);
            assert.equal(new Set(order).size, order.length);
            await page.goto(`${site.root}${RUN}&sel=strlen`);
            await live(page);
            await page.keyboard.press('?');
            const dialog = page.getByRole('dialog');
            await dialog.getByText('Next run of the list').waitFor();
            await dialog.getByText('Call graph').waitFor();
            await assertAccessible(page);
            await shot(page, 'keys');
            await page.keyboard.press('Escape');
            await dialog.waitFor({ state: 'detached' });
            await page.keyboard.press(']');
            await page.waitForURL(new RegExp(`run=${order[at + 1]}.*`));
            await page.waitForURL(/sel=strlen/);
            await page.keyboard.press('[');
            await page.waitForURL(new RegExp(BEFORE));
            await page.keyboard.press('g');
            await page.waitForURL(/view=graph/);
            await page.waitForURL(/sel=strlen/);
            await page.keyboard.press('t');
            await page.waitForURL((url) => !url.searchParams.has('view'));
            await page.keyboard.press('d');
            await page.waitForURL(/with=/);
        });
    });

    test('typed into a field are the field\'s', async () => {
        await onPage({}, async (page) => {
            await page.goto(site.root + RUN);
            await page.keyboard.press('/');
            await page.keyboard.type('gtf?d');
            assert.equal(await page.getByRole('combobox').inputValue(), 'gtf?d');
            assert.equal(await page.getByRole('dialog').count(), 0);
            await page.keyboard.press('Escape');
            await page.keyboard.press('Escape');
            assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'INPUT');
        });
    });
});

test('the theme is chosen by hand, and kept', async () => {
    await onPage({ colorScheme: 'light' }, async (page) => {
        await page.goto(site.root + RUN);
        const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        const button = page.getByRole('button', { name: /^Theme/ });
        await button.click();
        await button.click();
        assert.equal(await background(), BACKGROUND.dark);
        await page.goto(`${site.root}index.php?run=${AFTER}&source=shop`);
        assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark', 'PHP sends it so');
        assert.equal(await background(), BACKGROUND.dark);
        await assertAccessible(page);
        await button.click();
        assert.equal(await background(), BACKGROUND.light);
        await page.reload();
        assert.equal(await page.locator('html').getAttribute('data-theme'), null);
    });
});
