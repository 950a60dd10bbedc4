<?php

declare(strict_types=1);

namespace XHProf\Cli;

/** A php that answers what it is: in JSON, which marks keep apart from all else that it prints. */
final class PhpProbe
{
    private const MARK = "\0xhprof\0";
    private const SETTINGS = ['display_errors=1', 'display_startup_errors=1', 'log_errors=0', 'html_errors=0'];

    /**
     * @param list<string>          $options     for php
     * @param string                $values      items of PHP's array: '"php" => PHP_VERSION,'
     * @param string                $before      statements before it
     * @param array<string, string> $environment
     *
     * @return array{array<string, mixed>, string} the values, and what else php printed
     *
     * @throws CliError
     */
    public static function answer(array $options, string $values, string $before, array $environment): array
    {
        $output = tmpfile();
        if ($output === false) {
            throw new CliError('cannot make a temporary file');
        }
        // The question is not the program.
        unset($environment['XHPROF_TRIGGER'], $environment['MEMPROF_PROFILE']);
        $command = [PHP_BINARY, ...$options];
        foreach ([...self::SETTINGS, 'xhprof.start_with_request=no'] as $setting) {
            array_push($command, '-d', $setting);
        }
        $mark = 'echo ' . var_export(self::MARK, true) . ';';
        $question = "$before $mark echo json_encode([$values], JSON_INVALID_UTF8_SUBSTITUTE); $mark";
        $streams = [0 => ['file', '/dev/null', 'r'], 1 => $output, 2 => $output];
        $php = @proc_open([...$command, '-r', $question], $streams, $pipes, null, $environment);
        if (!is_resource($php)) {
            throw new CliError('php cannot be started: ' . PHP_BINARY);
        }
        proc_close($php);
        rewind($output);
        $printed = (string) stream_get_contents($output);
        $parts = explode(self::MARK, $printed);
        $answer = json_decode($parts[1] ?? '', true);
        if (!is_array($answer)) {
            throw new CliError('php does not run: ' . (self::firstLine($printed) ?: 'it printed no message'));
        }

        /** @var array<string, mixed> $answer */
        return [$answer, $parts[0] . ($parts[2] ?? '')];
    }

    /** The first line that has anything in it; '' for none. */
    public static function firstLine(string $printed): string
    {
        return array_values(array_filter(array_map(trim(...), explode("\n", $printed))))[0] ?? '';
    }
}
