<?php

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

use XHProf\Profile\CallTree;
use XHProf\Run\RequestWindow;
use XHProf\Store\RunFolder;
use XHProf\Tools\Servers\DevServer;
use XHProf\Tools\Servers\NextProcess;
use XHProf\Tools\Servers\Programs;
use XHProf\Tools\Servers\ServerFailure;
use XHProf\Tools\Servers\Site;

/** What the requests of the demo shop took, recorded now as one window. */
final class RealProfile
{
    private const INTERVAL = 500;
    private const WINDOW = 3600;

    private function __construct(public readonly CallTree $tree, public readonly RequestWindow $window)
    {
    }

    /** @param int $requests how many are sent to the shop */
    public static function record(int $requests): self
    {
        $server = new DevServer([
            'extension=' . Programs::extension(), 'xhprof.start_with_request=yes', 'xhprof.mode=aggregate',
            'xhprof.sampling_interval=' . self::INTERVAL, 'xhprof.flush_seconds=' . self::WINDOW,
        ]);
        $server->client->load(Site::requests($requests), 1);
        $server->stop();
        NextProcess::run($server->folder);

        return self::read($server->runs()) ?? throw new ServerFailure("no window was recorded: {$server->errors()}");
    }

    /** @return self|null the window of a folder with most requests, if it has any */
    public static function read(string $folder): ?self
    {
        $store = new RunFolder($folder);
        $best = null;
        foreach ($store->list() as $run) {
            $window = $store->open($run->id)->meta()->window;
            if ($window === null || $window->requests <= ($best->window->requests ?? 0)) {
                continue;
            }
            $tree = $store->open($run->id)->tree();
            $best = $tree === null ? $best : new self($tree, $window);
        }

        return $best;
    }

    /** µs that a sample stands for. */
    public function interval(): int
    {
        return self::INTERVAL;
    }
}
