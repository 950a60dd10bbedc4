<?php

declare(strict_types=1);

namespace XHProf\Fleet\Cli;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\CliError;
use XHProf\Cli\Command\Arguments;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\MemoryLimit;
use XHProf\Cli\Terminal\Progress;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\UsageError;
use XHProf\Exception\SendError;
use XHProf\File\Folder;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Output;
use XHProf\Fleet\Ship\Backoff;
use XHProf\Fleet\Ship\CleanTexts;
use XHProf\Fleet\Ship\Labels;
use XHProf\Fleet\Ship\Outputs;
use XHProf\Fleet\Ship\RunKind;
use XHProf\Fleet\Ship\RunPacker;
use XHProf\Fleet\Ship\ShipLimits;
use XHProf\Fleet\Ship\ShipState;
use XHProf\Fleet\Ship\Shipper;
use XHProf\Fleet\Ship\StateFolder;
use XHProf\Fleet\Ship\SystemClock;
use XHProf\Fleet\Ship\ValueBound;
use XHProf\Fleet\WrongAddress;
use XHProf\Format\Units;
use XHProf\Profile\NameRules;
use XHProf\Secret\Redact;
use XHProf\Source\SourceFiles;
use XHProf\Store\RunFolder;

/** Sends finished runs to a store of many hosts. */
final class ShipCommand extends RunFolderCommand
{
    /** Seconds between looks at the folder. */
    private const EVERY = 10;

    private const MAX_EVERY = 86400;

