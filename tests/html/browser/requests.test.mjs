/** Requests that settings profiled, as users look at them; every page of such runs with and without JavaScript. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { COLOURS, assertAccessible, assertFits, fixtures, shot, withSite } from './support.mjs';

const REQUESTS = 'index.php?view=requests';
const TRIGGERED = 'a1000000000000000000000000000001';
const SAMPLED = 'index.php?run=a1000000000000000000000000000005&source=live';
const CPU = 'index.php?run=a1000000000000000000000000000006&source=live';
const HOSTILE = 'index.php?run=a1000000000000000000000000000007&source=live';
const WINDOW = `index.php?run=a2${'5'.padStart(30, '0')}&source=traffic`;
const ROUTE = 'index.php?view=trend&source=traffic&start=aggregate&route=GET%20%2Fsearch';

const { site, onPage } = withSite({
    runs: (folder) => {
        fixtures(folder, 'automatic');
    },
});

/** name => [path, text of the heading, status] */
const PAGES = /** @type {Record<string, [string, string]>} */ ({
    requests: [REQUESTS, 'Requests'],
    'requests, none': [`${REQUESTS}&status=2xx&q=nothing`, 'Requests'],
    'a fork': ['index.php?run=a1000000000000000000000000000003&source=live', 'GET /report/yearly'],
    'a job': ['index.php?run=a1000000000000000000000000000004&source=live', 'App\\Job\\SendInvoice'],
    lines: [`${SAMPLED}&symbol=App%5CTwig%5CEngine::render`, 'App\\Twig\\Engine::render'],
    timeline: [`${SAMPLED}&view=timeline`, 'GET /orders/17?key=REDACTED'],
    'run by the CPU clock': [CPU, 'GET /orders/17'],
    'flame graph by the CPU clock': [`${CPU}&view=flame`, 'GET /orders/17'],
    'hostile run': [HOSTILE, '<img src=x onerror=alert(1)>'],
    window: [WINDOW, 'All requests (60 s)'],
    'trend of a route': [ROUTE, 'GET /search'],
    'what if': [`${WINDOW}&view=whatif&without=PDOStatement::execute%0Anothing`, 'All requests (60 s)'],
    'a range': [`${REQUESTS}&from=2025-11-20%2022:58&to=2025-11-20%2023:02`, 'Requests'],
    'a range without requests': [`${REQUESTS}&last=yesterday`, 'Requests'],
});

for (const [name, [path, heading]] of Object.entries(PAGES)) {
    describe(name, () => {
        /** @param {import('playwright-core').Page} page */
        const opens = async (page) => {
            assert.equal((await page.goto(site.root + path))?.status(), 200);
            assert.ok((await page.locator('h1').innerText()).startsWith(heading));
        };

        test('with JavaScript, light, dark, on a phone', async () => {
            await onPage({ colorScheme: 'light' }, async (page) => {
                await opens(page);
                await assertAccessible(page);
                await shot(page, `requests ${name}`);
                await page.emulateMedia({ colorScheme: 'dark' });
                await assertAccessible(page, COLOURS);
                await page.setViewportSize({ width: 390, height: 844 });
                await page.reload();
                await assertFits(page);
                for (const table of await page.locator('.scroll:has(.requests), .scroll:has(.routes), .scroll:has(.lines)').all()) {
                    const inner = await table.evaluate((box) => [box.scrollWidth, box.clientWidth]);
                    assert.ok((inner[0] ?? 0) <= (inner[1] ?? 0), `a table is ${inner[0]} px wide in ${inner[1]} px`);
                }
            });
        });
        test('without JavaScript', async () => {
            await onPage({ javaScriptEnabled: false }, opens);
        });
    });
}

