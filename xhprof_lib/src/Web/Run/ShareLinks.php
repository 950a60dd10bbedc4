<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Source\SourceFiles;
use XHProf\Web\Http\Request;
use XHProf\Web\Http\Url;

/** What a page offers to those who send what it shows to others: share.html.twig's menu. */
final class ShareLinks
{
    /**
     * @param array<string, string|int|bool|null> $parameters that name a run, the mean of several or a comparison
     * @param bool $isRun whether it has source lines
     *
     * @return array{html: string, source: ?string, markdown: string} source: null where no source may be read
     */
    public static function of(array $parameters, Request $request, bool $isRun = true): array
    {
        $html = ['format' => 'html', 'corrected' => null, 'x0' => null, 'x1' => null] + $parameters;
        $hasSource = $isRun && $request->setting(SourceFiles::ROOTS) !== '';

        return [
            'html' => Url::api('export', $html),
            'source' => $hasSource ? Url::api('export', $html + ['lines' => '1']) : null,
            'markdown' => Url::api('export', ['format' => 'markdown'] + $html),
        ];
    }
}
