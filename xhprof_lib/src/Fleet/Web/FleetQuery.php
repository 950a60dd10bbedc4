<?php

declare(strict_types=1);

namespace XHProf\Fleet\Web;

use XHProf\Fleet\ClickHouse\StableNumbers;
use XHProf\Fleet\Question\SampledClock;
use XHProf\Fleet\Question\Selection;
use XHProf\Format\Period;
use XHProf\Format\QuantityParser;
use XHProf\Web\Http\HttpError;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/**
 * What a page of the fleet is asked, read from its address. Times that are not understood are left out and reported.
 *
 * Parameters: show (the page), service, env, route, release, host; last (see Period, or "all"; the last 24 hours where
 * no time is given), from, to (dates, instead of last); label ("team=checkout"), label2; clock (wall or cpu). A second selection,
 * for a comparison, is the same one with what base_service, base_env... base_label name, of which * stands for all.
 */
final class FleetQuery
{
    public const ALL = '*';

    /** Fields of a selection, in words. */
    public const FIELDS = [
        'service' => 'service', 'env' => 'environment', 'route' => 'route', 'release' => 'release', 'host' => 'host',
    ];
    private const TIMES = ['from', 'to'];
    private const LABELS = ['label', 'label2'];

    private const USUAL = '24h';
    private const ANY = 'all';
    private const HOUR = 3600;

    private const LONGEST = 2000;

    public readonly Selection $selection;

    /** What it is compared with; null for no comparison. */
    public readonly ?Selection $base;

    public readonly SampledClock $clock;

    /** @var array<string, string> the input by parameter; '' if not given */
    public readonly array $typed;

    /** @var array<string, string> of the second selection, without "base_" */
    public readonly array $typedBase;

    /** @var list<string> the invalid input */
    public readonly array $mistakes;

    /** @throws HttpError 400 */
    public function __construct(Request $request)
    {
        $text = static function (string $name) use ($request): string {
            $value = $request->typed($name);

            return strlen($value) <= self::LONGEST && preg_match('//u', $value) === 1
                ? $value
                : throw new HttpError(400, "The parameter \"$name\" is too long, or no UTF-8.");
        };
        $typed = $base = [];
        foreach ([...array_keys(self::FIELDS), ...self::TIMES, ...self::LABELS] as $field) {
            $typed[$field] = $text($field);
            $base[$field] = $text("base_$field");
        }
        $mistakes = [];
        $typed['last'] = self::last($text('last'), $mistakes);
        $typed['clock'] = self::among($text('clock'), array_column(SampledClock::cases(), 'value'), $mistakes);
        $this->clock = SampledClock::tryFrom($typed['clock']) ?? SampledClock::Wall;
        [$from, $to] = self::times($typed['from'], $typed['to'], $mistakes);
        if ($from === null && $to === null) {
            [$from, $to] = self::during($typed['last']);
        }
        $this->selection = self::selected($typed, $from, $to, self::labels($typed, $mistakes));
        $this->base = implode('', $base) === '' ? null : self::other($this->selection, $base, $mistakes);
        $this->typed = $typed;
        $this->typedBase = $base;
        $this->mistakes = $mistakes;
    }

    /** @throws HttpError 400 */
    public function needsService(): self
    {
        return $this->selection->service !== ''
            ? $this
            : throw new HttpError(400, 'This question is about one service: choose it on the first page of the fleet.');
    }

    /**
     * The address of a page with this selection.
     *
     * @param string $show '' for the overview
     * @param array<string, string|int|float|bool|null> $changes null or '' leaves a parameter out
     */
    public function url(string $show, array $changes = []): string
    {
        $changes = array_map(static fn (string|int|float|bool|null $value): string => (string) $value, $changes);

        return Url::index(['view' => 'fleet', 'show' => $show] + $changes + $this->typed);
    }

    /**
     * The address of the flame graph of this selection beside another, or of the comparison that is shown.
     *
     * @param array<string, string|int|float|bool|null> $base what differs, without "base_"
     * @param array<string, string|int|float|bool|null> $changes of this selection
     */
    public function differenceUrl(array $base, array $changes = []): string
    {
        return $this->url('flame', $changes + self::based($base));
    }

    /** The address of api.php's tree of this selection, or of the one that it is compared with; per request in a comparison. */
    public function treeUrl(bool $isBase = false): string
    {
        $own = array_filter($this->typedBase, static fn (string $value): bool => $value !== '');

        return Url::api('fleet-tree', ($isBase ? ['side' => 'base'] : []) + self::based($own) + $this->typed);
    }

    /** @return array<string, string> all parameters, for the fields of forms */
    public function parameters(string $show): array
    {
        return ['view' => 'fleet', 'show' => $show] + $this->typed;
    }

    /** @return array<string, string> parameters of the second selection */
    public function baseParameters(): array
    {
        return self::based($this->typedBase);
    }

    /**
     * The address of a function's page.
     *
     * @param array<string, string|int|float|bool|null> $changes
     */
    public function functionUrl(string $name, array $changes = []): string
    {
        $isSendable = strlen($name) <= 500 && $name !== '' && preg_match('/^[^\x00-\x1F]*$/uD', $name) === 1;
        $own = $isSendable ? Url::symbolParameter($name) : ['fn' => (string) StableNumbers::fn($name)];

        return $this->url('functions', $own + $changes);
    }

