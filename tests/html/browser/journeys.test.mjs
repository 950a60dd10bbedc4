/** Ways through the pages: by links, forms and keys, with and without JavaScript. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AFTER, BEFORE, CORRECTED, withSite } from './support.mjs';

const COMMAND = 'php bin/console messenger:consume warehouse --limit=4';

const { site, onPage } = withSite();

for (const javaScriptEnabled of [true, false]) {
    test(`from the list to a report, a function and a comparison, JavaScript ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
        await onPage({ javaScriptEnabled }, async (page) => {
            await page.goto(`${site.root}index.php`);
            await page.locator(`a[title="${BEFORE}"]`).click();
            assert.equal(await page.locator('h1').innerText(), 'GET /orders?page=2&sort=date');
            if (javaScriptEnabled) {
                assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Self ▼');
                await page.locator('thead').getByRole('link', { name: 'Total' }).first().click();
                await page.waitForURL(/sort=wt/);
                assert.equal(await page.locator('th[aria-sort=descending]').innerText(), 'Total ▼');
            }
            await page.getByRole('link', { name: 'PDOStatement::execute', exact: true }).click();
            assert.equal(await page.locator('h1').innerText(), 'PDOStatement::execute');
            await page.locator('section[aria-labelledby=callers]').getByRole('link', { name: 'strlen', exact: true }).click();
            assert.equal(await page.locator('h1').innerText(), 'strlen');
            await page.getByRole('link', { name: 'Runs', exact: true }).click();
            await page.locator(`input[value="${AFTER}.shop"]`).check();
            await page.locator(`input[value="${BEFORE}.shop"]`).check();
            await page.getByRole('button', { name: 'Compare two' }).click();
            assert.equal(await page.locator('h1').innerText(), 'Comparison');
            assert.equal(await page.locator('.functions tbody th').first().innerText(), 'PDOStatement::execute');
            if (javaScriptEnabled) {
                await page.locator('table.functions thead a').first().waitFor(); // the live table has replaced the static one
            }
            await page.locator('table.functions').getByRole('link', { name: 'json_decode', exact: true }).click();
            assert.equal(await page.locator('h1').innerText(), 'json_decode');
            assert.ok(await page.locator('td.down').count() > 0);
        });
    });
}

test('from the page of a function to it in another view', async () => {
    await onPage({}, async (page) => {
        for (const path of [`index.php?run=${BEFORE}&source=shop`, `index.php?run1=${BEFORE}&run2=${AFTER}&source=shop`]) {
            await page.goto(`${site.root}${path}&sel=strlen&symbol=json_decode`);
            await page.locator('[data-tools] button').first().waitFor();
            await page.getByRole('link', { name: 'Call graph', exact: true }).click();
            await page.waitForURL(/view=graph/);
            await page.waitForURL(/sel=json_decode/);
        }
    });
});

test('no key does two things', async () => {
    await onPage({}, async (page) => {
        for (const view of ['', '&view=graph', '&view=flame', '&view=sandwich', '&view=export']) {
            await page.goto(`${site.root}index.php?run=${CORRECTED}&source=api${view}`);
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
                    // The ring of a large table is around its box.
                    const ringed = element.matches('.virtual > table') ? element.parentElement ?? element : element;
                    return [element.tagName, element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '', getComputedStyle(ringed).outlineStyle];
                });
                if (tag === 'BODY') {
                    break;
                }
                assert.equal(outline, 'solid', `no focus ring on "${what}"`);
                seen.add(what);
                await page.keyboard.press('Tab');
            }
            // With JavaScript heads sort, and arrows reach the rows.
            for (const what of javaScriptEnabled ? ['Self ▼', 'Functions of this run'] : ['mb_strtolower']) {
                assert.ok(seen.has(what), [...seen].join('; '));
            }
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
            assert.equal(await page.locator('#rows tbody th .fn').first().innerText(), 'Cache::load');
            await page.getByRole('link', { name: 'By type' }).click();
            assert.equal(await page.locator('#rows tbody th').first().innerText(), 'array');
            await page.getByLabel('Leaks: allocated after mark').fill('2');
            await page.getByRole('button', { name: 'Show' }).click();
            await page.waitForURL(/by=type/);
            assert.match(await page.locator('h2 small').innerText(), /after mark 2 and before mark 4/);
            await page.getByRole('link', { name: 'By call path' }).click();
            await page.locator('tr', { hasText: 'Log::write' }).first().getByRole('link', { name: 'Log::write' }).first().click();
            assert.equal(await page.locator('h1').innerText(), 'Log::write');
            await page.goBack();
            await page.getByRole('link', { name: 'All memory' }).click();
            const path = page.locator('tr', { hasText: 'array_merge' });
            await path.locator('summary').click();
            await path.getByText('more callers').waitFor();
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
