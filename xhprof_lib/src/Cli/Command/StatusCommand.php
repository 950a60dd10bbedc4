<?php

declare(strict_types=1);

namespace XHProf\Cli\Command;

use Symfony\Component\Console\Formatter\OutputFormatter;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Cli\Json;
use XHProf\Cli\Run\RunSettings;
use XHProf\Cli\Status\Check;
use XHProf\Cli\Status\FolderState;
use XHProf\Cli\Status\PhpSetup;
use XHProf\Cli\Terminal\Screen;
use XHProf\Cli\Terminal\SlowNotice;
use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Report\Origin;
use XHProf\Store\RunStore;

/** Tells whether profiling by itself is set up right. */
final class StatusCommand extends RunFolderCommand
{
    private const MARKS = ['ok' => '<info>ok</info>', 'note' => '<comment>--</comment>', 'wrong' => '<fg=red>!!</>'];

    /** Folders in which servers have a php.ini of their own. */
    private const SERVERS = ['fpm', 'apache2', 'cgi'];

    protected function configure(): void
    {
        $this->setName('status')
            ->setDescription('Tell whether PHP profiles by itself as it is set up, and what is missing')
            ->addOption('ini', null, InputOption::VALUE_REQUIRED, "php.ini to look at, or its folder: a server's /etc/php/8.2/fpm")
            ->addOption(
                'php-option',
                'd',
                InputOption::VALUE_REQUIRED | InputOption::VALUE_IS_ARRAY,
                'For the php that is asked: KEY=VALUE, "-c FILE", "-n" (repeat it for more)',
            )
            ->addOption('json', null, InputOption::VALUE_NONE, 'Print JSON')
            ->addFolderOption()
            ->setHelp(
                <<<'HELP'
                Reads the settings in effect, looks into the run folder, and says what to do. The exit code is 1 where
                something is wrong, or nothing starts by itself. A web server has a php.ini of its own: <info>--ini</info>.

                  <info>xhprof status</info>
                  <info>xhprof status --ini=/etc/php/8.2/fpm</info>
                  <info>xhprof status --json</info>
                HELP
            );
    }

    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        $ini = self::text($input, 'ini');
        $php = PhpSetup::ask($ini, RunSettings::phpOptions(self::texts($input->getOption('php-option'))));
        $directory = self::text($input, 'output-dir');
        // A server's environment is not this one.
        $isNamed = $directory !== null || ($ini === null && (string) getenv('XHPROF_OUTPUT_DIR') !== '');
        if (!$isNamed && $php->text('output_dir') !== '') {
            $directory = $php->text('output_dir');
        }
        $store = new RunStore($directory);
        $read = static fn (): FolderState => FolderState::of($store);
        $folder = SlowNotice::during("Reading {$store->directory()}", $output, $read);
        $check = new Check($php, $folder, $isNamed);
        [$settings, $files] = [$check->settings(), $check->folder()];
        $isRight = !in_array('wrong', array_column([...$settings, ...$files], 'level'), true);
        if ($input->getOption('json') === true) {
            Json::print(self::json($php, $folder, $isRight, $settings, $files), $output);
        } else {
            $this->print($php, $folder, $settings, $files, $output, $ini === null);
        }

        return $isRight ? self::SUCCESS : self::FAILURE;
    }

    /**
     * @param list<array{level: 'ok'|'note'|'wrong', text: string, todo: string|null}> $settings
     * @param list<array{level: 'ok'|'note'|'wrong', text: string, todo: string|null}> $files
     */
    private function print(
        PhpSetup $php,
        FolderState $folder,
        array $settings,
        array $files,
        OutputInterface $output,
        bool $isOwn,
    ): void {
        $screen = Screen::of($output);
        $file = $php->files[0] ?? 'no php.ini';
        $more = count($php->files) - 1;
        $output->writeln(self::bold("PHP $php->php, $file" . ($more > 0 ? " and $more more" : '')));
        self::findings($settings, $output, $screen);
        $output->writeln(['', self::bold("Runs in $folder->path")]);
        self::findings($files, $output, $screen);
        foreach ($folder->exists ? self::contents($php, $folder) : [] as $line) {
            $output->writeln('    ' . OutputFormatter::escape($line));
        }
        $todo = array_values(array_filter(array_column([...$settings, ...$files], 'todo')));
        foreach ($isOwn ? self::SERVERS : [] as $server) {
            $path = '/etc/php/' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . "/$server";
            if (is_dir($path)) {
                $todo[] = "this was the command line's php.ini; for the server's: xhprof status --ini=$path";
            }
        }
        if ($todo !== []) {
            $output->writeln(['', self::bold('To do')]);
            foreach ($todo as $line) {
                self::item('<comment>*</comment> ', $line, $output, $screen);
            }
        }
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

    /** @return list<string> what is in the folder, printable */
    private static function contents(PhpSetup $php, FolderState $folder): array
    {
        if ($folder->newest === null) {
            return ['no runs yet'];
        }
        $share = static fn (int $of, int $most): string => $most > 0 ? ' (' . Units::percent($of, $most) . ' of the bound)' : '';
        $lines = [sprintf(
            '%s%s, %s%s',
            $folder->runs === 1 ? '1 run' : Units::count($folder->runs) . ' runs',
            $share($folder->runs, $php->number('max_runs')),
            Units::bytes($folder->bytes),
            $share($folder->bytes, $php->number('max_bytes')),
        )];
        $kinds = [];
        foreach ($folder->starts as $start => $count) {
            $kinds[] = (Origin::start($start)['text'] ?? 'by the program') . ' ' . Units::count($count);
        }
        $lines[] = implode(', ', $kinds);
        $newest = $folder->newest;
        $when = $newest->time > 0 ? Check::ago(time() - (int) $newest->time) : 'nobody knows when';
        $lines[] = "newest: $when  " . Text::printable($newest->title);

        return $lines;
    }

    /**
     * @param list<array{level: 'ok'|'note'|'wrong', text: string, todo: string|null}> $settings
     * @param list<array{level: 'ok'|'note'|'wrong', text: string, todo: string|null}> $files
     *
     * @return array<string, mixed>
     */
    private static function json(PhpSetup $php, FolderState $folder, bool $isRight, array $settings, array $files): array
    {
        $secret = ['xhprof.trigger_value' => $php->text('trigger_value') === '' ? '' : '(set)'];

        return [
            'right' => $isRight,
            'php' => ['version' => $php->php, 'files' => $php->files, 'extension' => $php->version],
            'settings' => $php->settings === [] ? new \stdClass() : $secret + $php->settings,
            'folder' => [
                'path' => $folder->path,
                'exists' => $folder->exists,
                'writable' => $folder->isWritable,
                'runs' => $folder->runs,
                'bytes' => $folder->bytes,
                'starts' => (object) array_combine(
                    array_map(static fn (string $start): string => $start === '' ? 'manual' : $start, array_keys($folder->starts)),
                    $folder->starts,
                ),
                'newest' => $folder->newest === null ? null : ['id' => $folder->newest->id->id, 'time' => $folder->newest->time],
                'spools' => $folder->spools,
            ],
            'findings' => [...$settings, ...$files],
        ];
    }

    private static function bold(string $text): string
    {
        return '<options=bold>' . OutputFormatter::escape(Text::printable($text)) . '</>';
    }
}
