<?php

declare(strict_types=1);

namespace XHProf\Check\Output;

use XHProf\Check\CheckReport;
use XHProf\Format\Text;
use XHProf\Report\Markdown;

/** A check as Markdown, for a comment or the summary of a job, with links to the runs where pages show them. */
final class MarkdownAnswer
{
    private function __construct()
    {
    }

    public static function write(CheckReport $check): string
    {
        $links = [];
        foreach ($check->failures() as $result) {
            foreach ($result->runs as $run) {
                $url = $check->addresses->url($run);
                if ($url !== null) {
                    $subject = Markdown::text(Text::printable($result->subject));
                    $links[$url] = "- [$subject, " . substr($run->id, 0, 12) . "](<$url>)";
                }
            }
        }
        $list = $links === [] ? '' : "#### Runs\n\n" . implode("\n", $links);

        return Markdown::blocks([Markdown::report($check->report()), $list]);
    }
}
