<?php

declare(strict_types=1);

namespace XHProf\Check\Output;

use XHProf\Check\CheckReport;
use XHProf\Check\Result;
use XHProf\Format\Text;

/** Failures as workflow commands, which GitHub shows at the lines of a pull request. */
final class GitHubAnnotations
{
    private function __construct()
    {
    }

    public static function write(CheckReport $check): string
    {
        $lines = array_map(static fn (Result $result): string => self::line($check, $result), $check->failures());
        foreach ($check->notes as $note) {
            $lines[] = '::notice title=' . self::property('XHProf check') . '::' . self::data($note);
        }

        return $lines === [] ? '' : implode("\n", $lines) . "\n";
    }

    private static function line(CheckReport $check, Result $result): string
    {
        [$file, $line] = $result->place !== null && $check->addresses->isOwn($result->place->file)
            ? [$result->place->file, $result->place->line]
            : [$result->file, $result->line];
        $properties = $file === '' ? [] : ['file=' . self::property($check->addresses->file($file))];
        $properties = $file === '' || $line < 1 ? $properties : [...$properties, "line=$line"];
        $properties[] = 'title=' . self::property("XHProf: $result->subject");
        $symbol = $result->symbol === '' ? '' : ' in ' . Text::printable($result->symbol);

        return '::error ' . implode(',', $properties) . '::'
            . self::data("{$result->text()}$symbol\n" . implode("\n", $check->details($result)));
    }

    private static function data(string $text): string
    {
        return strtr(Text::utf8($text), ['%' => '%25', "\r" => '%0D', "\n" => '%0A']);
    }

    private static function property(string $text): string
    {
        return strtr(Text::printable($text), ['%' => '%25', "\r" => '%0D', "\n" => '%0A', ':' => '%3A', ',' => '%2C']);
    }
}
