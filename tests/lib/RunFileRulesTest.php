<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\DamagedRun;
use XHProf\Run\RunFile;
use XHProf\Run\Section;

/** What a run file may hold: tests/run-files.json, which the reader in JavaScript judges too (tests/js/run-file-rules.test.mjs). */
final class RunFileRulesTest extends TestCase
{
    /** @return iterable<string, array{string, bool}> bytes of a file, and whether it can be read */
    public static function files(): iterable
    {
        $cases = json_decode((string) file_get_contents(__DIR__ . '/../run-files.json'), true, 16, JSON_THROW_ON_ERROR);
        foreach ($cases as $case) {
            $bytes = self::bytes($case['head'], $case['rest'], $case['line'] ?? "xhprof-run 1 %d\n");
            yield $case['name'] => [$bytes, $case['good']];
        }
    }

    #[DataProvider('files')]
    public function testIsJudged(string $bytes, bool $good): void
    {
        try {
            $run = RunFile::fromBytes($bytes, 'a run');
            $documents = array_map($run->document(...), $run->documents());
            self::assertTrue($good, json_encode($documents, JSON_THROW_ON_ERROR));
        } catch (DamagedRun $e) {
            self::assertFalse($good, $e->getMessage());
        }
    }

    /** @param string $line the first one, with %d for the length of the head */
    private static function bytes(mixed $head, string $rest, string $line): string
    {
        $json = is_string($head) ? $head : json_encode($head, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION);
        $length = Section::filledUp(strlen($line) + strlen((string) $json) + 8);

        return str_pad(sprintf($line, $length) . $json, $length - 1) . "\n" . hex2bin($rest);
    }
}
