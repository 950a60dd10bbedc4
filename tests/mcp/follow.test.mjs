/** Planted trouble is found by what the answers propose alone: the first next question that was not asked yet, at most six. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { join } from 'node:path';
import { ask, connect, folder, profile, proposed, root, usualBytes } from './support.mjs';

const most = 6;

/** Asks list_runs and what follows. @returns {Promise<string[]>} the answers */
async function follow(t, runs) {
    const client = await connect(t, [`--output-dir=${runs}`, `--with-source=${join(root, 'tests/mcp/planted')}`]);
    const asked = new Set();
    const answers = [];
    let call = { name: 'list_runs', args: {} };
    while (call !== undefined && answers.length < most) {
        asked.add(JSON.stringify([call.name, call.args]));
        const { text, isError } = await ask(client, call.name, call.args);
        assert.ok(!isError && Buffer.byteLength(text) <= usualBytes, text);
        answers.push(text);
        t.diagnostic(`${call.name} ${JSON.stringify(call.args)}`);
        call = proposed(text).find(next => next.word === 'next' && !asked.has(JSON.stringify([next.name, next.args])));
    }

    return answers;
}

/** That the answers name the cause: each of these patterns is in one of them. */
function found(answers, patterns) {
    for (const pattern of patterns) {
        assert.ok(answers.some(answer => pattern.test(answer)), `${pattern} in ${answers.length} answers:\n${answers.join('\n')}`);
    }
}

test('one query per loan: the statement, how often, the function with the loop, its lines', async t => {
    const runs = folder(t);
    profile(runs, 'queries.php');
    const answers = await follow(t, runs);
    found(answers, [
        /240 queries|120 queries/,
        /SELECT name FROM reader WHERE id = \?/,
        /`Planted\\Library::overdue` \| `[^`]*planted\/queries\.php:15`/,
        /^> 20 .*\$this->readerOf\(\(int\) \$loan\['reader'\]\)/m,
    ]);
});

test('a slow function: its name, its share, who calls it, its lines', async t => {
    const runs = folder(t);
    profile(runs, 'slow.php');
    const answers = await follow(t, runs);
    found(answers, [/Planted\\Calendar::leapDaysBefore/, /planted\/slow\.php:21/, /^> 21 .*function leapDaysBefore/m, /Planted\\Calendar::isFree/]);
});

test('a leak: the path that holds more with each job, and its line', async t => {
    const runs = folder(t);
    profile(runs, 'leak.php', ['--alloc']);
    const answers = await follow(t, runs);
    found(answers, [/Planted\\Letters::remember/, /planted\/leak\.php:23/, /from 29 of 29 intervals between marks/, /self::\$sent\[\] = str_pad/]);
});

test('a regression between two runs: the function that is new, and who calls it', async t => {
    const runs = folder(t);
    profile(runs, 'regression.php');
    profile(runs, 'regression.php', [], { PLANTED: 'new' });
    const answers = await follow(t, runs);
    found(answers, [/Planted\\Index::rank/, /\bnew\b/, /planted\/regression\.php:28/, /Planted\\Index::weight/]);
});
