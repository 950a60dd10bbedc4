--TEST--
A program can not tell that it is profiled: backtraces, arguments, results, its memory
--FILE--
<?php
require __DIR__ . '/../lib.inc';

class Probe
{
    public array $seen = [];

    public function __call(string $name, array $args): static
    {
        $this->seen[] = [$name, $args, count(debug_backtrace())];
        return $this;
    }

    public function variadic(int ...$n): array
    {
        return [func_get_args(), func_num_args(), (new Exception())->getTraceAsString()];
    }

    public function &reference(array &$a): mixed { return $a[0]; }
}

function probe(): string
{
    $p = new Probe();
    $out = [];
    $p->one(1)->two();
    $out[] = $p->seen;
    $out[] = $p->variadic(1, 2, 3);
    $out[] = array_map($p->variadic(...), [4, 5]);
    $a = [1];
    $r = &$p->reference($a);
    $r = 5;
    $out[] = $a;
    $g = (function () {
        $x = yield debug_backtrace(DEBUG_BACKTRACE_IGNORE_ARGS);
        return [$x, (new Exception())->getTraceAsString()];
    })();
    $out[] = $g->current();
    $g->send('sent');
    $out[] = $g->getReturn();
    $f = new Fiber(function (int $x): string {
        $y = Fiber::suspend((new Exception())->getTraceAsString());
        return (new Exception())->getTraceAsString() . $x . $y;
    });
    $out[] = $f->start(3);
    $f->resume('resumed');
    $out[] = $f->getReturn();
    try {
        array_map(function (): never {
            throw new LogicException();
        }, [1]);
    } catch (LogicException $e) {
        $out[] = $e->getTraceAsString();
    }
    return str_replace(['xhprof_enable', "\n"], '', json_encode($out));
}

$plain = '';
$profiled = '';
for ($i = 0; $i < 2; $i++) {
    $plain = probe();
    foreach ([0, XHPROF_FLAGS_CPU | XHPROF_FLAGS_MEMORY, XHPROF_FLAGS_NO_BUILTINS] as $flags) {
        xhprof_enable($flags);
        $profiled = probe();
        xhprof_disable();
        // The two calls above stand on other lines.
        $lines = '/program_unchanged\.php\(6\d\)|"line":6\d/';
        echo preg_replace($lines, '', $plain) === preg_replace($lines, '', $profiled) ? 'same' : "$plain\n$profiled", "\n";
    }
}
?>
--EXPECT--
same
same
same
same
same
same
