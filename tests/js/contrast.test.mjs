/** Colours of drawings, which axe-core does not see: what is drawn has a contrast of 3 to what it stands on, letters on it of 4.5. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ASSETS = new URL('../../xhprof_html/assets/', import.meta.url);
const { contrast, inkOn, luminance } = await import(new URL('js/core/theme.js', ASSETS).href);

/** Variables of all style sheets: [light, dark]. @type {Map<string, [string, string]>} */
const COLOURS = new Map();
for (const file of readdirSync(ASSETS).filter((name) => name.endsWith('.css'))) {
    for (const [, name, value] of readFileSync(new URL(file, ASSETS), 'utf8').matchAll(/^\s*(--[\w-]+):\s*([^;]+);/gm)) {
        const both = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value);
        if (both !== null) {
            COLOURS.set(name, [both[1], both[2]]);
        }
    }
}

/** @param {string} name @param {number} theme 0 for light @returns {string} */
function colour(name, theme) {
    const both = COLOURS.get(name);
    assert.ok(both, `${name} is no colour of a style sheet`);

    return both[theme];
}

const DRAWN = [...COLOURS.keys()].filter((name) => /^--(space-\w+|frame-(time|memory)-\d|drawn-\w+)$/.test(name));

test('the luminance is that of WCAG', () => {
    assert.equal(luminance('#ffffff').toFixed(4), '1.0000');
    assert.equal(luminance('rgb(0, 0, 0)'), 0);
    assert.equal(contrast(luminance('#767676'), 1).toFixed(2), '4.54');
});

test('what is drawn is seen on the page, on raised and on sunken ground, light and dark', () => {
    assert.ok(DRAWN.length >= 35, `${DRAWN.length} colours`);
    for (const theme of [0, 1]) {
        for (const ground of ['--page', '--raised']) {
            const low = DRAWN.map((name) => [name, contrast(luminance(colour(name, theme)), luminance(colour(ground, theme)))]).filter(([, ratio]) => ratio < 3);
            assert.deepEqual(low, [], `${ground}, ${theme === 0 ? 'light' : 'dark'}`);
        }
    }
});

test('bars and lines are seen', () => {
    const drawn = new Set();
    for (const file of ['tables.css', 'findings.css', 'runs.css', 'fleet.css', 'compare.css', 'trend.css']) {
        for (const [, selector, body] of readFileSync(new URL(file, ASSETS), 'utf8').matchAll(/^([^\n{}@]+) \{([^{}]*)\}/gm)) {
            if (/share|latency (path|span)|latency :is|\.series|strip path/.test(selector)) {
                for (const [, name] of body.matchAll(/(?:fill|stroke|background): var\((--[\w-]+)\)/g)) {
                    drawn.add(name);
                }
            }
        }
    }
    assert.ok(['--drawn-time', '--drawn-memory', '--up', '--down'].every((name) => drawn.has(name)), [...drawn].join(' '));
    for (const theme of [0, 1]) {
        for (const ground of ['--page', '--raised']) {
            const low = [...drawn].map((name) => [name, contrast(luminance(colour(name, theme)), luminance(colour(ground, theme)))]).filter(([, ratio]) => ratio < 3);
            assert.deepEqual(low, [], `${ground}, ${theme === 0 ? 'light' : 'dark'}`);
        }
    }
});

test('letters on what is drawn are read', () => {
    const filled = [...COLOURS.keys()].filter((name) => /^--(space-\w+|frame-(time|memory)-\d|frame-(hit|selected)|less-\d|more-\d|same|machine)$/.test(name));
    for (const theme of [0, 1]) {
        const low = filled.map((name) => [name, contrast(luminance(colour(name, theme)), luminance(inkOn(colour(name, theme))))]).filter(([, ratio]) => ratio < 4.5);
        assert.deepEqual(low, [], theme === 0 ? 'light' : 'dark');
    }
});

test('a larger cost stands out more from the page', () => {
    for (const theme of [0, 1]) {
        for (const family of ['time', 'memory']) {
            const steps = [1, 2, 3, 4, 5].map((step) => contrast(luminance(colour(`--frame-${family}-${step}`, theme)), luminance(colour('--raised', theme))));
            assert.deepEqual(steps, [...steps].sort((a, b) => a - b), `${family} ${theme}`);
        }
    }
});
