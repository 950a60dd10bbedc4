<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Input\InputArgument;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\Terminal\View;
use XHProf\Report\Report;

/**
 * A command that answers with a report, or with another view. A feature gives its name, its options and the function that answers;
 * what all of them do is here: which run, how many rows, text or JSON, the notice of slow work.
 */
final class AnswerCommand extends RunFolderCommand
{
    public const JSON = 'Print JSON (microseconds and bytes)';

    /** @param \Closure(Arguments, OutputInterface): (Report|View) $answer */
    public function __construct(string $name, string $about, private readonly \Closure $answer)
    {
        parent::__construct($name);
        $this->setDescription($about);
    }

    /** @param string $several what several runs are, for a command that takes them */
    public function addRun(string $several = ''): self
    {
        return $this->addArgument('run', InputArgument::OPTIONAL, self::RUN . $several, 'latest');
    }

    /** The options that stand last: of runs their source, which rows and whether as JSON, and the folder. */
    public function addRows(string $what, int $limit, string $json = self::JSON): self
    {
        return ($this->takesRuns() ? $this->addValue('source', 'Only look at runs of this source') : $this)
            ->addLimitOption($what, $limit)
            ->addFlag('json', $json)
            ->addFlag('markdown', 'Print Markdown, for a ticket or a comment')
            ->addFolderOption();
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $answer = fn (): Report|View => ($this->answer)($given, $output);
        $shown = $given->has('output-dir') ? SlowNotice::during($this->notice($given), $output, $answer) : $answer();
        self::show($shown, $given, $output);
        if ($given->verdict !== '') {
            Screen::errors($output)->writeln("xhprof: $given->verdict", OutputInterface::OUTPUT_RAW);
        }

        return $given->exitCode;
    }

    private function notice(Arguments $given): string
    {
        return match (true) {
            !$this->takesRuns() => "Reading {$given->store()->directory()}",
            $this->getDefinition()->hasArgument('run') => "Reading run {$given->argument('run')}",
            default => 'Reading the runs',
        };
    }

    private function takesRuns(): bool
    {
        return array_filter(self::RUNS, $this->getDefinition()->hasArgument(...)) !== [];
    }
}
