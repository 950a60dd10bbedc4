<?php

declare(strict_types=1);

namespace XHProf\Format;

/**
 * A stretch of time as people name it: "2d", "yesterday", "release". Days are those of the local time zone, and have 23 or 25 hours
 * where the clocks change; "2d" is 48 hours.
 */
final class Period
{
    /** What is offered: text => label. */
    public const USUAL = [
        '1h' => 'last hour',
        'today' => 'today',
        'yesterday' => 'yesterday',
        '24h' => 'last 24 hours',
        '7d' => 'last 7 days',
        '30d' => 'last 30 days',
        'release' => 'since the last release',
    ];

    /** For messages. */
    public const EXAMPLES = '1h, 2d, 1w, today, yesterday or release';

    private const RELEASE = 'release';

    /** Seconds of a unit, by its first letters. */
    private const UNITS = ['min' => 60, 'h' => 3600, 'd' => 86400, 'w' => 7 * 86400];

    private const NAMES = ['min' => 'minute', 'h' => 'hour', 'd' => 'day', 'w' => 'week'];

    /**
     * @param float|null $from  seconds since 1970; null for a release: the folder of runs knows when it began
     * @param float|null $until seconds since 1970, itself not included; null for one that goes on
     * @param string     $label "yesterday", "last 2 days"
     */
    private function __construct(public readonly ?float $from, public readonly ?float $until, public readonly string $label)
    {
    }

    /**
     * @param float|null $now seconds since 1970; null for the present
     *
     * @return self|null null if the text is no period
     */
    public static function parse(string $text, ?float $now = null): ?self
    {
        $text = strtolower(trim($text));
        $now ??= microtime(true);
        if (in_array($text, ['today', 'yesterday'], true)) {
            $from = self::day($now, $text === 'today' ? 0 : -1);

            return new self($from, $text === 'today' ? null : self::day($now, 0), $text);
        }
        if (preg_match('/\A(?:(?:since )?(?:the )?last )?release\z/', $text) === 1) {
            return new self(null, null, self::USUAL[self::RELEASE]);
        }
        $pattern = '/\A(?:last )?([1-9][0-9]{0,4})? ?(min(?:ute)?s?|h(?:ours?)?|d(?:ays?)?|w(?:eeks?)?)\z/';
        if (preg_match($pattern, $text, $match) !== 1 || ($match[1] === '' && !str_starts_with($text, 'last '))) {
            return null;
        }
        $unit = str_starts_with($match[2], 'min') ? 'min' : $match[2][0];
        $count = max(1, (int) $match[1]);

        return new self(
            $now - $count * self::UNITS[$unit],
            null,
            'last ' . ($count === 1 ? '' : "$count ") . self::NAMES[$unit] . ($count === 1 ? '' : 's'),
        );
    }

    public function isRelease(): bool
    {
        return $this->from === null;
    }

    /**
     * A stretch of time for readers, with its time zone.
     *
     * @param float|null $until itself not included
     */
    public static function text(?float $from, ?float $until): string
    {
        $zone = $from !== null && $until !== null && date('T', (int) $from) !== date('T', (int) $until)
            ? date('T', (int) $from) . ' to ' . date('T', (int) $until)
            : date('T', (int) ($from ?? $until ?? time()));

        return match (true) {
            $from === null && $until === null => 'any time',
            $until === null => 'since ' . self::moment((float) $from),
            $from === null => 'until ' . self::moment($until),
            default => self::moment($from) . ' to ' . self::moment($until),
        } . ($from === null && $until === null ? '' : " ($zone)");
    }

    /** A moment as QuantityParser::moment() reads it: with seconds where it has some, and the zone where the clock shows it twice. */
    public static function moment(float $time): string
    {
        $text = date((int) $time % 60 === 0 ? 'Y-m-d H:i' : 'Y-m-d H:i:s', (int) $time);

        return (float) (int) $time === QuantityParser::moment($text) ? $text : date('Y-m-d H:i:sP', (int) $time);
    }

    /** Midnight before a moment, or some days from that. */
    private static function day(float $now, int $days): float
    {
        $day = (new \DateTimeImmutable('@' . (int) $now))->setTimezone(new \DateTimeZone(date_default_timezone_get()));

        return (float) $day->setTime(0, 0)->modify("$days days")->getTimestamp();
    }
}
