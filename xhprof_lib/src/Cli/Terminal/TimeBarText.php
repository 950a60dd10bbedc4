<?php

declare(strict_types=1);

namespace XHProf\Cli\Terminal;

use XHProf\Profile\TimePart;
use XHProf\Profile\TimeParts;
use XHProf\Report\TimeBar;

/** Where the time was, as a line of characters, and what each of them stands for, in the same order. */
final class TimeBarText
{
    private const WIDEST = 72;

    /** Characters of the parts, and those of a terminal without Unicode; kinds of waiting take turns. */
    private const SIGNS = [
        TimePart::ON_CPU => ['█', '#'], 'not_running' => ['░', '.'], 'suspended' => ['·', '~'], 'unknown' => ['?', '?'],
    ];
    private const WAITING = [['▓', '='], ['▒', '+']];
    private const ENGINE = ['▚', '%'];

    private const STYLES = [
        TimePart::ON_CPU => 'fg=yellow', TimePart::WAITING => 'fg=blue', 'not_running' => 'fg=gray', 'suspended' => 'fg=gray',
        'unknown' => 'fg=gray',
    ];

    public static function print(TimeBar $bar, Screen $screen): void
    {
        $signs = self::signs($bar->times, $screen->isUnicode);
        $line = '';
        foreach (self::widths($bar->times, max(10, min(self::WIDEST, $screen->width - 1))) as $key => $width) {
            $style = self::STYLES[TimePart::from($key)->group()];
            $line .= $width === 0 ? '' : "<$style>" . str_repeat($signs[$key], $width) . '</>';
        }
        $screen->writeln($line);
        $screen->say(ucfirst(implode(', ', $bar->groups())));
        $legend = '';
        foreach ($bar->parts() as $i => $words) {
            $entry = array_values($signs)[$i] . " $words";
            if ($legend !== '' && TextFit::width("$legend  $entry") > $screen->width - 1) {
                $screen->text($legend);
                $legend = '';
            }
            $legend .= ($legend === '' ? '' : '  ') . $entry;
        }
        $screen->text($legend . ($bar->times->bySamples ? '  by samples' : ''));
        foreach ($bar->notes() as $note) {
            $screen->say($note, 'comment');
        }
    }

    /** @return array<string, string> by part */
    private static function signs(TimeParts $times, bool $isUnicode): array
    {
        $signs = [];
        $waiting = 0;
        foreach (array_keys($times->ns) as $key) {
            $part = TimePart::from($key);
            $sign = match (true) {
                $part->group() === TimePart::WAITING => self::WAITING[$waiting++ % count(self::WAITING)],
                $part->group() === TimePart::ON_CPU && $part !== TimePart::Cpu => self::ENGINE,
                default => self::SIGNS[$part->group()],
            };
            $signs[$key] = $sign[$isUnicode ? 0 : 1];
        }

        return $signs;
    }

    /** @return array<string, int> characters by part: rounded where it ends, so that all of them are as wide as the bar */
    private static function widths(TimeParts $times, int $width): array
    {
        $widths = [];
        $sum = 0;
        $drawn = 0;
        foreach ($times->ns as $key => $ns) {
            $sum += $ns;
            $end = (int) round($times->share($sum) * $width);
            $widths[$key] = $end - $drawn;
            $drawn = $end;
        }

        return $widths;
    }
}
