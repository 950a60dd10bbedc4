/** What the pages use of assets/vendor/graphviz/graphviz.js; the package's own types want a newer "lib". */
export class Graphviz {
    static load(): Promise<Graphviz>;
    version(): string;
    /** Throws an Error with dot's message where it cannot read the source. */
    layout(source: string, format: 'plain' | 'svg' | 'json' | 'dot', engine: 'dot'): string;
}
