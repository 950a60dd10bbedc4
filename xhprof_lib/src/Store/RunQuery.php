<?php

declare(strict_types=1);

namespace XHProf\Store;

use XHProf\Run\RunRecording;

/** Filter and order of a list of runs. Text search ignores the case of ASCII letters. */
final class RunQuery
{
    /** Sort keys of a list. */
    public const SORTS = ['time', 'title', 'source', 'host', 'wt', 'cpu', 'mu', 'pmu', 'ct', 'size'];

    /** Those that are texts. */
    public const TEXTS = ['title', 'source', 'host'];

    private const MAX_WORDS = 16;

    /** Only runs that are no windows. */
    public readonly bool $single;

    /** @var list<string> in lower case; a run holds all of them */
    public readonly array $words;

    public readonly string $sort;

    /**
     * @param string    $text    words that are looked for in everything a list shows, see RunEntry::searchText()
     * @param string    $url     part of the URL or the command
     * @param bool|null $pinned  null for both kinds
     * @param float|null $from   seconds since 1970
     * @param float|null $until  seconds since 1970, itself not included
     * @param int|null  $minWall microseconds
     * @param string    $start   one of RunRecording::STARTS
     * @param string    $status  of the HTTP answer: "404", or a class of them, "5xx"
     * @param string    $route   a whole one, see RunEntry
     * @param bool      $requests only requests and jobs: runs with a route
     * @param bool      $single  without windows, which are sums of many requests, unless $start asks for them
     * @param bool      $sinceRelease only since the first run of the release that was seen first last, of this source
     * @param string    $sort    one of SORTS, else "time"
     */
    public function __construct(
        string $text = '',
        public readonly string $source = '',
        public readonly string $host = '',
        public readonly string $url = '',
        public readonly string $tag = '',
        public readonly ?bool $pinned = null,
        public readonly ?float $from = null,
        public readonly ?float $until = null,
        public readonly ?int $minWall = null,
        public readonly string $start = '',
        public readonly string $status = '',
        public readonly string $route = '',
        public readonly bool $requests = false,
        bool $single = false,
        public readonly bool $sinceRelease = false,
        string $sort = 'time',
        public readonly bool $descending = true,
    ) {
        $this->single = $single && $start !== RunRecording::WINDOW;
        $words = preg_split('/\s+/', strtolower(str_replace("\0", ' ', $text)), -1, PREG_SPLIT_NO_EMPTY) ?: [];
        $this->words = array_slice($words, 0, self::MAX_WORDS);
        $this->sort = in_array($sort, self::SORTS, true) ? $sort : 'time';
    }

    /**
     * @param array<string, mixed> $changes parameters of the constructor
     *
     * @return self the same but for these
     */
    public function with(array $changes): self
    {
        $own = get_object_vars($this);
        unset($own['words']);

        return new self(...$changes + ['text' => implode(' ', $this->words)] + $own);
    }

    /** @return bool whether $status may have this value, other than '' */
    public static function isStatus(string $status): bool
    {
        return preg_match('/\A[1-5](?:[0-9]{2}|xx)\z/', $status) === 1;
    }

    /** @return array{int, int} statuses that are looked for: the first and the last; none but for a status */
    public function statuses(): array
    {
        return self::isStatus($this->status)
            ? [(int) strtr($this->status, 'x', '0'), (int) strtr($this->status, 'x', '9')]
            : [1, 0];
    }

    /** Whether it leaves out any run but windows. */
    public function isFiltered(): bool
    {
        $texts = [$this->source, $this->host, $this->url, $this->tag, $this->start, $this->status, $this->route];

        return $this->words !== [] || implode('', $texts) !== '' || $this->requests || $this->pinned !== null
            || $this->from !== null || $this->until !== null || $this->minWall !== null || $this->sinceRelease;
    }
}
