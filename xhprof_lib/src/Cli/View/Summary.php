<?php

declare(strict_types=1);

namespace XHProf\Cli\View;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\OpenedRun;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Format\Units;

/** The head of every report: which run, and what it took altogether. */
final class Summary
{
    private const LABELS = [
        'wt' => 'wall',
        'corrected_wt' => 'corrected wall',
        'cpu' => 'CPU',
        'corrected_cpu' => 'corrected CPU',
        'mu' => 'memory',
        'pmu' => 'peak memory',
    ];

    /** @param int $functions rows of the flat profile */
    public static function print(OpenedRun $run, int $functions, OutputInterface $output, Screen $screen): void
    {
        $output->writeln(self::heading('Run', $run, $screen));
        $line = '';
        foreach (self::totals($run->profile->totals(), $functions) as $part) {
            if ($line !== '' && TextFit::width("$line, $part") > $screen->width - 1) {
                $output->writeln(OutputFormatter::escape("$line,"));
                $line = '';
            }
            $line .= ($line === '' ? '' : ', ') . $part;
        }
        $output->writeln(OutputFormatter::escape($line));
        $dropped = $run->meta->nodesDropped ?? 0;
        if ($dropped > 0) {
            $output->writeln(sprintf(
                '<comment>%s calls are folded into (truncated): raise xhprof.max_nodes to see them</comment>',
                Units::count($dropped),
            ));
        }
        $output->writeln('');
    }

    /** One line with the whole id, which is what one copies. */
    public static function heading(string $label, OpenedRun $run, Screen $screen): string
    {
        $name = TextFit::shorten(str_replace('Run mean', 'Mean', "$label " . $run->name()), $screen->width, $screen->ellipsis());
        $room = $screen->width - TextFit::width($name) - 2;
        $subject = $room < 8 ? '' : TextFit::shorten($run->subject(), $room, $screen->ellipsis());

        return '<info>' . OutputFormatter::escape(rtrim("$name  $subject")) . '</info>';
    }

    /**
     * @param array<string, int|float> $totals of Profile::totals()
     * @return list<string>
     */
    private static function totals(array $totals, int $functions): array
    {
        $parts = [];
        foreach ($totals as $metric => $value) {
            if ($metric !== 'ct') {
                $parts[] = Units::of($value, $metric) . ' ' . (self::LABELS[$metric] ?? $metric);
            }
        }
        $parts[] = sprintf(
            '%s call%s of %s function%s',
            Units::count($totals['ct']),
            $totals['ct'] === 1 ? '' : 's',
            Units::count($functions),
            $functions === 1 ? '' : 's',
        );

        return $parts;
    }
}
