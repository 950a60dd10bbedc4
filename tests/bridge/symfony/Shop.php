<?php

declare(strict_types=1);

namespace XHProf\Tests\Bridge\Symfony;

use XHProf\Tests\Bridge\Visitor;

/** The shop on Symfony, served by PHP's own server with a folder of its own, for as long as this object lives. */
final class Shop
{
    public readonly string $runs;

    public readonly Visitor $visitor;

    private readonly string $folder;

    /** @var resource */
    private $process;

    /**
     * @param array<string, mixed> $config of the bundle, beside run_dir
     * @param array<string, string> $environment see ShopKernel
     * @param list<string> $settings of php.ini: "name=value"
     * @param bool $hasExtension whether xhprof is loaded
     */
    public function __construct(
        array $config = [],
        array $environment = [],
        array $settings = [],
        bool $hasExtension = true,
    ) {
        [$this->folder, $this->runs] = self::folders();
        $port = self::freePort();
        $this->process = self::start(
            ['-S', "127.0.0.1:$port", '-t', __DIR__ . '/public', __DIR__ . '/public/index.php'],
            $this->environment($config, $environment),
            ["xhprof.output_dir=$this->runs", ...$settings],
            $hasExtension,
        );
        for ($try = 0; $try < 600 && @fsockopen('127.0.0.1', $port) === false; $try++) {
            usleep(50_000);
        }
        $this->visitor = new Visitor("http://127.0.0.1:$port");
    }

    public function __destruct()
    {
        proc_terminate($this->process, 9);
        proc_close($this->process);
        exec('rm -rf ' . escapeshellarg($this->folder));
    }

    /**
     * A command of the shop.
     *
     * @param list<string> $arguments
     * @param array<string, string> $environment
     * @param list<string> $settings
     * @return array{code: int, out: string, err: string, runs: list<string>} runs: names of its files
     */
    public static function console(
        array $arguments,
        array $environment = [],
        array $settings = [],
        bool $hasExtension = true,
    ): array {
        [$folder, $runs] = self::folders();
        $pipes = [];
        $variables = ['SHOP_VAR' => $folder, 'SHOP_XHPROF' => (string) json_encode(['run_dir' => $runs])] + $environment;
        $process = self::start([__DIR__ . '/console.php', ...$arguments], $variables, [
            "xhprof.output_dir=$runs", ...$settings,
        ], $hasExtension, $pipes);
        $out = (string) stream_get_contents($pipes[1] ?? throw new \LogicException());
        $err = (string) stream_get_contents($pipes[2] ?? throw new \LogicException());
        $code = proc_close($process);
        $files = array_map(basename(...), glob("$runs/*.run") ?: []);
        exec('rm -rf ' . escapeshellarg($folder));

        return ['code' => $code, 'out' => $out, 'err' => $err, 'runs' => $files];
    }

    /**
     * @phpstan-impure
     * @return list<string> ID.SOURCE of the runs
     */
    public function runs(): array
    {
        return array_map(static fn (string $path): string => basename($path, '.run'), glob("$this->runs/*.run") ?: []);
    }

    /** Opens the panel of the request that the visitor has just made. */
    public function panel(): string
    {
        $token = $this->visitor->headers['x-debug-token'][0] ?? '';

        return $this->visitor->get("/_profiler/$token?panel=xhprof")->body;
    }

    /** @return string the toolbar's item of the request that the visitor has just made, without tags */
    public function toolbar(): string
    {
        return $this->barOf($this->visitor->headers['x-debug-token'][0] ?? '');
    }

    /** @param string $token of the request */
    public function barOf(string $token): string
    {
        $bar = $this->visitor->get("/_wdt/$token")->body;
        preg_match('~<div class="sf-toolbar-block sf-toolbar-block-xhprof.*?(?=<div class="sf-toolbar-block |\z)~s', $bar, $match);

        return trim((string) preg_replace('/\s+/', ' ', html_entity_decode(strip_tags($match[0] ?? ''))));
    }

    /** Clicks "Profile this page once more" of a panel, or of the toolbar. */
    public function click(string $html): void
    {
        preg_match('~action="([^"]+)"><input type="hidden" name="token" value="([^"]+)"><input type="hidden" name="back" '
            . 'value="([^"]*)"~', $html, $match);
        $this->visitor->post($match[1] ?? '/', ['token' => $match[2] ?? '', 'back' => htmlspecialchars_decode($match[3] ?? '')]);
    }

    /**
     * @param array<string, mixed> $config
     * @param array<string, string> $environment
     * @return array<string, string>
     */
    private function environment(array $config, array $environment): array
    {
        $config += ['run_dir' => $this->runs];

        return ['SHOP_VAR' => $this->folder, 'SHOP_XHPROF' => (string) json_encode($config)] + $environment;
    }

    /** @return array{string, string} a folder of its own, and one for runs in it */
    private static function folders(): array
    {
        $folder = sys_get_temp_dir() . '/xhprof-shop-' . bin2hex(random_bytes(6));
        mkdir("$folder/runs", 0700, true);
        mkdir("$folder/sessions", 0700, true);

        return [$folder, "$folder/runs"];
    }

    /**
     * @param list<string> $arguments of PHP
     * @param array<string, string> $environment
     * @param list<string> $settings
     * @param array<int, resource> $pipes are set
     * @return resource
     */
    private static function start(
        array $arguments,
        array $environment,
        array $settings,
        bool $hasExtension,
        array &$pipes = [],
    ) {
        $library = dirname(__DIR__, 3) . '/extension/modules/xhprof.so';
        $options = $hasExtension ? ["extension=$library", ...$settings] : ['error_reporting=-1'];
        $command = [PHP_BINARY];
        foreach ($options as $option) {
            array_push($command, '-d', $option);
        }
        $process = proc_open(
            [...$command, ...$arguments],
            $arguments[0] === '-S'
                ? [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']]
                : [['file', '/dev/null', 'r'], ['pipe', 'w'], ['pipe', 'w']],
            $pipes,
            __DIR__,
            $environment + ['XDEBUG_MODE' => 'off'] + getenv(),
        );

        return $process ?: throw new \RuntimeException('PHP could not be started');
    }

    private static function freePort(): int
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0') ?: throw new \RuntimeException('no free port');
        $name = (string) stream_socket_get_name($socket, false);
        fclose($socket);

        return (int) substr($name, (int) strrpos($name, ':') + 1);
    }
}
