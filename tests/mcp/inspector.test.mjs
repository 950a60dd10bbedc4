/** The protocol's inspector lists and calls tools from its command line. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { environment, goldenRuns, patient, php, root, xhprof } from './support.mjs';

const inspector = join(root, 'build/mcp/node_modules/.bin/mcp-inspector');

// It asks for Node 22.19; its command line runs from 19 on. The other tests have the protocol's client, with any Node.
const skip = typeof CustomEvent === 'undefined' ? `the inspector does not run with Node ${process.version}` : false;

test('the inspector lists and calls tools, and reads the guide', { skip }, t => {
    const runs = goldenRuns(t);
    const ask = (...options) => JSON.parse(execFileSync(inspector, [
        '--cli', php, xhprof, 'mcp', patient, `--output-dir=${runs}`, ...options,
    ], { env: environment(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
    assert.equal(ask('--method', 'tools/list').tools.length, 11);
    const { content } = ask('--method', 'tools/call', '--tool-name', 'top', '--tool-arg', `run=54${'1'.padStart(30, '0')}.timed`, '--tool-arg', 'limit=2');
    assert.match(content[0].text, /PDO::query/);
    assert.match(ask('--method', 'resources/read', '--uri', 'xhprof://guide').contents[0].text, /XHProf for assistants/);
});
