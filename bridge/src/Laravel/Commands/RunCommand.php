<?php

declare(strict_types=1);

namespace XHProf\Bridge\Laravel\Commands;

use Illuminate\Console\Command;
use Symfony\Component\Console\Exception\CommandNotFoundException;
use Symfony\Component\Console\Input\ArgvInput;
use XHProf\Bridge\Laravel\Recording;
use XHProf\Bridge\Laravel\Settings;
use XHProf\Bridge\RunSummary;

/** Records another command of artisan, with its options, in this process. */
final class RunCommand extends Command
{
    protected $signature = 'xhprof:run {line?* : The command to record, with its arguments and options}';

    protected $description = 'Record another artisan command as a run: php artisan xhprof:run queue:work --once';

    protected function configure(): void
    {
        parent::configure();
        // Options of the other command are not this one's.
        $this->ignoreValidationErrors();
    }

    public function handle(Recording $recording, Settings $settings): int
    {
        $line = $this->commandLine();
        $application = $this->getApplication();
        if ($line === [] || $application === null) {
            $this->components->error('Name the command to record: php artisan xhprof:run COMMAND [arguments and options].');

            return self::INVALID;
        }
        try {
            $name = (string) $application->find($line[0])->getName();
        } catch (CommandNotFoundException $e) {
            $this->components->error($e->getMessage());

            return self::INVALID;
        }
        $recording->begin($this, 'artisan');
        try {
            $status = $application->run(new ArgvInput(['artisan', ...$line]), $this->output);
        } finally {
            $id = $recording->end($this, $name);
        }
        $this->report($recording, $settings, $id);

        return $status;
    }

    private function report(Recording $recording, Settings $settings, ?string $id): void
    {
        if ($id === null) {
            $this->components->warn($recording->problem() ?? 'No run was saved.');

            return;
        }
        $summary = RunSummary::read($id, $recording->source(), $settings->folder());
        if ($summary->problem !== '') {
            // Settings of php.ini record this process, and save its run when it ends.
            $this->components->info("Run $id: " . url($settings->path() . "/index?run=$id"));

            return;
        }
        $this->newLine();
        $this->components->info($summary->title);
        foreach ($summary->tiles as $tile) {
            $this->components->twoColumnDetail($tile['label'], $tile['text']);
        }
        foreach ($summary->findings as $finding) {
            $text = $finding['between'] === '' ? $finding['text'] : "{$finding['text']}; {$finding['between']}";
            $this->components->bulletList(["$text {$finding['symbol']}. {$finding['why']}"]);
        }
        $this->table(['Function', ...$summary->heads], array_map(
            static fn (array $row): array => [$row['name'], ...$row['figures']],
            $summary->functions,
        ));
        foreach ($summary->links as $link) {
            $this->components->twoColumnDetail($link['label'], url($settings->path() . '/' . $link['url']));
        }
    }

    /** @return list<string> as it was typed after the name of this command */
    private function commandLine(): array
    {
        if ($this->input instanceof ArgvInput) {
            $words = array_values(array_map(strval(...), (array) ($_SERVER['argv'] ?? [])));
            $at = array_search($this->getName(), $words, true);
            $rest = $at === false ? [] : array_slice($words, $at + 1);

            return ($rest[0] ?? null) === '--' ? array_slice($rest, 1) : $rest;
        }

        return array_values(array_map(strval(...), (array) $this->argument('line')));
    }
}
