<?php

declare(strict_types=1);

namespace XHProf\Cli\View;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\OpenedRun;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\TextFit;
use XHProf\Format\Text;
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
        $output->writeln(OutputFormatter::escape(TextFit::shorten(
            self::totals($run->profile->totals()) . ' in ' . Units::count($functions) . ' functions',
            $screen->width,
            $screen->ellipsis(),
        )));
        $dropped = $run->meta->nodesDropped ?? 0;
        if ($dropped > 0) {
            $output->writeln(sprintf(
                '<comment>%s calls are folded into (truncated): raise xhprof.max_nodes to see them</comment>',
                Units::count($dropped),
            ));
        }
        $output->writeln('');
    }

    /** @param array<string, int> $totals of Profile::totals() */
    public static function totals(array $totals): string
    {
        $parts = [];
        foreach ($totals as $metric => $value) {
            if ($metric !== 'ct') {
                $parts[] = Units::of($value, $metric) . ' ' . (self::LABELS[$metric] ?? Text::printable($metric));
            }
        }
        $parts[] = Units::count($totals['ct']) . ($totals['ct'] === 1 ? ' call' : ' calls');

        return implode(', ', $parts);
    }
}
