<?php

declare(strict_types=1);

namespace XHProf\Check\Output;

use XHProf\Check\CheckReport;
use XHProf\Check\Result;
use XHProf\Check\State;
use XHProf\Format\Text;

/**
 * A check as JUnit's XML, as Ant writes it, which has the strictest schema: a suite for each subject, a case for each limit. Its
 * times are 0: limits are figures, not tests that take long.
 */
final class JUnit
{
    private function __construct()
    {
    }

    public static function write(CheckReport $check): string
    {
        $suites = [];
        foreach ($check->results as $result) {
            $suites[$result->subject][] = $result;
        }
        $lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
        $lines[] = '<testsuites>';
        foreach (array_keys($suites) as $id => $subject) {
            array_push($lines, ...self::suite($check, $id, (string) $subject, $suites[$subject]));
        }
        $lines[] = '</testsuites>';

        return implode("\n", $lines) . "\n";
    }

    /**
     * @param non-empty-list<Result> $results
     *
     * @return list<string>
     */
    private static function suite(CheckReport $check, int $id, string $subject, array $results): array
    {
        $name = self::attribute($subject);
        $lines = [
            "  <testsuite name=\"$name\" package=\"xhprof\" id=\"$id\"" . self::counts($results) . self::origin($results[0]) . '>',
            '    <properties/>',
        ];
        foreach ($results as $result) {
            $case = trim("$result->figure $result->limit");
            $case = $result->state === State::Found ? trim("$case $result->symbol") : $case;
            $head = '    <testcase name="' . self::attribute($case) . "\" classname=\"$name\" time=\"0\"";
            $tag = match ($result->state) {
                State::Over, State::Found => 'failure',
                State::Unknown => 'error',
                State::Skipped => 'skipped',
                State::Passed => '',
            };
            if ($tag === '') {
                $lines[] = "$head/>";
                continue;
            }
            $message = self::attribute($result->text());
            $lines[] = "$head>";
            $details = self::text(implode("\n", self::details($check, $result)));
            $lines[] = $tag === 'skipped'
                ? "      <skipped message=\"$message\"/>"
                : "      <$tag message=\"$message\" type=\"xhprof.{$result->state->value}\">$details</$tag>";
            $lines[] = '    </testcase>';
        }

        return [...$lines, '    <system-out/>', '    <system-err/>', '  </testsuite>'];
    }

    /** @return list<string> */
    private static function details(CheckReport $check, Result $result): array
    {
        return [...($result->symbol === '' ? [] : ['In ' . Text::printable($result->symbol)]), ...$check->details($result)];
    }

    /** @param list<Result> $results */
    private static function counts(array $results): string
    {
        $of = static fn (State ...$states): int => count(array_filter(
            $results,
            static fn (Result $result): bool => in_array($result->state, $states, true),
        ));

        return ' tests="' . count($results) . '" failures="' . $of(State::Over, State::Found)
            . '" errors="' . $of(State::Unknown) . '" skipped="' . $of(State::Skipped) . '" time="0"';
    }

    /** When and where its first run was recorded. */
    private static function origin(Result $result): string
    {
        $host = trim($result->host) === '' ? 'localhost' : trim($result->host);

        return ' timestamp="' . gmdate('Y-m-d\TH:i:s', (int) $result->time) . '" hostname="' . self::attribute($host) . '"';
    }

    private static function attribute(string $text): string
    {
        return self::text(Text::printable($text));
    }

    private static function text(string $text): string
    {
        // What XML cannot have, as U+FFFE, becomes U+FFFD.
        return htmlspecialchars(Text::utf8($text), ENT_QUOTES | ENT_XML1 | ENT_SUBSTITUTE | ENT_DISALLOWED, 'UTF-8');
    }
}
