/** The bookmarks of requests.html.twig: each line, run as a browser runs a bookmark, sets or removes the trigger's cookie. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { withSite } from './support.mjs';

const { site, onPage } = withSite({ runs: (folder) => { mkdirSync(folder, { recursive: true }); } });

test('the bookmarks set the cookie and take it away', async () => {
    await onPage({}, async (page) => {
        await page.goto(`${site.root}index.php?view=requests`);
        const lines = await page.locator('details.trigger code.whole').allTextContents();
        assert.equal(lines.length, 2);
        const [set, unset] = lines.map((line) => line.replace(/^javascript:/, ''));
        // A bookmark runs on a page of the profiled site, which has another policy than these pages.
        await page.route('**/site', (route) => route.fulfill({ contentType: 'text/html', body: '<!DOCTYPE html><title>Site</title><link rel="icon" href="data:,">' }));
        await page.goto(`${site.root}site`);
        const cookie = async () => (await page.context().cookies()).find(({ name }) => name === 'XHPROF_TRIGGER');
        await page.evaluate(() => { window.prompt = () => 'a long; secret=1'; });
        await Promise.all([page.waitForEvent('load'), page.evaluate(`setTimeout(() => { void ${set} })`)]);
        assert.equal((await cookie())?.value, encodeURIComponent('a long; secret=1'));
        assert.equal((await cookie())?.expires, -1, 'until the browser is closed');
        await page.evaluate(`void ${unset}`);
        assert.equal(await cookie(), undefined);
        await page.evaluate(() => { window.prompt = () => null; });
        await page.evaluate(`void ${set}`);
        assert.equal(await cookie(), undefined, 'who gives no secret sets none');
    });
});
