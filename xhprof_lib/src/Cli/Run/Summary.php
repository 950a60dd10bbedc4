<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Functions\RunHead;
use XHProf\Report\Report;
use XHProf\Run\Run;

/** The head of every report: the run and its totals. */
final class Summary
{
    /** @param int $functions rows of the flat profile */
    public static function print(Run $run, int $functions, Screen $screen): void
    {
        ReportView::headings(new Report([], headings: [(new RunHead($run))->heading($functions)]), $screen);
        $screen->writeln('');
    }

    /** One line with the whole id, ready to be copied. */
    public static function heading(string $label, Run $run, Screen $screen): string
    {
        return '<info>' . OutputFormatter::escape(ReportView::title((new RunHead($run))->title($label), $screen)) . '</info>';
    }
}
