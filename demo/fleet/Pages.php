<?php

declare(strict_types=1);

namespace XHProf\Demo\Fleet;

use XHProf\Tools\Servers\ClickHouse;
use XHProf\Tools\Servers\Daemon;
use XHProf\Tools\Servers\Folder;

/** The pages, served for a store: `xhprof serve` as a user who can only read. They end with this process. */
final class Pages
{
    private readonly Folder $folder;

    /** "http://127.0.0.1:8000" */
    public readonly string $site;

    /** Lets a browser in. */
    public readonly string $token;

    /** @param int $port 0: the first free one */
    public function __construct(ClickHouse $server, int $port = 0)
    {
        $this->folder = new Folder();
        $log = "{$this->folder->path}/serve.log";
        file_put_contents($log, '');
        $as = [
            'XHPROF_FLEET' => $server->url(), 'XHPROF_SHIP_USER' => 'reader', 'XHPROF_SHIP_PASSWORD' => ClickHouse::USERS['reader'],
        ];
        $command = [PHP_BINARY, dirname(__DIR__, 2) . '/bin/xhprof', 'serve', "--output-dir={$this->folder->path}/runs"];
        if ($port > 0) {
            $command[] = "--port=$port";
        }
        $daemon = new Daemon($command, $log, $as);
        $daemon->await(static fn (): bool => str_contains((string) file_get_contents($log), '(Ctrl-C ends)'));
        register_shutdown_function(static fn () => $daemon->stop(SIGTERM));
        preg_match('~ at (http://\S+?)/?\?token=(\w+)~', $daemon->output(), $found);
        [$this->site, $this->token] = [$found[1] ?? '', $found[2] ?? ''];
    }
}
