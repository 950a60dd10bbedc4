<?php

declare(strict_types=1);

namespace XHProf\Share;

use XHProf\Web\Http\Url;

/**
 * Links of a page's markup as a file can follow them: to its own views and functions. What leads to a server becomes plain text,
 * and forms that ask it are taken out. The markup is that of our templates, which escape all that is not theirs: a tag is a tag.
 */
final class FileLinks
{
    private const LINK = '~<a\b((?:\s[^>]*)?)\shref="([^"]*)"([^>]*)>(.*?)</a>~s';

    /** Forms that a script reads stay. */
    private const FORM = '~<form\b(?![^>]*\smethod="dialog")[^>]*>.*?</form>~s';

    /** Addresses that are loaded when something is opened. */
    private const LATER = '~\s(?:data-children|data-lazy|data-keep|data-sandwich|data-open)="[^"]*"~';

    private const EMPTY = '~<div class="toolbar">\s*</div>|<p class="count switches">\s*</p>~';

    /** Parameters that views of the file have too. */
    private const KEPT = ['sel', 'root', 'tree', 'metric', 'operation', 'x0', 'x1', 'colour', 'lit'];

    /** Parameters with which a page shows what the file has not. */
    private const OF_SERVER = [
        'symbol', 'symbol_hash', 'node', 'class', 'owner', 'type', 'sort', 'page', 'kind', 'corrected', 'levels',
        'by', 'when', 'after', 'before', 'q', 'names',
    ];

    /** Attributes of links that only a server's page has. */
    private const NOT_KEPT = '~\s(?:data-keep|data-key|data-key-label|data-key-group|rel|download)(?:="[^"]*")?(?=\s|\z)~';

    /**
     * @param list<string> $views   names of the file's panes
     * @param string       $subject parameter that names what the file is about: links to others lead nowhere
     * @param string       $view    parameter that names a view
     */
    public function __construct(
        private readonly array $views,
        private readonly string $subject,
        private readonly string $view = 'view',
    ) {
    }

    public function rewritten(string $html): string
    {
        $html = preg_replace(self::FORM, '', $html) ?? '';
        $html = preg_replace_callback(self::LINK, function (array $match): string {
            [, $before, $address, $after, $words] = $match;
            $own = self::withoutServer($before . $after);
            $to = str_starts_with($address, '#') ? $address : $this->address(html_entity_decode($address, ENT_QUOTES, 'UTF-8'));

            return $to === null
                ? '<span' . self::plain($own) . ">$words</span>"
                : '<a href="' . htmlspecialchars($to, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8') . "\"$own>$words</a>";
        }, $html) ?? '';

        return preg_replace([self::LATER, self::EMPTY], '', $html) ?? '';
    }

    /** The address within the file; null for what only a server has. */
    public function address(string $address): ?string
    {
        [$page, $query] = explode('?', explode('#', $address)[0], 2) + [1 => ''];
        parse_str($query, $parameters);
        if ($page !== Url::page('index') || !isset($parameters[$this->subject])) {
            return null;
        }
        $text = static fn (string $name): string => is_string($parameters[$name] ?? null) ? $parameters[$name] : '';
        if ($text('symbol') !== '' && in_array('functions', $this->views, true)) {
            return '?' . http_build_query(['symbol' => $text('symbol')], '', '&', PHP_QUERY_RFC3986);
        }
        $view = $text($this->view);
        $hasOther = array_intersect(self::OF_SERVER, array_keys($parameters));
        $view = $view === '' ? $this->views[0] : $view;
        if (!in_array($view, $this->views, true) || $hasOther !== []) {
            return null;
        }
        $kept = array_intersect_key($parameters, array_flip(self::KEPT));

        return '?' . http_build_query(['view' => $view] + $kept, '', '&', PHP_QUERY_RFC3986);
    }

    private static function withoutServer(string $attributes): string
    {
        return preg_replace(self::NOT_KEPT, '', $attributes) ?? '';
    }

    /** Attributes of what is no link any more. */
    private static function plain(string $attributes): string
    {
        return preg_replace('~\s(?:aria-label|aria-current|tabindex)="[^"]*"~', '', $attributes) ?? '';
    }
}
