/*
 * server.mjs: the part of ClickHouse's HTTP interface that a fleet uses, before the engine as a library (the npm package chdb).
 *
 *   node server.mjs ENGINE DATA [PORT]   the folder with node_modules, the folder of the data; port 0: a free one
 *
 * FOR THE TESTS AND THE DEMO ONLY. It listens on the loopback interface, runs one query after the other, and has no TLS. The
 * library has no users, so this file checks them, by the first words of a statement; a server checks grants in each table that a
 * statement names. Their passwords are the environment variables FLEET_ADMIN, FLEET_WRITER, FLEET_READER,
 * FLEET_VISITOR, a reader who does not see the server's own tables, and FLEET_JUDGE, a reader who saves verdicts.
 *
 * Prints "listening on PORT" when it answers. SIGTERM finishes the query that runs.
 */

import http from 'node:http';
import zlib from 'node:zlib';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [engine, data, port = '0'] = process.argv.slice(2);
if (!engine || !data) {
  console.error('server.mjs ENGINE DATA [PORT]');
  process.exit(2);
}
const { Session } = createRequire(resolve(engine, 'package.json'))('chdb');
const session = new Session(data);

/** Bytes of a request, unpacked. */
const MAX_BODY = 256 << 20;

/** What each user may begin a statement with. */
const USERS = {
  admin: { password: process.env.FLEET_ADMIN ?? '', may: /^/ },
  writer: { password: process.env.FLEET_WRITER ?? '', may: /^(INSERT\s+INTO\s+\w+\s*\(|SELECT\s+key\s+FROM\s+shipped\s)/i },
  reader: { password: process.env.FLEET_READER ?? '', may: /^(SELECT|WITH|SHOW|DESCRIBE|EXISTS|EXPLAIN)\b/i },
};
USERS.judge = { password: process.env.FLEET_JUDGE ?? '', may: new RegExp(`${USERS.reader.may.source}|^INSERT\\s+INTO\\s+verdicts\\s*\\(`, 'i') };
USERS.visitor = { password: process.env.FLEET_VISITOR ?? '', may: USERS.reader.may, mayNot: /\bsystem\s*\./i };

/** Parameters of an address that are no settings. */
const OWN = ['query', 'database', 'default_format', 'user', 'password', 'wait_end_of_query', 'buffer_size'];

/** HTTP statuses of error codes, as in ClickHouse's HTTPHandler; others are 500. */
const STATUSES = { 62: 400, 36: 400, 27: 400, 26: 400, 47: 404, 60: 404, 81: 404, 193: 401, 516: 403, 497: 403, 164: 403, 456: 400, 457: 400 };

class Refused extends Error {
  constructor(code, name, text) {
    super(`Code: ${code}. DB::Exception: ${text} (${name})`);
    this.clickhouseCode = code;
  }
}

/** The statement without comments, and with nothing in its quotes. */
const skeleton = (sql) => sql
  .replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/gs, (text) => text[0] + text[0])
  .replace(/--[^\n]*|\/\*.*?\*\//gs, ' ')
  .trim();

const quote = (value) => `'${value.replace(/[\\']/g, '\\$&')}'`;

function check(user, password, sql) {
  const known = Object.hasOwn(USERS, user) ? USERS[user] : null;
  if (known === null || known.password !== password) {
    throw new Refused(516, 'AUTHENTICATION_FAILED',
      `${user}: Authentication failed: password is incorrect, or there is no user with such name.`);
  }
  const bare = skeleton(sql);
  if (/;\s*\S/.test(bare)) {
    throw new Refused(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  }
  if (!known.may.test(bare) || known.mayNot?.test(bare) || (user !== 'admin' && /\bINTO\s+OUTFILE\b|\b(file|url|s3|remote)\s*\(/i.test(bare))) {
    throw new Refused(497, 'ACCESS_DENIED', `${user}: Not enough privileges. To execute this query, it's necessary to have a grant`);
  }
}

/** @returns {Promise<Uint8Array>} */
async function run(database, sql, body, parameters, settings, format) {
  await session.queryAsync(`USE \`${database.replace(/[\\`]/g, '\\$&')}\``);
  const insert = /^\s*INSERT\s+INTO\s+(\w+)\s*\(([\w\s,]+)\)\s*FORMAT\s+(\w+)\s*$/i.exec(sql);
  if (insert !== null) {
    await session.insert({
      table: insert[1],
      columns: insert[2].split(',').map((name) => name.trim()),
      format: insert[3],
      values: body,
      settings,
    });
    return new Uint8Array();
  }
  let whole = body.length > 0 ? `${sql}\n${body.toString()}` : sql;
  const set = Object.entries(settings).map(([name, value]) => `${name} = ${quote(value)}`);
  if (set.length > 0 && /^(SELECT|WITH)\b/i.test(skeleton(whole))) {
    whole += `\nSETTINGS ${set.join(', ')}`;
  }
  const result = Object.keys(parameters).length > 0
    ? await session.queryBindAsync(whole, parameters, { format })
    : await session.queryAsync(whole, { format });
  return result.bytes();
}

async function read(request) {
  const pieces = [];
  let bytes = 0;
  const stream = request.headers['content-encoding'] === 'gzip' ? request.pipe(zlib.createGunzip()) : request;
  for await (const piece of stream) {
    bytes += piece.length;
    if (bytes > MAX_BODY) {
      throw new Refused(241, 'MEMORY_LIMIT_EXCEEDED', 'the request is too large');
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

let last = Promise.resolve();

/** After all that came before it. */
function queued(work) {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (request.method === 'GET' && url.pathname === '/ping') {
    response.end('Ok.\n');
    return;
  }
  try {
    const body = await read(request);
    const given = url.searchParams;
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '');
    const [name = '', password = ''] = basic ? Buffer.from(basic[1], 'base64').toString().split(/:(.*)/s) : [];
    const user = request.headers['x-clickhouse-user'] ?? (name || 'default');
    const key = request.headers['x-clickhouse-key'] ?? password;
    const sql = given.get('query') ?? '';
    check(user, key, sql === '' ? body.toString() : sql);
    const parameters = {};
    const settings = {};
    for (const [setting, value] of given) {
      if (setting.startsWith('param_')) {
        parameters[setting.slice(6)] = unescaped(value);
      } else if (!OWN.includes(setting)) {
        settings[setting] = value;
      }
    }
    const database = given.get('database') ?? request.headers['x-clickhouse-database'] ?? 'default';
    const format = given.get('default_format') ?? 'TabSeparated';
    const answer = await queued(() => run(database, sql, body, parameters, settings, format));
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=UTF-8' });
    response.end(answer);
  } catch (error) {
    const code = error.clickhouseCode ?? 1001;
    response.writeHead(STATUSES[code] ?? 500, { 'Content-Type': 'text/plain; charset=UTF-8', 'X-ClickHouse-Exception-Code': code });
    response.end(`${error.message}\n`);
  }
});

/** A parameter comes as text with the escapes of the format TabSeparated; the library escapes it again. */
function unescaped(text) {
  const known = { b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', 0: '\0' };
  return text.replace(/\\(.)/gs, (all, next) => known[next] ?? next);
}

process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  last.then(() => {
    session.close();
    process.exit(0);
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
