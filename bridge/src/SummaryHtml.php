<?php

declare(strict_types=1);

namespace XHProf\Bridge;

use XHProf\Web\Http\Request;
use XHProf\Web\Http\Response;

/**
 * A summary as a piece of HTML, for pages of any framework: all texts are escaped, without scripts and without style attributes.
 * Its style is the file summary.css, whose classes begin with "xhprof-".
 */
final class SummaryHtml
{
    /** @param string $base where the pages are, with a slash at its end: "/_xhprof/" */
    public static function of(RunSummary $summary, string $base): string
    {
        $text = static fn (mixed $value): string => htmlspecialchars((string) $value, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
        $link = static fn (string $url, string $label): string => $url === ''
            ? $text($label)
            : '<a href="' . $text($base . $url) . '">' . $text($label) . '</a>';
        ob_start();
        require dirname(__DIR__) . '/templates/summary.php';

        return (string) ob_get_clean();
    }

    /**
     * The form whose button asks for a profile of the next request.
     *
     * @param string $base as of()
     * @param string $back path of this site that is opened then; '' for the list of runs
     */
    public static function nextForm(
        NextRequest $next,
        string $base,
        string $back = '',
        string $label = 'Profile the next request',
    ): string {
        $text = static fn (string $value): string => htmlspecialchars($value, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');

        return '<form class="xhprof-next" method="post" action="' . $text($base . Mount::NEXT) . '">'
            . '<input type="hidden" name="' . NextRequest::FIELD . '" value="' . $text($next->token()) . '">'
            . '<input type="hidden" name="back" value="' . $text($back) . '">'
            . '<button type="submit">' . $text($label) . '</button></form>';
    }

    /** The style, for a page that has it in an element of its own. */
    public static function css(): string
    {
        return (string) file_get_contents(dirname(__DIR__) . '/assets/summary.css');
    }

    public static function style(Request $request): Response
    {
        $css = self::css();
        $tag = '"' . hash('xxh64', $css) . '"';
        $answer = $request->server('HTTP_IF_NONE_MATCH') === $tag ? Response::notModified() : Response::text($css);

        return $answer->withHeaders([
            'Content-Type' => 'text/css; charset=utf-8',
            'Cache-Control' => 'private, no-cache',
            'ETag' => $tag,
        ]);
    }
}
