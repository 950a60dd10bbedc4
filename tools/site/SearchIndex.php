<?php

declare(strict_types=1);

namespace XHProf\Tools\Site;

/**
 * The sections of all pages as a script: a page that is opened from a disk may load scripts, but fetch nothing.
 *
 * @phpstan-import-type Shown from Demo
 */
final class SearchIndex
{
    /**
     * @param list<Page> $pages
     * @param list<Article> $articles of the pages
     * @param list<Shown>|null $demo
     */
    public static function script(array $pages, array $articles, ?array $demo): string
    {
        $sections = [];
        foreach ($pages as $index => $page) {
            foreach ($articles[$index]->sections as $section) {
                $url = $page->target() . ($section['id'] === '' ? '' : '#' . rawurlencode($section['id']));
                $sections[] = [$articles[$index]->title, $section['title'], $url, $section['text']];
            }
        }
        foreach ($demo ?? [] as $one) {
            $text = "$one[text] " . implode(' ', $one['finding'] ?? []);
            $sections[] = [Site::DEMO, $one['title'], 'demo/index.html#' . basename($one['file'], '.html'), $text];
        }
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_HEX_TAG | JSON_THROW_ON_ERROR;

        return "/* [page, section, address, text] of each section. */\nvar XHPROF_SECTIONS = "
            . str_replace('],[', "],\n[", json_encode($sections, $flags)) . ";\n";
    }
}
