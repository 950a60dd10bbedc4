<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\File\Sink;
use XHProf\Web\Templates;

/**
 * One file that shows a document in any browser, from a disk or a ticket, and loads nothing else: its policy allows no network.
 * It contains the pages' own markup, modules and styles, and what the server would answer to their scripts. Without
 * JavaScript it shows what pages show then: findings, figures, tables.
 */
final class HtmlFile
{
    /** Number of bytes from which an answer is compressed. */
    private const PACKED = 4000;

    /** Styles of all files; between them are those of the document. */
    private const STYLES = ['theme.css', 'app.css', 'time.css', 'tables.css', 'findings.css', 'views.css'];
    private const LAST_STYLES = ['standalone.css', 'print.css'];
    private const BOOT = 'js/standalone/boot.js';

    /** Stand in the frame where something is put that is not escaped: no text of a run can have them. */
    private const STYLE_MARK = '<!--style-->';
    private const HEAD_MARK = '<!--head-->';
    private const PANES_MARK = '<!--panes-->';
    private const DATA_MARK = '<!--data-->';

    private readonly string $assets;

    /** @param string $root the folder xhprof_html */
    public function __construct(string $root, private readonly Templates $view)
    {
        $this->assets = "$root/assets";
    }

    public function write(Document $document, Sink $out): void
    {
        $files = [...self::STYLES, ...$document->styles, ...self::LAST_STYLES];
        $style = implode("\n", array_map($this->asset(...), array_unique($files)));
        $boot = $this->asset(self::BOOT);
        $frame = $this->view->render('share.html.twig', $document->frame + [
            'title' => $document->title,
            'subject' => $document->subject,
            'policy' => self::policy($style, $boot),
            'panes' => $document->panes,
            'left_out' => $document->leftOut,
            'find' => null,
        ]);
        [$start, $rest] = explode(self::STYLE_MARK, $frame, 2);
        [$top, $rest] = explode(self::HEAD_MARK, $rest, 2);
        [$middle, $rest] = explode(self::PANES_MARK, $rest, 2);
        [$below, $end] = explode(self::DATA_MARK, $rest, 2);
        foreach ([$start, "<style>$style</style>", $top, $document->head, $middle] as $piece) {
            $out->write($piece);
        }
        foreach ($document->panes as $pane) {
            $hidden = $pane->drawn ? ' hidden' : '';
            $out->write("<div data-pane=\"$pane->name\"$hidden>\n$pane->html</div>\n");
        }
        $out->write($below);
        $this->modules($document->entry, $out);
        foreach ($document->answers as $answer) {
            self::answer($answer, $out);
        }
        $out->write("<script>$boot</script>\n$end");
    }

    private function modules(string $entry, Sink $out): void
    {
        $flags = JSON_HEX_TAG | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;
        $graph = json_encode(ModuleGraph::read("$this->assets/js", $entry), $flags);
        $out->write("<script type=\"application/json\" id=\"xhprof-modules\">$graph</script>\n");
    }

    private static function answer(Answer $answer, Sink $out): void
    {
        $isPacked = strlen($answer->body) > self::PACKED;
        $type = $answer->isJson ? 'application/json' : 'application/octet-stream';
        $address = htmlspecialchars($answer->address, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
        $out->write("<script type=\"$type\" data-answer=\"$address\"" . ($isPacked ? ' data-packed' : '') . '>');
        $out->write(match (true) {
            $isPacked => base64_encode((string) gzencode($answer->body, 9)),
            // JSON has "<" only in texts.
            $answer->isJson => str_replace('<', '\u003c', trim($answer->body)),
            default => base64_encode($answer->body),
        });
        $out->write("</script>\n");
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
