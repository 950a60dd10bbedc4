<?php

declare(strict_types=1);

namespace XHProf\Check\Output;

use XHProf\Check\CheckReport;
use XHProf\Check\Result;
use XHProf\Check\State;
use XHProf\Format\JsonText;
use XHProf\Format\Text;

/** Failures as GitLab's report of code quality, which a merge request shows at their lines. */
final class GitLabQuality
{
    private function __construct()
    {
    }

    public static function write(CheckReport $check): string
    {
        $issues = [];
        foreach ($check->failures() as $result) {
            $issue = self::issue($check, $result);
            // Two of one fingerprint would be one to GitLab.
            for ($n = 2, $print = $issue['fingerprint']; isset($issues[$issue['fingerprint']]); $n++) {
                $issue['fingerprint'] = hash('sha256', "$print $n");
            }
            $issues[$issue['fingerprint']] = $issue;
        }

        return JsonText::encode(array_values($issues), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE) . "\n";
    }

    /** @return array{description: string, check_name: string, fingerprint: string, severity: string, location: array<string, mixed>} */
    private static function issue(CheckReport $check, Result $result): array
    {
        [$file, $line] = $result->place !== null && $check->addresses->isOwn($result->place->file)
            ? [$result->place->file, $result->place->line]
            : [$result->file, $result->line];
        $symbol = $result->symbol === '' ? '' : ' in ' . Text::printable($result->symbol);

        return [
            'description' => Text::printable("$result->subject: ") . $result->text() . $symbol,
            'check_name' => 'xhprof.' . ($result->state === State::Found ? $result->figure : 'budget'),
            'fingerprint' => $result->fingerprint(),
            'severity' => $result->state === State::Unknown ? 'major' : 'critical',
            'location' => [
                'path' => $file === '' ? '.' : Text::printable($check->addresses->file($file)),
                'lines' => ['begin' => max(1, $line)],
            ],
        ];
    }
}
