<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Functions\RunHead;
use XHProf\Run\Run;

/** The name of a run above a report. */
final class Summary
{
    /** One line with the whole id, ready to be copied. */
    public static function heading(string $label, Run $run, Screen $screen): string
    {
        return '<info>' . OutputFormatter::escape(ReportView::title((new RunHead($run))->title($label), $screen)) . '</info>';
    }
}
