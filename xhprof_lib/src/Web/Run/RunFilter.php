<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Format\Typed;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\Sorting;

/**
 * Which runs the list shows, as the URL says it. What does not make sense is left out and told of.
 *
 * Parameters: q (words), only (source), host, url (part of URL or command), tag, pinned, from, to (dates), min (wall time),
 * sort, dir.
 */
final class RunFilter
{
    /** Parameters of the filter, without the order. */
    private const FIELDS = ['q', 'only', 'host', 'url', 'tag', 'pinned', 'from', 'to', 'min'];

    private const LONGEST = 500;

    public readonly RunQuery $query;
    public readonly Sorting $sorting;

    /** @var array<string, string> what was typed, by parameter; '' where it was not given */
    public readonly array $typed;

    /** @var list<string> what could not be understood */
    public readonly array $mistakes;

    /** @throws HttpError 400 for a parameter that is an array */
    public function __construct(Request $request)
    {
        $typed = [];
        foreach (self::FIELDS as $field) {
            $typed[$field] = substr($request->typed($field), 0, self::LONGEST);
        }
        $typed['pinned'] = $request->flag('pinned') ? '1' : '';
        $mistakes = [];
        $read = static function (string $field, \Closure $parse, string $example) use (&$mistakes, $typed): mixed {
            $value = $typed[$field] === '' ? null : $parse($typed[$field]);
            if ($typed[$field] !== '' && $value === null) {
                $mistakes[] = "\"{$typed[$field]}\" is not understood and left out; write it like $example.";
            }

            return $value;
        };
        $this->sorting = Sorting::from($request, RunQuery::SORTS, 'time', RunQuery::TEXTS);
        $this->query = new RunQuery(
            text: $typed['q'],
            // Not "source": that one belongs to the classic run parameters, and "source=" must not hide the list.
            source: $typed['only'],
            host: $typed['host'],
            url: $typed['url'],
            tag: $typed['tag'],
            pinned: $typed['pinned'] === '' ? null : true,
            from: $read('from', Typed::moment(...), '2026-11-21 or 2026-11-21 14:30'),
            until: $read('to', static fn (string $text): ?float => Typed::moment($text, true), '2026-11-21 or 2026-11-21 14:30'),
            minWall: $read('min', Typed::time(...), '200ms or 1.5s'),
            sort: $this->sorting->key,
            descending: $this->sorting->descending,
        );
        $this->typed = $typed;
        $this->mistakes = $mistakes;
    }

    /**
     * From a form's hidden field, where a list's state travels.
     *
     * @param string $text a query string
     */
    public static function fromText(string $text): self
    {
        parse_str(substr($text, 0, 10 * self::LONGEST), $parameters);

        return new self(new Request('GET', array_filter($parameters, is_string(...))));
    }

    /** @return array<string, ?string> parameters of the filter alone */
    public function parameters(): array
    {
        return $this->typed;
    }

    /** @return array<string, ?string> parameters of the order alone */
    public function order(): array
    {
        $isDefault = $this->sorting->key === 'time' && $this->sorting->descending;
        $isText = in_array($this->sorting->key, RunQuery::TEXTS, true);

        return ['sort' => $isDefault ? null : $this->sorting->key, 'dir' => $this->sorting->direction($isText)];
    }

    /** @return array<string, ?string> all that names this list */
    public function state(): array
    {
        return $this->parameters() + $this->order();
    }

    /** The same as text. */
    public function text(): string
    {
        return ltrim(strstr(Url::index($this->state()), '?') ?: '', '?');
    }

    /** Whether one of the fields is used that are not always in sight. */
    public function hasMore(): bool
    {
        return $this->typed['url'] . $this->typed['from'] . $this->typed['to'] . $this->typed['min'] !== '';
    }
}
