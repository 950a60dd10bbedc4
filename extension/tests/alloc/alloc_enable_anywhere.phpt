--TEST--
Tracking begun and ended in destructors, handlers, callbacks, fibers, generators, and when the request is over
--FILE--
<?php
require __DIR__ . '/../alloc.inc';

function kept(): string { return $GLOBALS['kept'][] = str_repeat('x', 5000); }
function on(): void { getenv('WAY') === 'memprof' ? memprof_enable() : xhprof_enable(XHPROF_FLAGS_ALLOC); }

function off(): void
{
    foreach (xhprof_test_live(xhprof_test_dump(['types' => false])) as $path => [$bytes]) {
        fwrite(STDOUT, "$path $bytes\n"); // within an output handler, too
    }
    getenv('WAY') === 'memprof' ? memprof_disable() : xhprof_disable();
}

class Ends
{
    public function __construct(private Closure $do)
    {
    }

    public function __destruct() { ($this->do)(); }
}

if (isset($argv[1])) {
    $GLOBALS['kept'] = [null, null, null, null];
    [$start, $stop] = explode(' ', $argv[1]);
    $in = static function (string $where, callable $do): void {
        switch ($where) {
            case 'destructor':
                new Ends($do(...));
                break;
            case 'shutdown':
                register_shutdown_function($do);
                break;
            case 'end':
                $GLOBALS['ends'][] = new Ends($do(...));
                break;
            case 'output':
                ob_start(static function (string $s) use ($do): string {
                    $do();
                    return $s;
                });
                ob_end_flush();
                break;
            case 'late-output':
                ob_start(static function (string $s) use ($do): string {
                    $do();
                    return $s;
                });
                break;
            case 'error':
                set_error_handler(static fn (): bool => [$do(), true][1]);
                echo $undefined;
                restore_error_handler();
                break;
            case 'autoloader':
                spl_autoload_register($autoloader = static fn () => $do());
                class_exists("Missing$where" . mt_rand());
                spl_autoload_unregister($autoloader);
                break;
            case 'tick':
                register_tick_function($tick = static function () use ($do): void {
                    static $n = 0;
                    $n++ || $do();
                });
                eval('declare(ticks=1); $a = 1;');
                unregister_tick_function($tick);
                break;
            case 'signal':
                pcntl_async_signals(true);
                pcntl_signal(SIGUSR1, static fn () => $do());
                posix_kill(getmypid(), SIGUSR1);
                break;
            case 'fiber':
                $fiber = new Fiber(static function () use ($do): void {
                    Fiber::suspend();
                    $do();
                    Fiber::suspend();
                });
                $fiber->start();
                $fiber->resume();
                $GLOBALS['fibers'][] = $fiber;
                break;
            case 'generator':
                $g = (static function () use ($do): Generator {
                    yield 1;
                    yield $do();
                    yield 2;
                })();
                $g->next();
                $GLOBALS['generators'][] = $g;
                break;
            case 'callback':
                array_map(static fn () => array_map(static fn () => $do(), [1]), [1]);
                break;
            case 'exception':
                try {
                    (static function () use ($do): void {
                        try {
                            throw new Exception();
                        } finally {
                            $do();
                        }
                    })();
                } catch (Exception) {
                }
                break;
            case 'never':
                break;
            default:
                $do();
        }
    };
    $on = static function (): void {
        on();
        kept();
    };
    $off = static function (): void {
        kept();
        off();
    };
    $in($start, $on);
    kept();
    $in($stop, $off);
    echo "done\n";
    exit(0);
}
$places = ['plain', 'destructor', 'output', 'error', 'autoloader', 'tick', 'fiber', 'generator', 'callback', 'exception'];
if (function_exists('pcntl_async_signals') && function_exists('posix_kill')) {
    $places[] = 'signal';
}
$pairs = [];
foreach ($places as $start) {
    foreach ($places as $stop) {
        $pairs[] = "$start $stop";
    }
}
foreach (['shutdown', 'end', 'late-output'] as $start) {
    $pairs[] = "$start never";
    $pairs[] = "plain $start";
    $start === 'late-output' || $pairs[] = "$start $start"; // of these the last one comes first
}
array_push($pairs, 'shutdown end', 'shutdown late-output', 'end late-output');
$bad = 0;
foreach ($pairs as $n => $pair) {
    $way = $n % 2 ? 'memprof' : 'profile';
    $child = xhprof_test_child(__FILE__, [$pair], [], [], null, ['WAY' => $way] + getenv());
    preg_match_all('/^.*kept;str_repeat (\d+)$/m', $child['out'], $m);
    $sum = array_sum($m[1]);
    // Three strings of 8192 bytes, whatever came before and after.
    $late = preg_match('/shutdown|end|late|never/', $pair) === 1;
    if ($child['code'] !== 0 || $child['err'] !== '' || !str_contains($child['out'], 'done')
        || ($late ? !in_array($sum, [0, 8192, 16384, 24576], true) : $sum !== 24576) || str_contains($child['out'], 'Warning')) {
        echo "$way, $pair: exit code {$child['code']}, $sum B\n", $child['out'], $child['err'];
    }
}
echo count($pairs) > 100 ? 'many' : count($pairs), " pairs\n";
?>
--EXPECT--
many pairs