    /** "the last 24 hours", for a sentence. */
    public function period(): string
    {
        if ($this->selection->from === null && $this->selection->to === null) {
            return 'all that is kept';
        }
        if ($this->typed['from'] === '' && $this->typed['to'] === '') {
            $label = self::named($this->typed['last'])->label ?? '';

            return str_starts_with($label, 'last') ? "the $label" : $label;
        }
        $words = ['from' => $this->typed['from'], 'to' => $this->typed['to']];

        return implode(' ', array_map(
            static fn (string $word, string $time): string => "$word $time",
            array_keys(array_filter($words)),
            array_filter($words),
        ));
    }

    /** @return array<string, string> value of `last` => label */
    public static function periods(): array
    {
        $labels = array_diff_key(Period::USUAL, ['release' => '']);

        return ['' => $labels[self::USUAL]] + array_diff_key($labels, [self::USUAL => '']) + [self::ANY => 'any time'];
    }

    /** @return Period|null null for any time */
    private static function named(string $last): ?Period
    {
        return Period::parse($last === '' ? self::USUAL : $last);
    }

    /** @return array{int|null, int|null} the whole hours in which it began and ended: sums over whole hours have fewer rows */
    private static function during(string $last): array
    {
        $period = self::named($last);

        return [
            $period?->from === null ? null : intdiv((int) $period->from, self::HOUR) * self::HOUR,
            $period?->until === null ? null : (int) $period->until,
        ];
    }

    /** @param list<string> $mistakes */
    private static function last(string $text, array &$mistakes): string
    {
        $period = Period::parse($text);
        if (in_array($text, ['', self::ANY], true) || ($period !== null && !$period->isRelease())) {
            return $text;
        }
        $mistakes[] = "\"$text\" is not understood and was ignored; it may be 1h, 2d, 1w, today, yesterday or all.";

        return '';
    }

    /**
     * @param array<string, string> $fields
     * @param array<string, string> $labels
     */
    private static function selected(array $fields, ?int $from, ?int $to, array $labels): Selection
    {
        return new Selection(...array_intersect_key($fields, self::FIELDS), from: $from, to: $to, labels: $labels);
    }

    /**
     * @param array<string, string> $fields
     * @param list<string> $mistakes
     *
     * @return array<string, string> free labels by name
     */
    private static function labels(array $fields, array &$mistakes): array
    {
        $labels = [];
        foreach (self::LABELS as $field) {
            if (in_array($fields[$field], ['', self::ALL], true)) {
                continue;
            }
            if (preg_match('/\A([^=]+)=(.+)\z/su', $fields[$field], $match) === 1) {
                $labels[$match[1]] = $match[2];
            } else {
                $mistakes[] = "\"{$fields[$field]}\" is not understood and was ignored; a label is written like team=checkout.";
            }
        }

        return $labels;
    }

    /**
     * @param array<string, string> $base
     * @param list<string> $mistakes
     */
    private static function other(Selection $selection, array $base, array &$mistakes): Selection
    {
        $fields = [];
        foreach (array_keys(self::FIELDS) as $field) {
            $fields[$field] = match ($base[$field]) {
                '' => $selection->$field,
                self::ALL => '',
                default => $base[$field],
            };
        }
        [$from, $to] = self::times($base['from'], $base['to'], $mistakes);

        $isOwn = $base['label'] !== '' || $base['label2'] !== '';
        $labels = $isOwn ? self::labels($base, $mistakes) : $selection->labels;

        return $from === null && $to === null
            ? self::selected($fields, $selection->from, $selection->to, $labels)
            : self::selected($fields, $from, $to, $labels);
    }

    /**
     * @param list<string> $mistakes
     *
     * @return array{int|null, int|null} Selection's begin and end, which is exclusive
     */
    private static function times(string $from, string $to, array &$mistakes): array
    {
        $times = [];
        foreach ([$from, $to] as $i => $text) {
            $time = $text === '' ? null : QuantityParser::moment($text, $i === 1);
            if ($text !== '' && ($time === null || $time < 0 || $time >= 0xFFFFFFFF)) {
                $mistakes[] = "\"$text\" is not understood and was ignored; write it like 2026-11-21 or 2026-11-21 14:30.";
                $time = null;
            }
            $times[] = $time === null ? null : (int) $time;
        }
        if ($times[0] !== null && $times[1] !== null && $times[0] >= $times[1]) {
            $mistakes[] = "The time ends ($to) before it begins ($from).";
        }

        return [$times[0], $times[1]];
    }

    /**
     * @param list<string> $known
     * @param list<string> $mistakes
     */
    private static function among(string $text, array $known, array &$mistakes): string
    {
        if ($text === '' || in_array($text, $known, true)) {
            return $text;
        }
        $mistakes[] = "\"$text\" is not understood and was ignored; it may be " . implode(', ', $known) . '.';

        return '';
    }

    /**
     * @template T
     *
     * @param array<string, T> $base
     *
     * @return array<string, T>
     */
    private static function based(array $base): array
    {
        $named = [];
        foreach ($base as $field => $value) {
            $named["base_$field"] = $value;
        }

        return $named;
    }
}
