<?php

declare(strict_types=1);

namespace XHProf\Status;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Command\RunFolderCommand;
use XHProf\Cli\JsonOutput;
use XHProf\Cli\Command\Asked;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Cli\UsageError;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Run\OriginText;
use XHProf\Script\RunSettings;
use XHProf\Store\DefaultFolder;
use XHProf\Store\RunFolder;

/** Shows whether automatic profiling is set up correctly. */
final class StatusCommand extends RunFolderCommand
{
    private const MARKS = ['ok' => '<info>ok</info>', 'note' => '<comment>--</comment>', 'wrong' => '<fg=red>!!</>'];

    /** Folders of servers with a php.ini of their own. */
    private const SERVERS = ['fpm', 'apache2', 'cgi'];

    protected function configure(): void
    {
        $this->setName('status')
            ->setDescription('Show whether PHP is set up to profile by itself, and what is missing')
            ->addValue('ini', "php.ini to check, or its folder: a server's /etc/php/8.2/fpm")
            ->addValues('php-option', 'Option of the php that is checked: KEY=VALUE, "-c FILE", "-n"', 'd')
            ->addValue('pool', 'Check only this pool of PHP-FPM: its name, or its file')
            ->addValue('ship-state', 'Folder that xhprof ship has as its --state')
            ->addFlag('json', 'Print JSON')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Checks the settings in effect and the run folder, and says what to do. The exit code is 1 when something
                is wrong, or nothing starts by itself. Name a web server's php.ini with <info>--ini</info>. Pools of
                PHP-FPM beside it (pool.d, php-fpm.d) are checked too, with their php_admin_value, php_value and env.

                  <info>xhprof status</info>
                  <info>xhprof status --ini=/etc/php/8.2/fpm</info>
                  <info>xhprof status --ini=/etc/php/8.2/fpm --pool=www</info>
                  <info>xhprof status --json</info>
                HELP
            );
    }

    protected function perform(Asked $asked, OutputInterface $output): int
    {
        $ini = $asked->text('ini');
        $php = PhpSetup::ask($ini, RunSettings::phpOptions($asked->texts('php-option')));
        $pools = $ini === null ? [] : FpmPool::find($ini, $asked->text('pool'));
        if ($ini === null && $asked->isGiven('pool')) {
            throw new UsageError("--pool needs --ini: the server's php.ini, or its folder");
        }
        $directory = $asked->text('output-dir');
        $groups = self::groups($pools, $php);
        $reports = [];
        foreach ($groups as $group) {
            $reports[] = self::report($php, $group, $directory, $ini !== null, count($groups) > 1, $output);
        }
        $starts = array_filter($reports, static fn (StatusReport $report): bool => $report->php->start() !== 'no');
        $folders = array_map(static fn (StatusReport $report): string => $report->folder->path, $reports);
        [$shipping, $sent] = Shipping::read($asked->text('ship-state'), $folders, microtime(true));
        foreach ($shipping as $one) {
            $sent = [...$sent, ...$one->findings()];
        }
        $isRight = $starts !== [] && array_filter($reports, static fn (StatusReport $report): bool => !$report->isRight()) === []
            && !in_array('wrong', array_column($sent, 'level'), true);
        if ($asked->flag('json')) {
            $json = static fn (Shipping $one): array => $one->json();
            JsonOutput::print(self::json($reports, $isRight) + ['shipping' => array_map($json, $shipping)], $output);
        } else {
            $this->print($reports, $sent, $output, $ini, $starts !== []);
        }

        return $isRight ? self::SUCCESS : self::FAILURE;
    }

    /**
     * @param list<FpmPool> $pools
     *
     * @return non-empty-list<list<FpmPool>> pools with equal settings together; one group without pools if there are none
     */
    private static function groups(array $pools, PhpSetup $php): array
    {
        $groups = [];
        foreach ($pools as $pool) {
            $groups[serialize([$php->withPool($pool)->settings, $pool->folder, $pool->user])][] = $pool;
        }

        return $groups === [] ? [[]] : array_values($groups);
    }

    /**
     * @param list<FpmPool> $pools    that set the same
     * @param string|null   $named    the folder that the user named
     * @param bool          $isServer whether it is another php's setup, whose environment is not this one
     * @param bool          $isOne    of several groups of pools
     */
    private static function report(
        PhpSetup $php,
        array $pools,
        ?string $named,
        bool $isServer,
        bool $isOne,
        OutputInterface $output,
    ): StatusReport {
        $pool = $pools[0] ?? null;
        $php = $pool === null ? $php : $php->withPool($pool);
        $set = $php->text('output_dir');
        $environment = $isServer ? $pool->folder ?? '' : (string) getenv(DefaultFolder::VARIABLE);
        $isNamed = $named !== null || $environment !== '';
        $server = $isServer ? ServerUser::find($pool?->user) : null;
        $directory = $named ?? array_values(array_filter([$set, $environment, $server?->folder()]))[0] ?? null;
        $store = new RunFolder($directory);
        $read = static fn (): FolderState => FolderState::read($store);
        $folder = SlowNotice::during("Reading {$store->directory()}", $output, $read);
        $writer = $isNamed || $set !== '' ? $pool?->user : $server?->name;
        $check = new Check($php, $folder, $isNamed, $writer, $isOne);

        // If nothing starts profiles, the folder does not matter.
        $files = $isOne && $php->start() === 'no' ? [] : $check->folder();

        return new StatusReport($pools, $php, $folder, $check->settings(), $files);
    }

    /**
     * @param non-empty-list<StatusReport> $reports
     * @param list<array{level: 'ok'|'note'|'wrong', text: string, todo: string|null}> $sent of `xhprof ship`
     */
    private function print(array $reports, array $sent, OutputInterface $output, ?string $ini, bool $starts): void
    {
        $screen = Screen::detect($output);
        $php = $reports[0]->php;
        $output->writeln(self::bold("PHP $php->php, {$php->read()}"));
        $todo = [];
        foreach ($reports as $i => $report) {
            if ($report->pools !== []) {
                $files = implode(', ', array_unique(array_map(static fn (FpmPool $pool): string => $pool->file, $report->pools)));
                $output->writeln([...($i === 0 ? [] : ['']), self::bold(ucfirst($report->names()) . ", $files")]);
            }
            self::findings($report->settings, $output, $screen);
            if ($report->files !== []) {
                $this->printFolder($report, $output, $screen);
            }
            $which = count($reports) > 1 ? $report->names() . ': ' : '';
            foreach (array_filter(array_column($report->findings(), 'todo')) as $line) {
                $todo[] = $which . $line;
            }
        }
        if ($sent !== []) {
            $output->writeln(['', self::bold('Sent to a store of many hosts')]);
            self::findings($sent, $output, $screen);
        }
        $todo = [...$todo, ...array_filter(array_column($sent, 'todo')), ...self::furtherHints($reports, $ini, $starts)];
        if ($todo !== []) {
            $output->writeln(['', self::bold('To do')]);
            foreach ($todo as $line) {
                self::item('<comment>*</comment> ', $line, $output, $screen);
            }
        }
    }

    private function printFolder(StatusReport $report, OutputInterface $output, Screen $screen): void
    {
        $output->writeln(['', self::bold("Runs in {$report->folder->path}")]);
        self::findings($report->files, $output, $screen);
        foreach ($report->folder->exists ? self::contents($report->php, $report->folder) : [] as $line) {
            $output->writeln('    ' . OutputFormatter::escape($line));
        }
    }

    /**
     * @param non-empty-list<StatusReport> $reports
     *
     * @return list<string> where else to look
     */
    private static function furtherHints(array $reports, ?string $ini, bool $starts): array
    {
        $todo = [];
        if (!$starts && count($reports) > 1) {
            $todo[] = 'no pool starts profiles: set xhprof.start_with_request=trigger, sampled or yes in php.ini, or in a pool '
                . 'php_admin_value[xhprof.start_with_request] = trigger';
        }
        if ($ini !== null && $reports[0]->pools === []) {
            $todo[] = "there are no pools of PHP-FPM beside $ini: name a pool with --pool=FILE; .htaccess and .user.ini "
                . 'were not checked';
        }
        foreach ($ini === null ? self::SERVERS : [] as $server) {
            $path = '/etc/php/' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . "/$server";
            if (is_dir($path)) {
                $todo[] = "this was the command line's php.ini; for the server's, run xhprof status --ini=$path";
            }
        }

        return $todo;
    }

    /**
     * @param list<array{level: 'ok'|'note'|'wrong', text: string, todo: string|null}> $findings
     */
    private static function findings(array $findings, OutputInterface $output, Screen $screen): void
    {
        foreach ($findings as ['level' => $level, 'text' => $text]) {
            self::item(self::MARKS[$level], $text, $output, $screen);
        }
    }

    private static function item(string $mark, string $text, OutputInterface $output, Screen $screen): void
    {
        foreach ($screen->wrap(Text::printable($text), 5) as $i => $line) {
            $output->writeln(($i === 0 ? "$mark  " : '    ') . OutputFormatter::escape($line));
        }
    }

    /** @return list<string> contents of the folder, printable */
    private static function contents(PhpSetup $php, FolderState $folder): array
    {
        if (!$folder->isReadable) {
            return ['only its owner may list the runs'];
        }
        if (!$folder->isListable) {
            return ['runs that this PHP cannot list'];
        }
        if ($folder->newest === null) {
            return ['no runs yet'];
        }
        $share = static fn (int $count, int $most): string
            => $most > 0 ? ' (' . Units::percent($count, $most) . ' of the limit)' : '';
        $lines = [sprintf(
            '%s%s, %s%s',
            Units::counted($folder->runs, 'run'),
            $share($folder->runs, $php->number('max_runs')),
            Units::bytes($folder->bytes),
            $share($folder->bytes, $php->number('max_bytes')),
        )];
        $kinds = [];
        foreach ($folder->starts as $start => $count) {
            $kinds[] = (OriginText::start($start)['text'] ?? 'by the program') . ' ' . Units::count($count);
        }
        $lines[] = implode(', ', $kinds);
        $newest = $folder->newest;
        $when = $newest->time > 0 ? Check::ago(time() - (int) $newest->time) : 'time unknown';
        $lines[] = "newest: $when  " . Text::printable($newest->title);

        return $lines;
    }

    /**
     * @param non-empty-list<StatusReport> $reports
     *
     * @return array<string, mixed> of the first report; all where there are pools
     */
    private static function json(array $reports, bool $isRight): array
    {
        $php = $reports[0]->php;
        $pools = [];
        foreach ($reports as $report) {
            foreach ($report->pools as $pool) {
                $pools[] = ['name' => $pool->name, 'file' => $pool->file, 'user' => $pool->user] + self::reportJson($report);
            }
        }

        return [
            'right' => $isRight,
            'php' => ['version' => $php->php, 'files' => $php->files, 'extension' => $php->version],
        ] + self::reportJson($reports[0]) + ['pools' => $pools];
    }

    /** @return array<string, mixed> */
    private static function reportJson(StatusReport $report): array
    {
        [$php, $folder] = [$report->php, $report->folder];
        $secret = ['xhprof.trigger_value' => $php->text('trigger_value') === '' ? '' : '(set)'];

        return [
            'settings' => $php->settings === [] ? new \stdClass() : $secret + $php->settings,
            'folder' => [
                'path' => $folder->path,
                'exists' => $folder->exists,
                'readable' => $folder->exists && $folder->isReadable && $folder->isListable,
                'writable' => $folder->isWritable,
                'runs' => $folder->runs,
                'bytes' => $folder->bytes,
                'starts' => (object) $folder->starts,
                'newest' => $folder->newest === null ? null : ['id' => $folder->newest->id->id, 'time' => $folder->newest->time],
                'spools' => $folder->spools,
            ],
            'findings' => $report->findings(),
        ];
    }

    private static function bold(string $text): string
    {
        return '<options=bold>' . OutputFormatter::escape(Text::printable($text)) . '</>';
    }
}
