<?php

declare(strict_types=1);

namespace XHProf\Cli\Run;

use XHProf\Cli\Terminal\ReportView;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\View;
use XHProf\Functions\RunHead;
use XHProf\Report\Markdown;
use XHProf\Report\Report;
use XHProf\Run\Run;

/** A report on one run, below the run's name. */
final class RunReportView implements View
{
    public function __construct(private readonly Run $run, private readonly Report $report)
    {
    }

    public function print(Screen $screen): void
    {
        $screen->writeln(Summary::heading('Run', $this->run, $screen));
        (new ReportView($this->report))->print($screen);
    }

    public function json(): array
    {
        return ['run' => $this->run->describe()] + $this->report->json();
    }

    public function markdown(): string
    {
        return Markdown::blocks([Markdown::heading((new RunHead($this->run))->title('Run')), Markdown::report($this->report)]);
    }
}
