<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use RuntimeException;
use XHProf\Secret\Redact;
use XHProf\Secret\Secret;

/** Random URLs and command lines: the extension's C and the library's PHP hide the same, including known secrets. */
final class Redaction implements Target
{
    private const KNOWN = 'open-sesame';
    /** Texts in a case: the C program is started once for all of them. */
    private const TEXTS = 200;
    private const PIECES = [
        '/', '//', '?', '&', ';', '=', '#', ':', '@', '%', '%25', '%3D', '%26', '%2', '[', ']', '[]', '{', '}', '"',
        "'", '\\', ' ', '+', ',', '-', '--', '.', '..', '(', ')', "\n", "\x7f", "\xc3\xa9", "\xff", 'http://',
        'https://', 'tcp(', 'user', 'pass', 'password', 'token', 'key', 'pin', 'Pin', '_pin', 'shipping',
        'authorization:', 'Bearer ', 'Basic ', 'eyJhbGciOiJIUzI1NiJ9.', 'eyJzdWIiOiIxIn0.', 'sig', 'a-', '_', 'sk_live_', 'xoxb-',
        'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB', 'AKIAIOSFODNN7EXAMPLE', '-----BEGIN RSA PRIVATE KEY-----',
        '4111111111111111', '4111 1111 1111 1111', self::KNOWN, 'example.org', ':8080', 'a', 'b=c', 'id', '5',
        '1700000000', 'users', '-p', '-u', '-H', '--header', '--user', 'redis', 'mysql:host=', 'index.php',
        '{"token":"', '"}', 'true', 'null', 'x-api-key', 'ZmFrZQ',
    ];

    private readonly string $program;

    public function __construct(Sandbox $sandbox)
    {
        $this->program = "$sandbox->folder/cache/redact";
        $extension = dirname(__DIR__, 2) . '/extension';
        $command = [
            getenv('CC') ?: 'cc', '-std=gnu11', '-D_GNU_SOURCE', '-g', '-O1',
            '-fsanitize=address,undefined', '-fno-sanitize-recover=all',
            "-I$extension", '-o', $this->program, __DIR__ . '/redact.c',
            "$extension/base/redact.c", "$extension/base/secret.c", "$extension/base/route.c",
        ];
        $process = proc_open($command, [], $pipes);
        if ($process === false || proc_close($process) !== 0) {
            throw new RuntimeException('tests/fuzz/redact.c cannot be compiled');
        }
    }

    public function attempt(Chance $chance): array
    {
        $redact = Redact::withRules(Secret::FRAGMENTS, self::KNOWN);
        $lines = $expected = $what = [];
        for ($i = 0; $i < self::TEXTS; $i++) {
            $url = self::text($chance, 24);
            $arguments = ['a.php'];
            for ($left = $chance->number(0, 6); $left > 0; $left--) {
                $arguments[] = self::text($chance, 6);
            }
            array_push($lines, "url\t" . bin2hex($url), "argv\t" . implode(',', array_map(bin2hex(...), $arguments)));
            array_push($lines, "route\t" . bin2hex('/' . $url));
            array_push($expected, $redact->url($url), $redact->command($arguments), null);
            array_push($what, $url, implode(' ', $arguments), '/' . $url);
        }
        $wrong = [];
        foreach ($this->ask($lines) as $i => $got) {
            $shown = json_encode($what[$i], JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES);
            if ($expected[$i] === null) {
                $wrong = [...$wrong, ...(strlen($got) > 200 ? ["route of $shown is too long"] : [])];
            } elseif ($expected[$i] !== $got) {
                $wrong[] = "$shown: C has " . json_encode($got, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES)
                    . ', PHP ' . json_encode($expected[$i], JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES);
            }
        }

        return $wrong;
    }

    private static function text(Chance $chance, int $most): string
    {
        // No NUL: neither a URL nor an argument can have one. An empty argument is an empty line of hex.
        $text = '';
        foreach ($chance->some(self::PIECES, $most) as $piece) {
            // Words of any length: the length alone makes some count as secrets.
            $word = strtr(base64_encode($chance->bytes(40)), '+/', '-_');
            $text .= $chance->once(12) ? substr($word, 0, $chance->number(1, 50)) : $piece;
        }

        return $text === '' ? 'x' : $text;
    }

    /**
     * @param list<string> $lines
     * @return list<string> an answer each
     */
    private function ask(array $lines): array
    {
        $given = "$this->program.given";
        file_put_contents($given, implode("\n", $lines) . "\n");
        $streams = [['file', $given, 'r'], ['pipe', 'w'], ['file', "$this->program.error", 'w']];
        $process = proc_open([$this->program, Secret::FRAGMENTS, self::KNOWN], $streams, $pipes);
        $text = $process === false ? '' : (string) stream_get_contents($pipes[1]);
        $status = $process === false ? -1 : proc_close($process);
        $answers = array_map(hex2bin(...), explode("\n", rtrim($text, "\n")));
        if ($status !== 0 || count($answers) !== count($lines)) {
            throw new RuntimeException("redact.c ended with $status: " . file_get_contents("$this->program.error"));
        }

        return array_map(strval(...), $answers);
    }
}
