/**
 * Every page with and without JavaScript, light and dark, wide and narrow: no console message, no request elsewhere, no
 * violation of the content security policy, nothing serious for axe-core.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AFTER, assertAccessible, assertFits, BACKGROUND, BEFORE, CORRECTED, HOSTILE, withSite, WORKER } from './support.mjs';

const MEMORY = `index.php?run=${WORKER}&source=worker&view=memory`;
const COMMAND = 'php bin/console messenger:consume warehouse --limit=4';
const DIFF = `index.php?run1=${BEFORE}&run2=${AFTER}&source=shop`;

const { site, onPage } = withSite();

/** name => [path, status, text of the heading] */
const PAGES = {
    'run list': ['index.php', 200, 'Runs'],
    'run list, picking': [`index.php?with=${BEFORE}.shop`, 200, 'Runs'],
    'run list, no match': ['index.php?q=no-such-run', 200, 'Runs'],
    report: [`index.php?run=${BEFORE}&source=shop`, 200, 'GET /orders?page=2&sort=date'],
    'report by memory': [`index.php?run=${BEFORE}&source=shop&sort=mu`, 200, 'GET /orders?page=2&sort=date'],
    'report of hostile names': [`index.php?run=${HOSTILE}&source=hostile`, 200, 'GET /search?q=<script>alert(1)</script>'],
    'report with dropped calls': ['index.php?run=e0000000000000000000000000000001&source=shop', 200, 'GET /report/yearly'],
    'report of a foreign run': ['index.php?run=65ba1c0ffee01', 200, '65ba1c0ffee01'],
    mean: [`index.php?run=${BEFORE},${AFTER}&source=shop&wts=1,3`, 200, 'Mean of 2 runs'],
    'function': [`index.php?run=${BEFORE}&source=shop&symbol=PDOStatement::execute`, 200, 'PDOStatement::execute'],
    'hostile function': [
        `index.php?run=${HOSTILE}&source=hostile&symbol=${encodeURIComponent('<script>alert(1)</script>')}`,
        200, '<script>alert(1)</script>',
    ],
    comparison: [DIFF, 200, 'Comparison'],
    'compared function': [`${DIFF}&symbol=json_decode`, 200, 'json_decode'],
    'report by corrected time': [`index.php?run=${CORRECTED}&source=api&corrected=1&sort=excl_corrected_wt`, 200, 'GET /orders/export'],
    'corrected function': [`index.php?run=${CORRECTED}&source=api&corrected=1&symbol=strlen`, 200, 'strlen'],
    memory: [MEMORY, 200, COMMAND],
    'memory by function': [`${MEMORY}&by=function&sort=incl`, 200, COMMAND],
    'memory by type': [`${MEMORY}&by=type`, 200, COMMAND],
    'memory by what was allocated': [`${MEMORY}&sort=allocated`, 200, COMMAND],
    leaks: [`${MEMORY}&after=1&before=4`, 200, COMMAND],
    'memory of hostile names': ['index.php?run=c0000000000000000000000000000002&source=hostile&view=memory', 200, 'GET /<u>memory</u>'],
    'memory of a run that does not tell': [`index.php?run=${BEFORE}&source=shop&view=memory`, 404, 'Not found'],
    'call graph': [`callgraph.php?run=${BEFORE}&source=shop&threshold=0.1`, 200, 'GET /orders?page=2&sort=date'],
    'unknown run': ['index.php?run=nope', 404, 'Not found'],
    'damaged run': ['index.php?run=d0000000000000000000000000000001&source=shop', 500, 'Something is broken'],
};

