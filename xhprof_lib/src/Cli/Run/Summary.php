<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Functions\CountKind;
use XHProf\Profile\Metrics;
use XHProf\Run\MeanRun;
use XHProf\Run\OriginText;
use XHProf\Run\Run;

/** The head of every report: the run and its totals. */
final class Summary
{
    /** @param int $functions rows of the flat profile */
    public static function print(Run $run, int $functions, Screen $screen): void
    {
        $screen->writeln(self::heading('Run', $run, $screen));
        $line = '';
        $totals = $run->profile()->totals();
        foreach (self::totals($totals, $functions, CountKind::of($run)->noun()) as $part) {
            if ($line !== '' && TextFit::width("$line, $part") > $screen->width - 1) {
                $screen->text("$line,");
                $line = '';
            }
            $line .= ($line === '' ? '' : ', ') . $part;
        }
        $screen->text($line);
        array_map($screen->say(...), self::origin($run));
        $screen->say(OriginText::folded($run->meta()) ?? '', 'comment');
        $screen->writeln('');
    }

    /** @return list<string> how the run came about, printable */
    private static function origin(Run $run): array
    {
        if ($run instanceof MeanRun) {
            return [];
        }
        $line = Text::printable(OriginText::line($run->meta()));
        $window = $run->meta()->window;

        return array_values(array_filter([
            $run->meta()->recording->samples === null ? '' : OriginText::sampling($run->meta()),
            $window === null ? '' : sprintf(
                '%s in %s, from %s to %s',
                match ($window->requests) {
                    0 => 'Samples of unfinished requests',
                    1 => '1 request',
                    default => Units::count($window->requests) . ' requests',
                },
                $window->processes === 1 ? '1 process' : Units::count($window->processes) . ' processes',
                $window->from > 0 ? date('Y-m-d H:i:s', (int) $window->from) : '?',
                $window->to > 0 ? date('H:i:s', (int) $window->to) : '?',
            ),
            ucfirst($line),
        ], static fn (string $text): bool => $text !== ''));
    }

    /** One line with the whole id, ready to be copied. */
    public static function heading(string $label, Run $run, Screen $screen): string
    {
        $name = TextFit::shorten(str_replace('Run mean', 'Mean', "$label " . $run->name()), $screen->width, $screen->ellipsis());
        $room = $screen->width - TextFit::width($name) - 2;
        $subject = $room < 8 ? '' : TextFit::shorten($run->subject(), $room, $screen->ellipsis());

        return '<info>' . OutputFormatter::escape(rtrim("$name  $subject")) . '</info>';
    }

    /**
     * @param array<string, int|float> $totals of Profile::totals()
     * @param string                   $noun the counted thing
     * @return list<string>
     */
    private static function totals(array $totals, int $functions, string $noun): array
    {
        $parts = [];
        foreach ($totals as $metric => $value) {
            if ($metric !== 'ct') {
                // The value's unit shows already that it is a time.
                $parts[] = Units::of($value, $metric) . ' ' . str_replace(' time', '', Metrics::of($metric)->words());
            }
        }
        $parts[] = sprintf(
            '%s %s of %s function%s',
            Units::count($totals['ct']),
            $totals['ct'] === 1 ? substr($noun, 0, -1) : $noun,
            Units::count($functions),
            $functions === 1 ? '' : 's',
        );

        return $parts;
    }
}
