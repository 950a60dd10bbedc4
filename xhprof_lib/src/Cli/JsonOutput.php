<?php

declare(strict_types=1);

namespace XHProf\Cli;

use Symfony\Component\Console\Output\OutputInterface;
use XHProf\Format\JsonText;
use XHProf\Format\Text;

/** Prints JSON that every reader accepts and that does nothing in a terminal, whatever bytes the names contain. */
final class JsonOutput
{
    private const FLAGS = JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
        | JSON_PRESERVE_ZERO_FRACTION;

    public static function print(mixed $value, OutputInterface $output): void
    {
        $output->writeln(self::encode($value), OutputInterface::OUTPUT_RAW);
    }

    public static function encode(mixed $value): string
    {
        return JsonText::visible(JsonText::encode(self::clean($value), self::FLAGS));
    }

    /** Writes invalid bytes of strings that are not UTF-8 as \xNN; other strings stay as they are. INF and NAN become null. */
    private static function clean(mixed $value): mixed
    {
        if (is_string($value)) {
            return preg_match('//u', $value) === 1 ? $value : Text::printable($value);
        }
        if (is_float($value) && !is_finite($value)) {
            return null;
        }
        if (!is_array($value)) {
            return $value;
        }
        $clean = [];
        foreach ($value as $key => $item) {
            $clean[is_string($key) ? self::clean($key) : $key] = self::clean($item);
        }

        return $clean;
    }
}
