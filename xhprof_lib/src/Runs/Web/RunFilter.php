<?php

declare(strict_types=1);

namespace XHProf\Runs\Web;

use XHProf\Format\Period;
use XHProf\Format\QuantityParser;
use XHProf\Report\Order;
use XHProf\Store\RunQuery;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;
use XHProf\Web\Table\ReportTable;

/**
 * The list's filter, read from the URL. Invalid values are left out and reported.
 *
 * Parameters: q (words), only (source), host, url (part of URL or command), tag, pinned, from, to (dates), last (see Period),
 * min (wall time), start (kind of start), status (404, 5xx), route (a whole one), sort, dir.
 */
final class RunFilter
{
    /** Parameters of the filter, without the order. */
    private const FIELDS = [
        'q', 'only', 'host', 'url', 'tag', 'pinned', 'from', 'to', 'min', 'last', 'start', 'status', 'route',
    ];

    /** Kinds of start, in a word. */
    public const STARTS = [
        'trigger' => 'triggered',
        'sampled' => 'chosen by rate',
        'yes' => 'automatic',
        'span' => 'jobs',
        'aggregate' => 'windows',
        'manual' => 'by the program',
    ];

    private const LONGEST = 500;

    /** How a moment is written, for messages. */
    private const MOMENT = '2026-11-21, 2026-11-21 14:30 or yesterday';

    public readonly RunQuery $query;
    public readonly Order $sorting;

    /** What `last` names. */
    public readonly ?Period $last;

    /** @var array<string, string> the input by parameter; '' if not given */
    public readonly array $typed;

    /** @var list<string> the invalid input */
    public readonly array $mistakes;

    /**
     * @param bool $requests only requests and jobs
     * @throws HttpError 400 for a parameter that is an array
     */
    public function __construct(Request $request, bool $requests = false)
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
                $mistakes[] = "\"{$typed[$field]}\" is not understood and was ignored; write it like $example.";
            }

            return $value;
        };
        $among = static fn (array $known): \Closure
            => static fn (string $text): ?string => in_array($text, $known, true) ? $text : null;
        $status = static fn (string $text): ?string => RunQuery::isStatus($text) ? $text : null;
        $last = $read('last', static fn (string $text): ?Period => Period::parse($text), Period::EXAMPLES);
        $from = $read('from', QuantityParser::moment(...), self::MOMENT);
        $to = $read('to', static fn (string $text): ?float => QuantityParser::moment($text, true), self::MOMENT);
        if ($from !== null && $to !== null && $from >= $to) {
            $mistakes[] = "The time ends ({$typed['to']}) before it begins ({$typed['from']}).";
        }
        $this->last = $last;
        $this->sorting = ReportTable::order($request, RunQuery::SORTS, 'time');
        $isText = in_array($this->sorting->by, RunQuery::TEXTS, true);
        $this->query = new RunQuery(
            text: $typed['q'],
            // Not "source": that one belongs to the classic run parameters, and "source=" must not hide the list.
            source: $typed['only'],
            host: $typed['host'],
            url: $typed['url'],
            tag: $typed['tag'],
            pinned: $typed['pinned'] === '' ? null : true,
            from: $last?->from === null ? $from : max($last->from, $from ?? 0.0),
            until: $last?->until === null ? $to : min($last->until, $to ?? INF),
            sinceRelease: $last?->isRelease() ?? false,
            minWall: $read('min', QuantityParser::time(...), '200ms or 1.5s'),
            start: $read('start', $among(array_keys(self::STARTS)), implode(', ', array_keys(self::STARTS))) ?? '',
            status: $read('status', $status, '404 or 5xx') ?? '',
            route: $typed['route'],
            requests: $requests,
            single: true,
            sort: $this->sorting->by,
            descending: $this->sorting->isDown($isText),
        );
        $this->typed = $typed;
        $this->mistakes = $mistakes;
    }

    /**
     * Reads a form's hidden field, which carries a list's state.
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
        $dir = $this->sorting->dir(in_array($this->sorting->by, RunQuery::TEXTS, true));

        return ['sort' => $this->sorting->by === 'time' && $dir === null ? null : $this->sorting->by, 'dir' => $dir];
    }

    /** @return array<string, ?string> all that names this list */
    public function state(): array
    {
        return $this->parameters() + $this->order();
    }

    /** Returns the parameters of state() as the query of an address. */
    public function text(): string
    {
        return ltrim(strstr(Url::index($this->state()), '?') ?: '', '?');
    }

    /** @return array<string, string> periods to choose from: value of `last` => label; with the one that was typed */
    public function periods(): array
    {
        return Period::USUAL + ($this->last === null ? [] : [$this->typed['last'] => $this->last->label]);
    }

    /** Whether a field is used that is not always visible. */
    public function hasMore(): bool
    {
        return implode('', array_intersect_key($this->typed, array_flip(['url', 'from', 'to', 'min', 'last', 'start', 'status'])))
            !== '';
    }
}
