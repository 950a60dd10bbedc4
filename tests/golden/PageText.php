<?php

declare(strict_types=1);

namespace XHProf\Tests\Golden;

/**
 * What a page says, as lines that a diff can show: a row of a table is a line with | between cells, a choice has one too; links
 * have their addresses, fields of forms their names and values, cells their tooltips and aria-sort. Works on what templates of this
 * project write: attributes are in double quotes, and < is escaped in texts.
 */
final class PageText
{
    private const ELEMENT = '~<!--.*?-->|<(/?)([a-zA-Z][\w-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*/?>~s';
    private const LINES = '~\A(?:p|div|section|h[1-6]|tr|table|caption|ul|ol|li|dl|dt|form|nav|header|footer|main|pre|summary'
        . '|details|fieldset|legend|title|aside|article|figure|figcaption|body|br|select|label|button|textarea)\z~';
    /** Attributes that a reader or a script sees, besides those whose value is an address of these pages. */
    private const SHOWN = ['title', 'aria-sort', 'aria-current', 'placeholder', 'open', 'hidden', 'disabled'];
    private const OF_FIELDS = ['type', 'name', 'value', 'action', 'method', 'checked', 'selected', 'download'];

    public static function of(string $html): string
    {
        // Pictures are Graphviz's and the icons'; the token of forms is random.
        $html = (string) preg_replace('~<(script|style|svg)\b.*?</\1>~s', '', $html);
        $html = (string) preg_replace('~<input[^>]* name="csrf"[^>]*>~', '', $html);
        $text = '';
        $at = 0;
        preg_match_all(self::ELEMENT, $html, $found, PREG_OFFSET_CAPTURE | PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL);
        $links = [];
        foreach ($found as $element) {
            [[$whole, $begin], [$end], [$name], [$own]] = $element;
            $text .= preg_replace('/\s+/', ' ', substr($html, $at, $begin - $at));
            $at = $begin + strlen((string) $whole);
            if ($name === null) {
                continue;
            }
            $name = strtolower($name);
            if ($end === '/') {
                $text .= $name === 'a' ? array_pop($links) : '';
                $text .= in_array($name, ['td', 'th', 'dd'], true) ? ' | ' : (preg_match(self::LINES, $name) === 1 ? "\n" : '');
            } else {
                $attributes = self::attributes((string) $own);
                $name === 'a' && $links[] = isset($attributes['href']) ? " <$attributes[href]>" : '';
                $text .= preg_match(self::LINES, $name) === 1 ? "\n" : ($name === 'option' ? ' ' : '');
                $text .= self::shown($name, $attributes);
            }
        }
        $lines = explode("\n", html_entity_decode($text, ENT_QUOTES | ENT_HTML5));
        $lines = array_map(static fn (string $line): string => trim((string) preg_replace('/ {2,}/', ' ', $line)), $lines);

        return implode("\n", array_filter($lines, static fn (string $line): bool => $line !== '')) . "\n";
    }

    /** @return array<string, string> as they are written */
    private static function attributes(string $text): array
    {
        preg_match_all('~([^\s=]+)(?:="([^"]*)")?~', $text, $found, PREG_SET_ORDER);
        $attributes = [];
        foreach ($found as $one) {
            $attributes[$one[1]] = preg_replace('/\s+/', ' ', $one[2] ?? 'yes') ?? '';
        }

        return $attributes;
    }

    /** @param array<string, string> $attributes */
    private static function shown(string $name, array $attributes): string
    {
        $isField = in_array($name, ['form', 'input', 'button', 'option', 'select', 'textarea', 'a'], true);
        $kept = array_filter($attributes, static fn (string $value, string $one): bool => in_array($one, self::SHOWN, true)
            || $isField && in_array($one, self::OF_FIELDS, true)
            || $one !== 'href' && preg_match('/\A(?:index|api|callgraph|typeahead)\.php/', $value) === 1, ARRAY_FILTER_USE_BOTH);
        if (in_array($name, ['h1', 'h2', 'h3'], true)) {
            return str_repeat('#', (int) $name[1]) . ' ';
        }
        $texts = array_map(static fn (string $one, string $value): string => "$one=$value", array_keys($kept), $kept);
        $fields = in_array($name, ['form', 'input', 'button', 'select', 'textarea', 'option'], true) ? [$name] : [];

        return $texts === [] && $fields === [] ? '' : '{' . implode(' ', [...$fields, ...$texts]) . '} ';
    }
}