test('from the list of runs to the slow requests of a route, and into the slowest', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}index.php`);
        await page.getByRole('navigation', { name: 'Lists' }).getByRole('link', { name: 'Requests' }).click();
        await page.waitForURL(/view=requests/); // and all of its modules
        await page.locator('select[name=status]').selectOption('5xx');
        // The form sends itself.
        await page.waitForURL(/status=5xx/);
        await page.locator('#slowest ~ .scroll tbody tr').nth(4).waitFor();
        assert.equal(await page.locator('section[aria-labelledby="slowest"] tbody tr').count(), 5);
        await page.locator('section[aria-labelledby="routes"] thead').getByRole('link', { name: /Slowest/ }).click();
        await page.waitForURL(/status=5xx/);
        await page.waitForURL(/sort=slowest/);
        const first = page.locator('section[aria-labelledby="routes"] tbody tr').first();
        assert.match(await first.innerText(), /POST \/cart/);
        await first.getByRole('link', { name: /slowest run/ }).click();
        await page.waitForURL(new RegExp(TRIGGERED));
        assert.match(await page.locator('p.origin').innerText(), /triggered\s+answered 503/);
    });
});

test('from a window to the next one by a key, and to the trend of a route', async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + WINDOW);
        await page.keyboard.press(']');
        await page.waitForURL(/run=a20+6&/);
        await page.goBack();
        await page.getByRole('link', { name: 'Trend: GET /search' }).click();
        assert.equal(await page.locator('h1').innerText(), 'GET /search');
        assert.equal(await page.locator('.trend-runs tbody tr').count(), 12);
        await page.getByRole('link', { name: 'Share of the time, %' }).click();
        await page.locator('.trend-runs tbody tr').first().waitFor();
        assert.match(await page.locator('.sum').innerText(), /Share of the time, %: median/);
    });
});

test('from what a route allocates to who allocates it, and to the difference of its slowest request', async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + REQUESTS);
        const memory = page.locator('table.route-memory');
        const search = memory.locator('tbody tr').filter({ hasText: 'GET /search' });
        assert.match(await search.innerText(), /40\.0 MB\s+12\.0 MB/);
        // Unknown is not 0.
        assert.match(await memory.locator('tbody tr').filter({ hasText: 'GET /orders/{id}' }).innerText(), /-\s+-\s+-/);
        await search.getByRole('link', { name: /Who allocates/ }).click();
        await page.waitForURL(/-usual-.*metric=allocated_bytes/);
        await page.waitForFunction(() => {
            const metric = document.querySelector('.flame-bar select');

            return metric instanceof HTMLSelectElement && metric.value === 'allocated_bytes';
        });
        await page.getByRole('link', { name: 'Slowest', exact: true }).click();
        await page.waitForURL(/-slowest-/);
        await page.getByRole('link', { name: 'Difference from the mean' }).click();
        await page.waitForURL(/run1=/);
        await page.selectOption('.flame-bar select >> nth=0', 'allocated_bytes');
        // 103 MB of the slowest, 40 MB of the mean.
        await page.getByText('All: ▲ +63.0 MB').waitFor();
        await shot(page, 'requests difference of allocations');
    });
});

test('the timeline counts samples, and says what its times are of', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}${CPU}&view=timeline&colour=cost`);
        await page.getByText('501 ms, 481 samples').waitFor();
        await page.getByText('Self CPU time:').waitFor();
        const main = page.locator('.functions-side tbody tr').filter({ hasText: 'main()' });
        assert.match(await main.innerText(), /main\(\)\s+1\.00 ms\s+481 ms\s+481/);
    });
});

describe('nothing yet', () => {
    const empty = withSite({ runs: () => undefined });

    test('how to turn it on', async () => {
        await empty.onPage({}, async (page) => {
            await page.goto(empty.site.root + REQUESTS);
            assert.match(await page.locator('main').innerText(), /xhprof\.start_with_request=trigger/);
            await assertAccessible(page);
            await page.setViewportSize({ width: 390, height: 844 });
            await assertFits(page);
            await shot(page, 'requests empty');
        });
    });
});

test('a range of the chart is chosen by dragging and by keys, and leads to its flame graph', async () => {
    await onPage({}, async (page) => {
        await page.goto(site.root + REQUESTS);
        const plot = page.locator('figure.latency .plot').first();
        const values = page.locator('figure.latency .values');
        await values.waitFor();
        const box = await plot.boundingBox();
        assert.ok(box !== null);
        // The fourth of twelve minutes.
        await page.mouse.move(box.x + 3.5 * box.width / 12, box.y + 20);
        assert.match(await values.innerText(), /^2025-11-20 22:57:40 to 22:58:40 \(UTC\): [\d\s]+ requests, .* median .*p99/);
        await page.mouse.down();
        await page.mouse.move(box.x + 6.5 * box.width / 12, box.y + 40, { steps: 3 });
        assert.match(await values.innerText(), /^2025-11-20 22:57:40 to 2025-11-20 23:01:39/);
        await shot(page, 'requests, dragged');
        await page.mouse.up();
        await page.waitForURL(/from=/);
        assert.match(await page.locator('.note.range').innerText(), /^Only 2025-11-20 22:57:40 to 2025-11-20 23:01:40 \(UTC\)/);
        assert.match(await page.locator('#all').innerText(), /22:57:40 to 23:01:40/);
        await values.waitFor();
        await page.locator('figure.latency .plot').first().focus();
        for (const key of ['Home', 'ArrowRight', 'Shift+ArrowRight', 'Escape', 'End', 'Shift+ArrowLeft', 'Enter']) {
            await page.keyboard.press(key);
        }
        await page.waitForURL(/23%3A01%3A39/);
        await page.waitForURL(/22%3A59%3A40/);
        await assertAccessible(page);
        await page.getByRole('link', { name: 'Flame graph of this range' }).click();
        await page.waitForURL(/run=windows-\d+-\d+&source=traffic&view=flame/);
        await page.locator('canvas').first().waitFor();
        assert.match(await page.locator('h1').innerText(), /^All requests, .*\(2 windows\)/);
    });
});

test('findings that the list had no time for are asked for, and shown when they are there', async () => {
    await onPage({}, async (page) => {
        const left = new RegExp(`<a class="look" href="([^"]*${TRIGGERED}[^"]*)">[^<]*</a>`);
        await page.route(/index\.php$/, async (route) => {
            const response = await route.fetch();
            const body = (await response.text()).replace(left, `<a class="look" href="$1" data-finding="${TRIGGERED}.live" hidden></a>`);
            await route.fulfill({ response, body });
        });
        const asked = page.waitForResponse(/get=findings/);
        await page.goto(`${site.root}index.php`);
        assert.equal((await asked).status(), 200);
        const link = page.locator('a[data-finding]');
        await link.waitFor();
        assert.match(await link.innerText(), /^\d.* of the CPU time in Engine::render$/);
        await link.click();
        await page.waitForURL(/#findings$/);
        await page.locator('#findings').waitFor();
    });
});
