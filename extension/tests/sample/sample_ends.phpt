--TEST--
Sampling ends with the program, however that ends, and may be started again; nothing is left running
--FILE--
<?php
require __DIR__ . '/../lib.inc';

/**
 * How many threads this process has beside $usual; a thread that has ended may be listed for a moment.
 *
 * @param int $usual as many as a PHP without xhprof has: an emulator of another processor adds its own
 */
function threads(int $usual, int $wanted): int
{
    if (!is_dir('/proc/self/task')) {
        return $wanted;
    }
    for ($i = 0; $i < 1000; $i++) {
        $threads = xhprof_test_threads() - $usual;
        if ($threads === $wanted) {
            break;
        }
        usleep(1000);
    }
    return $threads;
}

/** Works until there are as many samples of it. */
function spins(int $samples): void
{
    for (; $samples > 0; $samples--) {
        $since = xhprof_test_looks();
        do {
            for ($i = 0, $x = 0; $i < 50_000; $i++) {
                $x ^= $i;
            }
        } while (!xhprof_test_looked($since));
    }
}

function throws(int $n): void
{
    spins(1);
    if ($n === 0) {
        throw new RuntimeException('deep');
    }
    try {
        throws($n - 1);
    } finally {
        spins(1);
    }
}

switch ($argv[1] ?? '') {
    case 'usual':
        echo xhprof_test_threads();
        exit(0);
    case 'twice':
        $usual = (int) $argv[2];
        echo threads($usual, 0);
        for ($i = 0; $i < 2; $i++) {
            xhprof_sample_enable();
            xhprof_sample_enable();
            echo threads($usual, 1);
            spins(10);
            $samples = xhprof_sample_disable();
            echo threads($usual, 0), ' ', count(preg_grep('/^main\(\)==>spins/', $samples)) >= 10 ? 'samples' : count($samples), ' ';
        }
        for ($i = 0; $i < 300; $i++) {
            xhprof_sample_enable();
            xhprof_sample_disable();
        }
        echo threads($usual, 0), "\n";
        exit(0);
    case 'exception':
        xhprof_sample_enable();
        try {
            throws(5);
        } catch (RuntimeException $e) {
            echo $e->getMessage(), ' ';
        }
        $samples = implode("\n", xhprof_sample_disable());
        echo str_contains($samples, 'main()==>throws==>throws@1==>throws@2==>throws@3==>throws@4==>throws@5==>spins')
            && preg_match('/^main\(\)==>throws==>spins/m', $samples) ? 'samples' : $samples, "\n";
        exit(0);
    case 'uncaught':
        xhprof_sample_enable();
        ini_set('display_errors', '0');
        throws(5);
        // no break
    case 'exit':
        xhprof_sample_enable();
        register_shutdown_function(static function (): void {
            spins(10);
            $samples = xhprof_sample_disable();
            echo count(preg_grep('/^main\(\)==>{closure[^>]*}==>spins/', $samples)) >= 10 ? 'samples' : json_encode($samples), "\n";
        });
        array_map(static function (): void {
            spins(1);
            exit(3);
        }, [1]);
        // no break
    case 'fatal':
        xhprof_sample_enable();
        ini_set('display_errors', '0');
        register_shutdown_function(static function (): void {
            $message = error_get_last()['message'];
            echo str_contains($message, 'Cannot redeclare ') ? 'fatal' : $message, "\n";
        });
        spins(1);
        eval('function spins() {}');
        // no break
    case 'memory':
        xhprof_sample_enable();
        ini_set('display_errors', '0');
        ini_set('memory_limit', '16M');
        register_shutdown_function(static function (): void {
            $GLOBALS['s'] = null; // the samples want some memory, on a busy machine more
            spins(10);
            echo count(xhprof_sample_disable()) >= 10 ? 'samples' : 'none', "\n";
        });
        $s = [];
        while (true) {
            $s[] = str_repeat('x', 10_000);
        }
        // no break
    case 'time':
        xhprof_sample_enable();
        ini_set('display_errors', '0');
        register_shutdown_function(static function (): void {
            $message = error_get_last()['message'];
            echo str_contains($message, 'Maximum execution time') ? 'time' : $message, "\n";
        });
        set_time_limit(1);
        while (true) {
        }
        // no break
    case 'late':
        // Output is flushed while the request ends.
        xhprof_sample_enable();
        ob_start(static function (string $buffer): string {
            xhprof_sample_disable();
            @xhprof_sample_enable();
            return $buffer . 'end';
        });
        echo "late\n";
        exit(0);
}
$usual = xhprof_test_child(__FILE__, ['usual'], profiler: false)['out'];
foreach (['twice' => 0, 'exception' => 0, 'uncaught' => 255, 'exit' => 3, 'fatal' => 255, 'memory' => 255, 'time' => 255, 'late' => 0] as $how => $code) {
    echo "-- $how\n";
    xhprof_test_show(xhprof_test_child(__FILE__, [$how, $usual], ['xhprof.sampling_interval' => 1000, 'max_execution_time' => 0]), $code);
}
?>
--EXPECT--
-- twice
010 samples 10 samples 0
-- exception
deep samples
-- uncaught
-- exit
samples
-- fatal
fatal
-- memory
samples
-- time
time
-- late
late
end
