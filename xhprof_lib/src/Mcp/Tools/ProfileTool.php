<?php

declare(strict_types=1);

namespace XHProf\Mcp\Tools;

use XHProf\Findings\Findings;
use XHProf\Functions\FunctionsReport;
use XHProf\Functions\RunHead;
use XHProf\Report\Report;

/** Runs a PHP script and profiles it, where the user has allowed that. */
final class ProfileTool
{
    /** Seconds that a script may take, unless asked for more, and at most. */
    private const SECONDS = 60;
    private const MOST_SECONDS = 590;

    /** Seconds between the signal that ends a script, which saves its profile, and the one that it cannot refuse. */
    private const GRACE = 2.0;

    /** Microseconds between two looks. */
    private const STEP = 50_000;

    /** Bytes of what it prints that are kept, from the end. */
    private const OUTPUT = 2000;

    /** @param list<string> $program the command line of this program, to which a command is added */
    public static function tool(array $program): Tool
    {
        return new Tool(
            'profile_command',
            'Run a PHP script and profile it',
            'Runs a PHP script of the project as its command line would, profiles it, saves the run, and answers with the run\'s'
                . ' findings and the end of what the script printed. The script does what it does: it may write files and'
                . ' databases.'
                . ' Its arguments are passed as they are, without a shell.',
            [
                new Parameter('argv', 'strings', 'The script and its arguments: ["bin/console", "app:import",'
                    . ' "--limit=10"]', isRequired: true),
                new Parameter('alloc', 'boolean', 'Record who allocates memory and still holds it: for leaks', false),
                new Parameter('sample', 'boolean', 'Sample every millisecond in place of recording every call: for long'
                    . ' scripts', false),
                new Parameter('timeout', 'integer', 'Seconds after which it is'
                    . ' ended', self::SECONDS, range: [1, self::MOST_SECONDS]),
            ],
            static fn (Given $given, Desk $desk): Answer => self::answer($program, $given, $desk),
            false,
            Tool::MOST_SECONDS,
        );
    }

    /** @param list<string> $program */
    private static function answer(array $program, Given $given, Desk $desk): Answer
    {
        $argv = $given->texts('argv');
        $argv = ($argv[0] ?? '') === 'php' ? array_slice($argv, 1) : $argv;
        if ($argv === [] || $argv[0] === '' || str_contains(implode('', $argv), "\0")) {
            throw new CannotAnswer('"argv" has to begin with a PHP script');
        }
        if ($given->flag('alloc') && $given->flag('sample')) {
            throw new CannotAnswer('"alloc" and "sample" exclude each other');
        }
        $id = tempnam(sys_get_temp_dir(), 'xhprof-mcp-');
        if ($id === false) {
            throw new CannotAnswer('there is no folder for temporary files to write to');
        }
        try {
            [$code, $output, $isLate] = self::run([
                ...$program, 'run', '--quiet', "--report-to=$id", '--output-dir=' . $desk->directory(),
                ...($given->flag('alloc') ? ['--alloc'] : []), ...($given->flag('sample') ? ['--sample'] : []),
                '--', ...$argv,
            ], $given->number('timeout'));
            $name = trim((string) file_get_contents($id));
        } finally {
            unlink($id);
        }
        $late = $isLate ? ", because it took longer than {$given->number('timeout')} s" : '';
        $end = "The script ended with $code$late.";
        $lines = array_map(
            static fn (string $line): string => '> ' . $line,
            preg_split('/\R/', trim($output), -1, PREG_SPLIT_NO_EMPTY) ?: [],
        );
        $printed = new Report([], [$end, ...($lines === [] ? ['It printed nothing.'] : ['The end of what it'
            . ' printed:', ...$lines])]);
        if ($name === '') {
            throw new CannotAnswer("no profile was saved. $end " . $desk->words->sentence($output));
        }
        $run = $desk->run($name);
        $found = Findings::of($run);
        $head = (new RunHead($run))->heading(count((new FunctionsReport($run, limit: 1))->flat->rows()));

        return new Answer(
            [new Report([], headings: [$head]), new Report([], findings: [Findings::list($found)]), $printed],
            [
                ...(new NextQuestions($run, $desk->words))->after($found),
                new Call('findings', ['run' => Desk::idOf($run)], 'the same with file and line'),
            ],
        );
    }

    /**
     * @param list<string> $command
     *
     * @return array{int, string, bool} exit code, the end of its output, whether it was ended
     */
    private static function run(array $command, int $seconds): array
    {
        $process = @proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
        if (!is_resource($process)) {
            throw new CannotAnswer('the script cannot be started');
        }
        array_map(static fn ($pipe): bool => stream_set_blocking($pipe, false), $pipes);
        $until = hrtime(true) / 1e9 + $seconds;
        $output = '';
        $isLate = false;
        do {
            // Before it is read: what it printed last is read then.
            $status = proc_get_status($process);
            $output = substr($output . self::printed($pipes), -self::OUTPUT);
            if ($status['running'] && hrtime(true) / 1e9 > $until) {
                proc_terminate($process, $isLate ? 9 : 15);
                [$isLate, $until] = [true, hrtime(true) / 1e9 + self::GRACE];
            }
        } while ($status['running']);
        array_map(fclose(...), $pipes);
        proc_close($process);

        return [$status['signaled'] ? 128 + $status['termsig'] : $status['exitcode'], $output, $isLate];
    }

    /**
     * Waits a little for what it prints.
     *
     * @param array<resource> $pipes
     */
    private static function printed(array $pipes): string
    {
        $read = array_filter($pipes, static fn ($pipe): bool => !feof($pipe));
        [$write, $except] = [null, null];
        if ($read === []) {
            usleep(self::STEP);

            return '';
        }
        @stream_select($read, $write, $except, 0, self::STEP);

        return implode('', array_map(static fn ($pipe): string => (string) stream_get_contents($pipe), $read));
    }
}