for (const [name, [path, status, heading]] of Object.entries(PAGES)) {
    describe(name, () => {
        for (const javaScriptEnabled of [true, false]) {
            for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
                test(`JavaScript ${javaScriptEnabled ? 'on' : 'off'}, ${colorScheme}`, async () => {
                    await onPage({ javaScriptEnabled, colorScheme }, async (page) => {
                        const response = await page.goto(site.root + path);
                        assert.equal(response?.status(), status);
                        assert.ok((await page.locator('h1').innerText()).startsWith(heading));
                        assert.equal(await page.locator('main').count(), 1);
                        const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
                        assert.equal(background, BACKGROUND[colorScheme]);
                        if (javaScriptEnabled) {
                            await assertAccessible(page);
                        }
                    }, status);
                });
            }
        }
        test('fits a phone', async () => {
            await onPage({ viewport: { width: 390, height: 844 } }, async (page) => {
                await page.goto(site.root + path);
                await assertFits(page);
                for (const table of await page.locator('table.functions').all()) {
                    assert.ok(await table.locator('tbody:not(.spacer) tr').first().locator('td.main').isVisible(), 'no figure shows');
                }
                for (const table of await page.locator('.scroll:has(.functions), .scroll:has(.runs)').all()) {
                    const inner = await table.evaluate((box) => [box.scrollWidth, box.clientWidth]);
                    assert.ok(inner[0] <= inner[1], `a table is ${inner[0]} px wide in ${inner[1]} px`);
                }
            }, status);
        });
    });
}

for (const javaScriptEnabled of [true, false]) {
    test(`from the list to a report, a function and a comparison, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
        await onPage({ javaScriptEnabled }, async (page) => {
            await page.goto(`${site.root}index.php`);
            await page.locator(`a[title="${BEFORE}"]`).click();
            assert.equal(await page.locator('h1').innerText(), 'GET /orders?page=2&sort=date');
            await page.locator('thead').getByRole('link', { name: 'Excl.' }).first().click();
            await page.waitForURL(/sort=excl_wt/);
            assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Excl. ▼');
            await page.getByRole('link', { name: 'PDOStatement::execute', exact: true }).click();
            assert.equal(await page.locator('h1').innerText(), 'PDOStatement::execute');
            await page.locator('section').first().getByRole('link', { name: 'strlen', exact: true }).click();
            assert.equal(await page.locator('h1').innerText(), 'strlen');
            await page.getByRole('link', { name: 'Runs', exact: true }).click();
            await page.locator(`input[value="${AFTER}.shop"]`).check();
            await page.locator(`input[value="${BEFORE}.shop"]`).check();
            await page.getByRole('button', { name: 'Compare two' }).click();
            assert.equal(await page.locator('h1').innerText(), 'Comparison');
            assert.equal(await page.locator('.functions tbody th').first().innerText(), 'PDOStatement::execute');
            await page.locator('table.functions').getByRole('link', { name: 'json_decode', exact: true }).click();
            assert.equal(await page.locator('h1').innerText(), 'json_decode');
            assert.ok(await page.locator('td.down').count() > 0);
        });
    });
}

test('no key does two things', async () => {
    await onPage({}, async (page) => {
        for (const view of ['', '&view=graph', '&view=flame', '&view=sandwich', '&view=export']) {
            await page.goto(`${site.root}index.php?run=${BEFORE}&source=shop${view}`);
            await page.locator('[data-tools] button').first().waitFor();
            await page.keyboard.press('?');
            const keys = await page.locator('dialog.help section:not(:has-text("when the picture has the focus")) dt').allInnerTexts();
            assert.deepEqual(keys, [...new Set(keys)]);
            await page.keyboard.press('Escape');
        }
        await page.keyboard.press('n');
        await page.waitForURL(/view=label/);
    });
});

test('without JavaScript the filter is a form', async () => {
    await onPage({ javaScriptEnabled: false }, async (page) => {
        await page.goto(`${site.root}index.php`);
        await page.locator('input[name=q]').fill('yearly');
        await page.getByRole('button', { name: 'Filter' }).click();
        assert.equal(await page.locator('tbody tr').count(), 1);
    });
});

test('the buttons of the list say when enough runs are picked, also after filtering', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}index.php`);
        const compare = page.getByRole('button', { name: 'Compare two' });
        const mean = page.getByRole('button', { name: 'Mean of several' });
        assert.ok(await compare.isDisabled());
        await page.locator('input[name=q]').fill('shop');
        await page.waitForURL(/q=shop/);
        await page.locator('input[name="pick[]"]').nth(0).check();
        assert.ok(await compare.isDisabled());
        await page.locator('input[name="pick[]"]').nth(1).check();
        assert.ok(await compare.isEnabled());
        assert.ok(await mean.isEnabled());
        await page.locator('input[name="pick[]"]').nth(2).check();
        assert.ok(await compare.isDisabled());
        assert.ok(await mean.isEnabled());
        assert.equal(await page.locator('.hint').innerText(), '3 picked');
    });
});

