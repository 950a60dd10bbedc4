<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\File\Sink;
use XHProf\Profile\PrunedTree;
use XHProf\Run\ChangedRun;
use XHProf\Run\Run;

/**
 * One file that shows a run in any browser, from a disk or a ticket, and loads nothing else: its policy allows no
 * network. It contains the modules and styles of the pages, and the run as HtmlRun. Without JavaScript it shows the most costly
 * functions.
 */
final class Html implements Format
{
    public const NAME = 'html';
    public const EXTENSION = 'html';
    public const MIME_TYPE = 'text/html';
    public const LABEL = 'HTML file';
    public const OPENS = 'any browser, without a server or network: functions, call tree, flame graph, sandwich, timeline in'
        . ' one file';

    /** Most call paths in the file; of larger runs the smallest ones are left out, see PrunedTree. */
    public const MAX_NODES = 200000;

    /** Number of calls and call paths from which the run is compressed. */
    private const PACKED = 4000;

    private const STYLES = ['app.css', 'tables.css', 'views.css', 'flame.css', 'standalone.css', 'print.css'];
    private const ENTRY = 'pages/standalone.js';
    private const BOOT = 'js/standalone/boot.js';

    private readonly string $assets;

    /**
     * @param string|null $assets the folder xhprof_html/assets
     * @param float|null  $least  call paths below this share of the run's time are left out of the tree, not of the
     *                            functions; null for all up to MAX_NODES
     */
    public function __construct(?string $assets = null, private readonly ?float $least = null)
    {
        $this->assets = $assets ?? dirname(__DIR__, 3) . '/xhprof_html/assets';
    }

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $tree = $run->tree();
        $pruned = match (true) {
            $tree === null => null,
            $this->least !== null => PrunedTree::above($tree, $this->least),
            default => PrunedTree::largest($tree, self::MAX_NODES),
        };
        $run = $pruned === null ? $run : ChangedRun::withTree($run, $pruned->tree);
        $page = new HtmlPage($run, $pruned->nodes ?? 0);
        $style = implode("\n", array_map(fn (string $file): string => $this->asset($file), self::STYLES));
        $boot = $this->asset(self::BOOT);
        $out->write($page->head(self::policy($style, $boot)));
        $out->write("<style>$style</style>\n</head>\n" . $page->body());
        $this->modules($out);
        self::data($run, $out);
        $out->write("<script>$boot</script>\n</body>\n</html>\n");
    }

    private function modules(Sink $out): void
    {
        $flags = JSON_HEX_TAG | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;
        $graph = json_encode(ModuleGraph::read("$this->assets/js", self::ENTRY), $flags);
        $out->write("<script type=\"application/json\" id=\"xhprof-modules\">$graph</script>\n");
    }

    private static function data(Run $run, Sink $out): void
    {
        $times = count($run->timelineThatFits()->t ?? $run->samplesThatFit()->t ?? []);
        $isPacked = count($run->profile()->edges()) + ($run->tree()?->count() ?? 0) + $times > self::PACKED;
        $packed = $isPacked ? ' data-packed' : '';
        $out->write("<script type=\"application/json\" id=\"xhprof-run\"$packed>");
        if ($isPacked) {
            self::base64(static fn (Sink $json) => HtmlRun::json($run, $json), true, $out);
        } else {
            // JSON has "<" only in texts.
            $json = new Sink(static fn (string $piece) => $out->write(str_replace('<', '\u003c', $piece)));
            HtmlRun::json($run, $json);
            $json->end();
        }
        $out->write("</script>\n");
        if (HtmlRun::hasColumns($run)) {
            $out->write("<script type=\"application/octet-stream\" id=\"xhprof-columns\"$packed>");
            self::base64(static fn (Sink $columns) => HtmlRun::columns($run, $columns), $isPacked, $out);
            $out->write("</script>\n");
        }
    }

    /** @param \Closure(Sink): void $write */
    private static function base64(\Closure $write, bool $isPacked, Sink $out): void
    {
        $rest = '';
        $base64 = new Sink(static function (string $piece) use (&$rest, $out): void {
            $rest .= $piece;
            $whole = strlen($rest) - strlen($rest) % 3;
            $out->write(base64_encode(substr($rest, 0, $whole)));
            $rest = substr($rest, $whole);
        });
        $inner = $isPacked ? $base64->gzipped() : $base64;
        $write($inner);
        $inner->end();
        if ($isPacked) {
            $base64->end();
        }
        $out->write(base64_encode($rest));
    }

    /** Allows nothing from elsewhere; only the scripts and styles in the file, and those that boot.js creates from them. */
    private static function policy(string $style, string $boot): string
    {
        $hash = static fn (string $text): string => "'sha256-" . base64_encode(hash('sha256', $text, true)) . "'";

        return "default-src 'none'; script-src {$hash($boot)} blob:; style-src {$hash($style)}; connect-src blob:; "
            . "worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'";
    }

    private function asset(string $name): string
    {
        $text = file_get_contents("$this->assets/$name");

        return $text === false ? throw new \LogicException("$name is missing from the installation") : $text;
    }
}
