<?php

declare(strict_types=1);

namespace XHProf\Findings\Cli;

use Symfony\Component\Console\Formatter\OutputFormatter;
use XHProf\Cli\Run\Summary;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\View;
use XHProf\Findings\Evidence;
use XHProf\Findings\Finding;
use XHProf\Findings\Findings;
use XHProf\Format\Text;
use XHProf\Run\Run;

/** What to look at first in a run. */
final class FindingsView implements View
{
    /** @var list<Finding> */
    public readonly array $findings;

    public function __construct(private readonly Run $run)
    {
        $this->findings = Findings::find(new Evidence($run->profile(), $run->meta(), $run->memory(...), $run->operations(...)));
    }

    public function print(Screen $screen): void
    {
        $screen->writeln([Summary::heading('Run', $this->run, $screen), '']);
        foreach ($this->findings as $finding) {
            $between = $finding->between();
            $place = ($between === '' ? '' : "$between ") . Text::printable($finding->symbol);
            $screen->writeln('<options=bold>' . OutputFormatter::escape($finding->figure) . '</>  '
                . OutputFormatter::escape($place));
            foreach ($screen->wrap($finding->why, 2) as $line) {
                $screen->writeln('  ' . OutputFormatter::escape(ltrim($line)));
            }
        }
        if ($this->findings === []) {
            $screen->writeln('Nothing stands out.');
        }
    }

    /** Whether the program can be changed for one of them: what the machine did is worth a look only. */
    public function areOfTheProgram(): bool
    {
        return array_filter($this->findings, static fn (Finding $finding): bool => $finding->isProgram) !== [];
    }

    public function json(): array
    {
        $findings = array_map(static fn (Finding $finding): array => $finding->toArray(), $this->findings);

        return $this->run->describe() + ['findings' => $findings];
    }
}
