<?php

declare(strict_types=1);

namespace XHProf\Runs\Cli;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Exception\RunNotFound;
use XHProf\Exception\StoreError;
use XHProf\Format\QuantityParser;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Store\Retention;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;
use XHProf\Store\RunQuery;

/** Deletes old runs. */
final class PruneCommand extends RunFolderCommand
{
    private const MAX_DAYS = 36500;

    protected function configure(): void
    {
        $this->setName('prune')
            ->setDescription('Delete old runs, by age, number or size')
            ->addValue('keep-days', 'Delete runs that are older than this many days')
            ->addValue('max-runs', 'Keep this many runs at most')
            ->addValue('max-bytes', 'Keep this many bytes at most: 500M, 2G')
            ->addValue('source', 'Only look at runs of this source')
            ->addFlag('yes', 'Do not ask before all runs are deleted', 'y')
            ->addFlag('dry-run', 'Show what would be deleted; delete nothing')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Deletes runs, the oldest first, until the folder is within the limits. All files of a run are deleted, and
                no others. Pinned runs stay; so do runs whose label cannot be read. Give at least one limit. <info>-v</info> names
                the runs. A limit of 0 deletes all runs: you are asked first; without a terminal it needs <info>--yes</info>.

                  <info>xhprof prune --keep-days=30</info>
                  <info>xhprof prune --max-runs=10000 --max-bytes=2G --source=web</info>
                  <info>xhprof prune --keep-days=7 --dry-run -v</info>
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        $retention = $this->retention($given);
        $store = $given->store();
        $query = new RunQuery(source: $given->text('source') ?? '');
        $isDry = $given->flag('dry-run');
        $runs = SlowNotice::during(
            "Reading {$store->directory()}",
            $output,
            static fn (): array => $store->catalog()->find($query, PHP_INT_MAX)->runs,
        );
        $expired = $retention->expired($runs);
        if ($expired !== [] && !$isDry && self::deletesAll($given) && !self::confirm($given, $store, count($expired), $output)) {
            return self::FAILURE;
        }
        $pinned = count(array_filter($runs, static fn (RunEntry $run): bool => $run->label->pinned));
        [$deleted, $bytes, $failed] = $isDry
            ? [count($expired), array_sum(array_map(static fn (RunEntry $run): int => $run->size, $expired)), []]
            : SlowNotice::during(
                'Deleting ' . Units::count(count($expired)) . ' runs',
                $output,
                fn (): array => $this->delete($store, $expired),
            );
        foreach ($output->isVerbose() ? $expired : [] as $run) {
            $when = $run->time > 0 ? date('Y-m-d H:i:s', (int) $run->time) : '-';
            $output->writeln("$run->id  $when  " . Text::printable($run->title), OutputInterface::OUTPUT_RAW);
        }
        $output->writeln(sprintf(
            '%s %s of %s (%s); %s left%s',
            $isDry ? 'Would delete' : 'Deleted',
            Units::counted($deleted, 'run'),
            Units::count(count($runs)),
            Units::bytes($bytes),
            Units::count(count($runs) - $deleted),
            $pinned === 0 ? '' : ', ' . Units::count($pinned) . ' of them pinned',
        ), OutputInterface::OUTPUT_RAW);
        if ($failed !== []) {
            throw new CliError(Units::counted(count($failed), 'run') . ' could not be deleted: ' . $failed[0]);
        }

        return self::SUCCESS;
    }

    /**
     * @param list<RunEntry> $runs
     * @return array{0: int, 1: int, 2: list<string>} number of deleted runs, their bytes, reasons why others were kept
     */
    private function delete(RunFolder $store, array $runs): array
    {
        $deleted = 0;
        $bytes = 0;
        $failed = [];
        foreach ($runs as $run) {
            try {
                // Skip it if it was pinned or saved again since it was listed.
                $now = $store->catalog()->entry($run->id);
                if ($now === null || $now->label->pinned || $now->stamp !== $run->stamp) {
                    // A long list is not checked against the files: the next time it has this one as it is.
                    $store->catalog()->refresh($run->id);
                    continue;
                }
                $store->delete($run->id);
                $deleted++;
                $bytes += $run->size;
            } catch (RunNotFound) {
                // Another process has removed it already.
            } catch (StoreError $e) {
                $failed[] = $e->getMessage();
            }
        }

        return [$deleted, $bytes, $failed];
    }

    private static function deletesAll(Arguments $given): bool
    {
        $limits = [$given->given('keep-days'), $given->given('max-runs'), $given->given('max-bytes')];

        $isZero = static fn (mixed $limit): bool => is_string($limit) && QuantityParser::bytes($limit) === 0;

        return array_filter($limits, $isZero) !== [];
    }

    /** Whether the user agrees to delete all runs. */
    private static function confirm(Arguments $given, RunFolder $store, int $count, OutputInterface $output): bool
    {
        if ($given->flag('yes')) {
            return true;
        }
        if (!stream_isatty(STDIN)) {
            throw new UsageError('--yes is missing: a limit of 0 deletes all runs (' . Units::count($count) . ')');
        }
        $question = sprintf('Delete %s of %s? [y/N] ', Units::counted($count, 'run'), Text::printable($store->directory()));
        Screen::errors($output)->write($question, false, OutputInterface::OUTPUT_RAW | OutputInterface::VERBOSITY_QUIET);

        return in_array(strtolower(trim((string) fgets(STDIN))), ['y', 'yes'], true);
    }

    private function retention(Arguments $given): Retention
    {
        $days = $given->maybe('keep-days', self::MAX_DAYS);
        $runs = $given->maybe('max-runs');
        $text = $given->text('max-bytes');
        $bytes = $text === null ? null : QuantityParser::bytes($text)
            ?? throw new UsageError("--max-bytes takes a size like 500M, not \"$text\"");
        if ($days === null && $runs === null && $bytes === null) {
            throw new UsageError('a limit is missing: --keep-days, --max-runs or --max-bytes');
        }

        return new Retention($days === null ? null : microtime(true) - $days * 86400, $runs, $bytes);
    }
}
