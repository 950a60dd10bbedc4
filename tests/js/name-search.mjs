/** Rows of the functions page that each search finds: JSON {names, texts} on stdin, for NameSearchTest. */
import { readFileSync } from 'node:fs';
import { matchNames, patternIn } from '../../xhprof_html/assets/js/profile/search.js';
import { FunctionsModel } from '../../xhprof_html/assets/js/table/functions-model.js';

const { names, texts } = JSON.parse(readFileSync(0, 'utf8'));
const model = new FunctionsModel({ names, metrics: [], total: {}, m: {} });
process.stdout.write(JSON.stringify(texts.map((/** @type {string} */ text) => {
    const query = text.trim();
    const pattern = patternIn(query);
    if (pattern !== null && pattern.problem !== '') {
        return 'no pattern';
    }
    model.filter(query, pattern === null ? null : matchNames(names, query));

    return [...model.rows].map((row) => names[row]);
})));
