<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

/** What a page's text became. */
final class Article
{
    /**
     * @param string $title the first heading, plain
     * @param string $lead the first paragraph, plain, of 200 characters at most
     * @param list<array{level: int, id: string, text: string}> $headings
     * @param list<array{id: string, title: string, text: string}> $sections plain texts below the headings; id: '' above the second
     * @param list<string> $files of the repository that the page shows, relative to its root
     */
    public function __construct(
        public readonly string $title,
        public readonly string $lead,
        public readonly string $html,
        public readonly array $headings,
        public readonly array $sections,
        public readonly array $files,
    ) {
    }
}