    protected function configure(): void
    {
        $schemes = implode(', ', Outputs::schemes());
        $this->setName('ship')
            ->setDescription('Send finished runs to a store of many hosts')
            ->addValue('to', "Address of the store: $schemes")
            ->addFlag('once', 'Send what there is and end, for cron')
            ->addValue('with', 'Kinds of single runs to send beside windows: triggered,slow')
            ->addValue('service', 'Name of the program [default: the source of each run]')
            ->addValue('env', 'Where it runs: production, staging')
            ->addValue('release', 'Its release [default: of each run, else its Git revision]')
            ->addValue('host', "This host's name [default: as the system has it]")
            ->addValues('label', 'NAME=VALUE: a label of all runs. NAME: data that a program attaches to its runs, as a label')
            ->addValue('credentials', 'File with the lines user=NAME and password=TEXT')
            ->addValue('ca-file', 'PEM file of the authorities to trust')
            ->addFlag('experimental', 'Allow an output whose format may change: OTLP')
            ->addValue('state', 'Folder for what was confirmed')
            ->addValue('every', 'Seconds between looks at the folder', (string) self::EVERY)
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Sends the windows of the run folder, and single runs of the kinds that <info>--with</info> names, the oldest
                first. It reads the folder only, so any user will do who may read the runs. Functions get the names that
                hosts and releases share. Secrets are removed.

                  <info>xhprof ship --to=pyroscope+https://pyroscope.example --service=shop --env=production</info>
                  <info>xhprof ship --to=prometheus-text:/var/lib/node_exporter/xhprof.prom --once</info>

                While the store is away runs wait in the folder, within its bounds; the pauses grow. What was confirmed
                lies in the state folder: <info>--state</info>, $STATE_DIRECTORY, else xhprof-ship in $XDG_STATE_HOME or
                ~/.local/state. Runs are sent at least once. <info>xhprof status</info> shows what waits, and the last error.
                SIGTERM and SIGINT end it when the batch is confirmed.

                User and password come from <info>--credentials</info>, which others must not be able to read, or from
                $XHPROF_SHIP_USER and $XHPROF_SHIP_PASSWORD.
                HELP
            );
    }

    protected function perform(Arguments $given, OutputInterface $output): int
    {
        MemoryLimit::own(MemoryLimit::SENDER);
        $kinds = self::kinds($given->text('with'));
        $labels = self::labels($given);
        $out = self::output($given);
        $every = $given->number('every', self::MAX_EVERY);
        $store = $given->store();
        $folder = $given->text('state') ?? StateFolder::default();
        if ($folder === '') {
            throw new UsageError('there is no home folder: name a folder with --state');
        }
        $isOnce = $given->flag('once');
        $lock = StateFolder::lock($folder);
        $ids = implode(',', array_map(static fn (RunKind $kind): string => $kind->value, $kinds));
        $address = (string) $given->text('to');
        $state = ShipState::open($lock->path, $address, $out->name(), $store->directory(), $ids);
        $make = static fn (?\Closure $log, ?\Closure $progress): Shipper => self::shipper(
            $store,
            $labels,
            $out,
            $state,
            $kinds,
            $isOnce,
            $log,
            $progress,
        );
        try {
            return $isOnce ? self::once($make, $state, $output) : self::forever($make, $every, $output);
        } finally {
            $lock->release();
        }
    }

    /** @param \Closure(\Closure|null, \Closure|null): Shipper $make */
    private static function once(\Closure $make, ShipState $state, OutputInterface $output): int
    {
        $before = clone $state->counters;
        $isAll = Progress::during($output, static fn (\Closure $report): bool => $make(
            null,
            static fn (int $done, int $total) => $report("Sending to $state->to", $done, $total),
        )->pass());
        $now = $state->counters;
        $parts = [];
        foreach (['sent', 'dropped', 'rejected', 'damaged'] as $name) {
            $count = $now->$name - $before->$name;
            $parts[] = $count > 0 || $name === 'sent' ? "$name " . Units::count($count) : '';
        }
        $aside = count($state->aside());
        $parts[] = $aside > 0 ? 'set aside ' . Units::count($aside) : '';
        $output->writeln(ucfirst(implode(', ', array_filter($parts))) . " ($state->to)", OutputInterface::OUTPUT_RAW);
        if (!$isAll) {
            $why = $now->error !== '' ? $now->error : $now->runError;
            throw new CliError(Units::count(count($state->waiting()) - $aside) . ' runs wait' . ($why === '' ? '' : ": $why"));
        }

        return self::SUCCESS;
    }

    /** @param \Closure(\Closure|null, \Closure|null): Shipper $make */
    private static function forever(\Closure $make, int $every, OutputInterface $output): int
    {
        $errors = Screen::errors($output);
        $log = static fn (string $text) => $errors->writeln("xhprof: $text", OutputInterface::OUTPUT_RAW);
        $make($log, null)->run((float) $every);

        return self::SUCCESS;
    }

    /** @param list<RunKind> $kinds */
    private static function shipper(
        RunFolder $store,
        Labels $labels,
        Output $out,
        ShipState $state,
        array $kinds,
        bool $isOnce,
        ?\Closure $log,
        ?\Closure $progress,
    ): Shipper {
        $values = new ValueBound(Labels::MOST_VALUES, $state->values());
        $rules = NameRules::ofFile((string) getenv(NameRules::FILE));

        return new Shipper(
            new Folder($store->directory()),
            new RunPacker($store, $labels, new CleanTexts(Redact::here()), $values, $rules, SourceFiles::ofUser()),
            $out,
            $state,
            $values,
            $kinds,
            new SystemClock(),
            Backoff::random(),
            $isOnce ? ShipLimits::once() : new ShipLimits(),
            self::stopped(),
            $log,
            $progress,
        );
    }

    /** @return (\Closure(): bool)|null whether a signal has asked for the end; null where PHP cannot see signals */
    private static function stopped(): ?\Closure
    {
        if (!function_exists('pcntl_signal')) {
            return null;
        }
        $isStopped = false;
        foreach ([SIGTERM, SIGINT, SIGHUP] as $signal) {
            pcntl_signal($signal, static function () use (&$isStopped): void {
                $isStopped = true;
            });
        }

        return static function () use (&$isStopped): bool {
            pcntl_signal_dispatch();

            return $isStopped;
        };
    }

    /** @return list<RunKind> */
    private static function kinds(?string $with): array
    {
        $kinds = [RunKind::Window];
        foreach ($with === null ? [] : explode(',', $with) as $name) {
            $kind = RunKind::tryFrom(trim($name));
            $kinds[] = $kind !== null && $kind !== RunKind::Window
                ? $kind
                : throw new UsageError("--with takes triggered, slow or triggered,slow, not \"$with\"");
        }

        return $kinds;
    }

    private static function labels(Arguments $given): Labels
    {
        try {
            return Labels::parse(
                $given->text('service'),
                $given->text('env') ?? '',
                $given->text('release'),
                $given->text('host') ?? (gethostname() ?: ''),
                $given->texts('label'),
            );
        } catch (SendError $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
    }

    private static function output(Arguments $given): Output
    {
        $to = $given->text('to') ?? throw new UsageError('--to is missing: ' . implode(', ', Outputs::schemes()));
        try {
            $destination = Destination::named($to, $given->text('credentials'), $given->text('ca-file'));

            return Outputs::choose($destination, $given->flag('experimental'));
        } catch (WrongAddress $e) {
            throw new UsageError($e->getMessage(), 0, $e);
        }
    }
}
