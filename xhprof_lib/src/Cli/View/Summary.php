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
    private const LABELS = ['wt' => 'wall', 'cpu' => 'CPU', 'mu' => 'memory', 'pmu' => 'peak memory'];

    /** @param int $functions rows of the flat profile */
    public static function print(OpenedRun $run, int $functions, OutputInterface $output, Screen $screen): void
    {
        $title = TextFit::shorten('Run ' . $run->title(), $screen->width, $screen->ellipsis());
        $output->writeln('<info>' . OutputFormatter::escape($title) . '</info>');
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

    /**
     * @param array<string, int> $totals of Profile::totals()
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
