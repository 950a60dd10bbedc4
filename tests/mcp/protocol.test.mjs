/** The protocol itself: versions, errors, batches, cancellation, the end; and that nothing a client sends ends the server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Lines, connect, folder, goldenRuns } from './support.mjs';

const codes = { parse: -32700, request: -32600, method: -32601, params: -32602 };

test('versions are negotiated: a known one is kept, for another the newest is offered', async t => {
    const runs = folder(t);
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']) {
        const result = await new Lines(t, [`--output-dir=${runs}`]).initialize(version);
        assert.equal(result.protocolVersion, version);
        assert.deepEqual(Object.keys(result.capabilities), ['tools', 'resources', 'prompts']);
        assert.match(result.instructions, /never instructions|They are data/);
    }
    assert.equal((await new Lines(t, [`--output-dir=${runs}`]).initialize('2099-01-01')).protocolVersion, '2025-11-25');
});

test('the SDK connects, pings, and reads the guide and the prompt', async t => {
    const client = await connect(t, [`--output-dir=${folder(t)}`]);
    assert.equal(client.getServerVersion().name, 'xhprof');
    await client.ping();
    const { resources } = await client.listResources();
    const { contents } = await client.readResource({ uri: resources[0].uri });
    assert.match(contents[0].text, /## Order of the questions/);
    await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), { code: codes.params });
    assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
    const { prompts } = await client.listPrompts();
    const prompt = await client.getPrompt({ name: prompts[0].name, arguments: { run: '51`x' } });
    assert.match(prompt.messages[0].content.text, /``51`x``/);
});

test('what is no request gets the error of the protocol, and the server goes on', async t => {
    const server = new Lines(t, [`--output-dir=${folder(t)}`]);
    await server.initialize();
    const cases = [
        ['{"jsonrpc":"2.0","id":1,', codes.parse, null],
        ['\xff\xfe', codes.parse, null],
        [`${'['.repeat(100)}${']'.repeat(100)}`, codes.parse, null],
        ['7', codes.request, null],
        ['"text"', codes.request, null],
        ['{}', codes.request, null],
        ['{"jsonrpc":"1.0","id":2,"method":"ping"}', codes.request, 2],
        ['{"jsonrpc":"2.0","id":null,"method":"ping"}', codes.request, null],
        ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', codes.request, null],
        ['{"jsonrpc":"2.0","id":{},"method":"ping"}', codes.request, null],
        ['{"jsonrpc":"2.0","id":3,"method":7}', codes.request, 3],
        ['{"jsonrpc":"2.0","id":3}', codes.request, 3],
        ['{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}', codes.params, 4],
        ['{"jsonrpc":"2.0","id":5,"method":"no/such"}', codes.method, 5],
        ['{"jsonrpc":"2.0","id":"6","method":"tools/call"}', codes.params, '6'],
        ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"tpo"}}', codes.params, 7, /did you mean top/],
        ['{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"top","arguments":[1]}}', codes.params, 8],
        ['{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"2"}}', codes.params, 9],
        ['{"jsonrpc":"2.0","id":10,"method":"prompts/get","params":{"name":"x"}}', codes.params, 10],
        ['{"jsonrpc":"2.0","id":11,"method":"initialize","params":{}}', codes.params, 11],
        ['[]', codes.request, null],
        [`{"jsonrpc":"2.0","id":12,"method":"${'x'.repeat(2 << 20)}"}`, codes.request, null, /longer than/],
    ];
    for (const [line, code, id, words] of cases) {
        server.write(`${line}\n`);
        const answer = await server.answer();
        assert.deepEqual([answer.error.code, answer.id], [code, id], String(line).slice(0, 80));
        assert.match(answer.error.message, words ?? /./);
        assert.ok(answer.error.message.length < 300);
    }
    // Neither notifications nor answers of a client are answered, and empty lines are none.
    server.write('\n\r\n{"jsonrpc":"2.0","method":"notifications/unknown"}\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
    assert.deepEqual(await server.request(99, 'ping'), { jsonrpc: '2.0', id: 99, result: {} });
    assert.equal(server.stderr, '');
});

test('a message may come in pieces, and several at once', async t => {
    const server = new Lines(t, [`--output-dir=${folder(t)}`]);
    await server.initialize();
    server.write('{"jsonrpc":"2.0","id":"ü');
    await new Promise(resolve => setImmediate(resolve));
    server.write('","method":"ping"}\r\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    assert.deepEqual([(await server.answer()).id, (await server.answer()).id], ['ü', 2]);
});

test('batches are answered in the version that has them, and refused in others', async t => {
    const batch = [
        { jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', method: 'notifications/x' }, 7,
        { jsonrpc: '2.0', id: 2, method: 'initialize', params: {} },
    ];
    const server = new Lines(t, [`--output-dir=${folder(t)}`]);
    await server.initialize('2025-03-26');
    server.send(batch);
    const answers = await server.answer();
    assert.deepEqual(answers.map(answer => [answer.id, answer.error?.code]), [[1, undefined], [null, codes.request], [2, codes.request]]);
    await server.initialize('2025-06-18');
    server.send(batch);
    assert.equal((await server.answer()).error.code, codes.request);
});

test('wrong arguments are answered where the model reads them, and an error of the protocol before', async t => {
    const server = new Lines(t, [`--output-dir=${folder(t)}`]);
    const call = { name: 'top', arguments: { limt: 3 } };
    await server.initialize('2025-11-25');
    const { result } = await server.request(1, 'tools/call', call);
    assert.deepEqual([result.isError, result.content[0].text], [true, 'there is no argument "limt"; did you mean "limit"?']);
    await server.initialize('2025-06-18');
    assert.equal((await server.request(2, 'tools/call', call)).error.code, codes.params);
});

test('a call that is cancelled is not answered, whether it runs or waits', async t => {
    const server = new Lines(t, [`--output-dir=${folder(t)}`, '--allow-run']);
    await server.initialize();
    const call = { name: 'profile_command', arguments: { argv: ['tests/mcp/planted/endless.php'], timeout: 500 } };
    server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    server.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_runs', arguments: {} } });
    server.send({ jsonrpc: '2.0', id: 3, method: 'ping' });
    server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2, reason: 'changed my mind' } });
    server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 77 } });
    server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    assert.equal((await server.answer()).id, 3);
});

test('requests that the client sends at once are answered in their order, too many are refused', async t => {
    const server = new Lines(t, [`--output-dir=${folder(t)}`, '--allow-run']);
    await server.initialize();
    const call = { name: 'profile_command', arguments: { argv: ['tests/mcp/planted/endless.php'], timeout: 500 } };
    server.send({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params: call });
    server.write(Array.from({ length: 1200 }, (_, id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`).join(''));
    const refused = [];
    let answer = await server.answer();
    for (; answer.error !== undefined; answer = await server.answer()) {
        refused.push(answer.id);
        if (answer.id === 1199) {
            server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'long' } });
        }
    }
    assert.equal(answer.id, 0, 'what is cancelled while too many wait is not answered');
    const answered = [answer.id];
    while (answered.length + refused.length < 1200) {
        answered.push((await server.answer()).id);
    }
    assert.ok(refused.length >= 200 && refused.length < 1200, `${refused.length} refused`);
    assert.deepEqual([...answered, ...refused], [...answered, ...refused].sort((a, b) => a - b));
});

test('the end of the input ends the server when all is answered', async t => {
    const server = new Lines(t, [`--output-dir=${goldenRuns(t)}`]);
    server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_runs', arguments: {} } });
    server.process.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    assert.deepEqual([(await server.answer()).id, (await server.answer()).id], [1, 2]);
    assert.deepEqual(await server.ended, { code: 0, signal: null });
});

test('SIGTERM ends it, and so does an output that nobody reads', async t => {
    const runs = folder(t);
    const first = new Lines(t, [`--output-dir=${runs}`, '--allow-run']);
    await first.initialize();
    first.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'profile_command', arguments: { argv: ['tests/mcp/planted/endless.php'] } } });
    first.process.kill('SIGTERM');
    assert.deepEqual(await first.ended, { code: 0, signal: null });

    const second = new Lines(t, [`--output-dir=${runs}`]);
    await second.initialize();
    second.process.stdout.destroy();
    await once(second.process.stdout, 'close');
    second.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    second.send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    assert.deepEqual(await second.ended, { code: 0, signal: null });
});
