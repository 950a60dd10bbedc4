/** For the tests of `xhprof mcp`: runs to ask about, the server, a client of the official SDK, and one that writes lines. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const php = process.env.TEST_PHP_EXECUTABLE ?? 'php';
export const xhprof = process.env.XHPROF_BIN ?? join(root, 'bin/xhprof');
/** Time is no part of these tests: a busy machine may take as long as it likes. */
export const patient = '--max-seconds=300';
export const usualBytes = 8192;

const require = createRequire(join(root, 'build/mcp/package.json'));

/** @param {string} name a module of the SDK: "client/index.js" */
export const sdk = name => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)).href);

/** The environment of a server: the extension, and no folder or store of the machine. */
export function environment(more = {}) {
    const { XHPROF_OUTPUT_DIR: _a, XHPROF_FLEET: _b, XHPROF_SOURCE_ROOTS: _c, ...rest } = process.env;
    const conf = join(root, 'build/php/conf.d');

    return { ...rest, PHP_INI_SCAN_DIR: process.env.PHP_INI_SCAN_DIR ?? conf, TZ: 'UTC', ...more };
}

/** @param {import('node:test').TestContext} t */
export function folder(t) {
    const path = mkdtempSync(join(tmpdir(), 'xhprof-mcp-test-'));
    t.after(() => rmSync(path, { recursive: true, force: true }));

    return path;
}

/** The runs of the golden files. @param {import('node:test').TestContext} t */
export function goldenRuns(t) {
    const path = join(folder(t), 'runs');
    execFileSync(php, [join(root, 'tests/mcp/runs.php'), path], { env: environment(), stdio: ['ignore', 'inherit', 'inherit'] });

    return path;
}

/** Profiles a program with planted trouble. */
export function profile(runs, program, options = [], more = {}) {
    execFileSync(php, [
        xhprof, 'run', '-q', `--output-dir=${runs}`, '--report-to=/dev/null', ...options, '--', join(root, 'tests/mcp/planted', program),
    ], { env: environment(more), stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * A client of the official SDK that is connected to a server.
 *
 * @param {import('node:test').TestContext} t
 * @param {string[]} options of `xhprof mcp`
 */
export async function connect(t, options, more = {}) {
    const [{ Client }, { StdioClientTransport }] = await Promise.all([sdk('client/index.js'), sdk('client/stdio.js')]);
    const client = new Client({ name: 'xhprof-tests', version: '1.0' });
    const transport = new StdioClientTransport({
        command: php, args: [xhprof, 'mcp', patient, ...options], env: environment(more), stderr: 'inherit',
    });
    await client.connect(transport);
    t.after(() => client.close());

    return client;
}

/** What a tool answers: its text, and whether it is an error. */
export async function ask(client, name, args = {}) {
    const result = await client.callTool({ name, arguments: args }, undefined, { timeout: 300_000 });

    return { text: result.content[0].text, isError: result.isError === true };
}

/** The calls that an answer proposes. @returns {{word: string, name: string, args: Record<string, unknown>}[]} */
export function proposed(text) {
    const outside = text.slice(text.lastIndexOf('\n--- end of recorded data\n') + 1);

    // Why it is proposed has no brace: the last one ends the arguments, whatever names they have.
    return [...outside.matchAll(/^(next|cut): (\w+) (\{.*\}) - [^}]*$/gm)]
        .map(([, word, name, json]) => ({ word, name, args: JSON.parse(json) }));
}

/** A client that writes any lines, and reads the answers. */
export class Lines {
    #answers = [];
    #waiting = [];
    #rest = '';

    /** @param {string[]} options */
    constructor(t, options, more = {}) {
        this.process = spawn(php, [xhprof, 'mcp', patient, ...options], { env: environment(more), stdio: ['pipe', 'pipe', 'pipe'] });
        this.stderr = '';
        this.process.stderr.on('data', data => { this.stderr += data; });
        this.process.stdin.on('error', () => {});
        this.ended = new Promise(resolve => this.process.on('exit', (code, signal) => resolve({ code, signal })));
        this.process.stdout.on('data', data => {
            this.#rest += data;
            const lines = this.#rest.split('\n');
            this.#rest = /** @type {string} */ (lines.pop());
            for (const line of lines) {
                const answer = JSON.parse(line);
                this.#waiting.length > 0 ? this.#waiting.shift()(answer) : this.#answers.push(answer);
            }
        });
        t.after(() => this.process.kill('SIGKILL'));
    }

    write(text) {
        this.process.stdin.write(text);
    }

    send(message) {
        this.write(`${JSON.stringify(message)}\n`);
    }

    /** The next line of the server. */
    answer() {
        return this.#answers.length > 0 ? Promise.resolve(this.#answers.shift()) : new Promise(resolve => this.#waiting.push(resolve));
    }

    request(id, method, params) {
        this.send({ jsonrpc: '2.0', id, method, params });

        return this.answer();
    }

    async initialize(protocolVersion = '2025-11-25') {
        const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'lines', version: '1' } };
        const answer = await this.request('init', 'initialize', params);
        this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });

        return answer.result;
    }
}
