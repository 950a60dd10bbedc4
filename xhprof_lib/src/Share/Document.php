<?php

declare(strict_types=1);

namespace XHProf\Share;

/** What a file that is sent contains, whatever it is about: HtmlFile writes it. */
final class Document
{
    /**
     * @param string               $title   of the window, any bytes
     * @param string               $subject "run", "comparison", "snapshot": whose views the tabs are
     * @param string               $entry   module of its page, below assets/js
     * @param list<string>         $styles  files below assets, besides those of all
     * @param string               $head    markup above the tabs
     * @param list<Pane>           $panes   the first is the one that is open
     * @param list<Answer>         $answers
     * @param list<string>         $leftOut sentences on what is missing
     * @param array<string, mixed> $frame   more variables of share.html.twig
     */
    public function __construct(
        public readonly string $title,
        public readonly string $subject,
        public readonly string $entry,
        public readonly array $styles,
        public readonly string $head,
        public readonly array $panes,
        public readonly array $answers,
        public readonly array $leftOut = [],
        public readonly array $frame = [],
    ) {
    }
}