test('everything can be reached by keyboard, and the focus shows', async () => {
    for (const javaScriptEnabled of [true, false]) {
        await onPage({ javaScriptEnabled }, async (page) => {
            await page.goto(`${site.root}index.php?run=${BEFORE}&source=shop`);
            if (javaScriptEnabled) {
                await page.locator('.virtual tbody tr[aria-rowindex]').first().waitFor();
            }
            await page.keyboard.press('Tab');
            assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Skip to the content');
            const seen = new Set();
            for (let step = 0; step < 40; step++) {
                const [tag, what, outline] = await page.evaluate(() => {
                    const element = document.activeElement ?? document.body;
                    return [element.tagName, element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '', getComputedStyle(element).outlineStyle];
                });
                if (tag === 'BODY') {
                    break;
                }
                assert.equal(outline, 'solid', `no focus ring on "${what}"`);
                seen.add(what);
                await page.keyboard.press('Tab');
            }
            // The rows of the table with JavaScript are reached by arrows.
            assert.ok(seen.has('Incl. ▼') && seen.has(javaScriptEnabled ? 'Functions of this run' : 'main()'), [...seen].join('; '));
        });
    }
});

for (const javaScriptEnabled of [true, false]) {
    test(`from a run to who holds its memory and what leaks, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
        await onPage({ javaScriptEnabled }, async (page) => {
            await page.goto(`${site.root}index.php?q=warehouse`);
            await page.getByRole('link', { name: COMMAND, exact: true }).click();
            await page.getByRole('link', { name: 'Memory', exact: true }).click();
            assert.equal(await page.locator('h1').innerText(), COMMAND);
            assert.ok((await page.locator('.functions tbody th').first().innerText()).startsWith('Cache::load'));
            await page.getByRole('link', { name: 'By type' }).click();
            assert.equal(await page.locator('.functions tbody th').first().innerText(), 'array');
            await page.getByLabel('Leaks: allocated after mark').fill('2');
            await page.getByRole('button', { name: 'Show' }).click();
            assert.match(page.url(), /by=type/);
            assert.match(await page.locator('h2 small').innerText(), /after mark 2 and before mark 4/);
            await page.getByRole('link', { name: 'By call path' }).click();
            await page.locator('tr', { hasText: 'Log::write' }).first().getByRole('link', { name: 'Log::write' }).first().click();
            assert.equal(await page.locator('h1').innerText(), 'Log::write');
            await page.goBack();
            await page.getByRole('link', { name: 'All memory' }).click();
            const path = page.locator('tr', { hasText: 'array_merge' });
            await path.locator('summary').click();
            await path.getByText('calls further out').waitFor();
            await page.getByRole('link', { name: 'Functions', exact: true }).click();
            assert.equal(await page.locator('.tiles').count(), 1);
        });
    });
}

test('the policy forbids inline script: the test would see a violation', async () => {
    await assert.rejects(onPage({}, async (page) => {
        await page.goto(`${site.root}index.php`);
        await page.evaluate(() => {
            const script = document.createElement('script');
            script.textContent = 'document.title = "inline"';
            document.body.append(script);
        });
        assert.notEqual(await page.title(), 'inline');
    }), /Content Security Policy/);
});
