<?php

declare(strict_types=1);

namespace XHProf\Tests\Fuzz;

use XHProf\App\Site;
use XHProf\Store\RunFolder;
use XHProf\Web\Http\Request;

/** The pages of a sandbox, without a server between. */
final class Pages
{
    public function __construct(private readonly Sandbox $sandbox)
    {
    }

    /**
     * @param array<string, string> $query
     * @return list<string> errors of the answer
     */
    public function wrong(array $query, string $needle = '', bool $api = false): array
    {
        // Nothing remains of earlier requests: each has an App of its own.
        $app = new Site(dirname(__DIR__, 2) . '/xhprof_html', new RunFolder($this->sandbox->runs));
        $request = new Request('GET', $query);
        $response = $api ? $app->file('api.php', $request) : $app->index($request);
        // Large ones are made while they are sent.
        ob_start();
        $response->sendBody();
        $body = (string) ob_get_clean();
        $wrong = $this->sandbox->broken($body);
        if (str_contains($body, 'This page failed')) {
            $wrong[] = 'an unexpected error';
        }
        if (!in_array($response->status, $needle !== '' ? [200] : [200, 302, 303, 304, 400, 404, 413, 500], true)) {
            $wrong[] = "status $response->status";
        }
        if (!str_contains($body, $needle)) {
            $wrong[] = "\"$needle\" is missing";
        }
        $name = ($api ? 'api.php?' : 'index.php?') . http_build_query($query);

        return array_map(static fn (string $what): string => "$name: $what", $wrong);
    }
}
