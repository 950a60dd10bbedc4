/** Calls between a page and a worker, with a worker that the test plays. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WorkerClient, absolute } from '../../xhprof_html/assets/js/core/worker.js';

/** A worker that notes what it is asked and answers when the test says so. */
class Played extends EventTarget {
    /** @type {any[]} */
    calls = [];
    isEnded = false;

    /** @param {any} message */
    postMessage(message) {
        this.calls.push(message);
    }

    /** @param {any} data */
    answer(data) {
        this.dispatchEvent(new MessageEvent('message', { data }));
    }

    terminate() {
        this.isEnded = true;
    }
}

/** @returns {{ played: Played, client: WorkerClient<any> }} */
function pair() {
    const played = new Played();

    return { played, client: new WorkerClient(/** @type {any} */ (played)) };
}

describe('a call', () => {
    test('has its own answer, in whatever order they come', async () => {
        const { played, client } = pair();
        const [first, second] = [client.call('columns', { metric: 'wt' }), client.call('columns', { metric: 'mu' })];
        assert.deepEqual(played.calls.map(({ job, input }) => [job, input]), [['columns', { metric: 'wt' }], ['columns', { metric: 'mu' }]]);
        assert.equal(client.isBusy, true);
        const [{ id: one }, { id: two }] = played.calls;
        played.answer({ id: two, result: 'memory' });
        played.answer({ id: one, result: 'time' });
        assert.deepEqual([await first, await second], ['time', 'memory']);
        assert.equal(client.isBusy, false);
        played.answer({ id: one, result: 'once more' });
        played.answer({ id: 99, progress: ['of no call'] });
    });

    test('reports its progress, and stays open', async () => {
        const { played, client } = pair();
        /** @type {any[]} */
        const seen = [];
        const call = client.call('open', { url: 'a' }, (...parts) => seen.push(parts));
        const [{ id }] = played.calls;
        played.answer({ id, progress: ['Loading…', 1, 2] });
        played.answer({ id, progress: ['Reading…'] });
        assert.equal(client.isBusy, true);
        played.answer({ id, result: undefined });
        assert.equal(await call, undefined);
        assert.deepEqual(seen, [['Loading…', 1, 2], ['Reading…']]);
    });

    test('fails with the sentence of the worker, others go on', async () => {
        const { played, client } = pair();
        const [bad, good] = [client.call('open', {}), client.call('open', {})];
        played.answer({ id: played.calls[0].id, error: 'The server does not answer.' });
        played.answer({ id: played.calls[1].id, result: 1 });
        await assert.rejects(bad, { name: 'Error', message: 'The server does not answer.' });
        assert.equal(await good, 1);
    });

    test('is cancelled with its worker: an AbortError, unlike a failure', async () => {
        const { played, client } = pair();
        const calls = [client.call('layOut', {}), client.call('layOut', {})];
        client.stop();
        for (const call of calls) {
            await assert.rejects(call, { name: 'AbortError' });
        }
        assert.deepEqual([played.isEnded, client.isBusy], [true, false]);
    });

    test('fails where the worker itself does', async () => {
        const { played, client } = pair();
        const call = client.call('open', {});
        played.dispatchEvent(new Event('error'));
        await assert.rejects(call, /too little memory/);
        assert.equal(client.isBusy, false);
    });
});

test('addresses for a worker are those of the page', () => {
    const given = /** @type {any} */ (globalThis);
    given.document = { baseURI: 'http://host/xhprof/index.php?run=1' };
    assert.deepEqual([absolute('api.php?get=tree'), absolute('run:tree'), absolute(''), absolute()], ['http://host/xhprof/api.php?get=tree', 'run:tree', '', '']);
    delete given.document;
});
