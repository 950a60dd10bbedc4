<?php

declare(strict_types=1);

namespace XHProf\Export;

use XHProf\File\Sink;
use XHProf\Functions\FlatReport;
use XHProf\Functions\FunctionPlaces;
use XHProf\Functions\Recursion;
use XHProf\Profile\EdgeKey;
use XHProf\Profile\Metrics;
use XHProf\Profile\Profile;
use XHProf\Run\Run;

/**
 * The format of valgrind's callgrind: per function its exclusive costs, per call of another function the inclusive costs of
 * that call. Levels of a recursion ("f@1") are one function; only its outermost calls have a cost, so that nothing counts
 * twice.
 *
 * @link https://valgrind.org/docs/manual/cl-format.html
 */
final class Callgrind implements Format
{
    public const NAME = 'callgrind';
    public const EXTENSION = 'callgrind.out';
    public const MIME_TYPE = 'application/octet-stream';
    public const LABEL = 'Callgrind';
    public const OPENS = 'KCachegrind, QCachegrind, callgrind_annotate: callers, callees and call graphs';

    /** @var array<string, true> functions whose name is already in the file */
    private array $written = [];

    /** @var array<string, int> */
    private array $numbers = [];

    /** @var array<string, int> numbers of the files that are already in it */
    private array $files = [];

    private FunctionPlaces $places;

    /** Whether times are nanoseconds. */
    private bool $isExact = false;

    public function write(Run $run, Sink $out, ?string $metric = null): void
    {
        $metrics = ExportColumn::metrics($run, $metric);
        $this->written = [];
        $this->numbers = [];
        $this->files = [];
        $this->places = FunctionPlaces::ofTree($run->tree());
        $this->isExact = $run->profile()->isExact();
        $calls = self::calls($run->profile());
        $rows = FlatReport::compute($run->profile(), true)->rows();
        $out->write("# callgrind format\nversion: 1\ncreator: xhprof\npid: " . ($run->meta()->origin->pid ?? 0) . "\n");
        $out->write('cmd: ' . Utf8Names::line($run->title()) . "\npart: 1\n");
        $times = $this->isExact ? 'Nanoseconds' : 'Microseconds';
        $out->write("desc: $times and bytes; a function that gave memory back costs 0 bytes.\n");
        foreach ($run->meta()->notes() as $key => $note) {
            $out->write("desc: $key: $note\n");
        }
        $columns = $metrics === [] ? ['ct'] : $metrics;
        $events = array_map(fn (string $metric): string => Metrics::of($metric)->callgrindEvent($this->isExact), $columns);
        $out->write("positions: line\nevents: " . implode(' ', $events) . "\n");
        $sums = $this->sums($rows, $metrics);
        $out->write('summary: ' . implode(' ', $sums) . "\n\nfl={$this->file('php')}\n");
        $file = 'php';
        foreach ($rows as $name => $row) {
            [$path, $line] = $this->place($name);
            $out->write("\n" . ($path === $file ? '' : "fl={$this->file($path)}\n") . 'fn=' . $this->function($name));
            $file = $path;
            $out->write("\n$line " . implode(' ', $this->costs($row, $metrics, 'excl_')) . "\n");
            foreach ($calls[$name] ?? [] as $callee => $call) {
                $callee = (string) $callee;
                [$to, $first] = $this->place($callee);
                $out->write(($to === $file ? '' : "cfi={$this->file($to)}\n") . 'cfn=' . $this->function($callee));
                $out->write("\ncalls=" . (int) round($call['ct']) . " $first\n{$this->places->callLine($name, $callee)} ");
                $out->write(implode(' ', $this->costs($call, $metrics, '')) . "\n");
            }
        }
        $out->write("\ntotals: " . implode(' ', $sums) . "\n");
    }

    /**
     * @return array<string, array<string, array<string, int|float>>> caller => callee => figures
     */
    private static function calls(Profile $profile): array
    {
        $edges = $profile->edges();
        $outermost = [];
        foreach ($edges as $key => $_) {
            $callee = EdgeKey::parse($key)[1];
            $function = Recursion::base($callee);
            $outermost[$function] = min($outermost[$function] ?? PHP_INT_MAX, Recursion::level($callee));
        }
        $calls = [];
        foreach ($edges as $key => $row) {
            [$caller, $callee] = EdgeKey::parse($key);
            if ($caller === null) {
                continue;
            }
            [$from, $to] = [Recursion::base($caller), Recursion::base($callee)];
            $isWithin = $from === $to || Recursion::level($callee) > $outermost[$to];
            foreach ($row as $column => $value) {
                $value = $isWithin && $column !== 'ct' ? 0 : $value;
                $calls[$from][$to][$column] = ($calls[$from][$to][$column] ?? 0) + $value;
            }
        }

        return $calls;
    }

    /** @return array{string, int} file and line of a function; the file is "php" where it is not known */
    private function place(string $name): array
    {
        $place = $this->places->find($name);

        return [$place->file ?? 'php', $place->line ?? 0];
    }

    /** "(3) path", and later "(3)". */
    private function file(string $path): string
    {
        $isNew = !isset($this->files["\0$path"]);
        $number = $this->files["\0$path"] ??= count($this->files) + 1;

        return $isNew ? "($number) " . Utf8Names::line($path) : "($number)";
    }

    /** "(3) name", and later "(3)". */
    private function function(string $name): string
    {
        $number = $this->numbers[$name] ??= count($this->numbers) + 1;
        if (isset($this->written[$name])) {
            return "($number)";
        }
        $this->written[$name] = true;

        return "($number) " . Utf8Names::line($name);
    }

    /**
     * @param array<string, int|float> $row those of a mean are rounded
     * @param list<string>       $metrics
     *
     * @return non-empty-list<int> costs are counts: none is below 0
     */
    private function costs(array $row, array $metrics, string $prefix): array
    {
        $costs = [];
        foreach ($metrics as $metric) {
            $perUnit = $this->isExact && Metrics::isTime($metric) ? 1000 : 1;
            $costs[] = max(0, (int) round(($row[$prefix . $metric] ?? 0) * $perUnit));
        }

        return $costs === [] ? [(int) round($row['ct'])] : $costs;
    }

    /**
     * @param array<string, array<string, int|float>> $rows
     * @param list<string>                            $metrics
     *
     * @return non-empty-array<int, int> sum of the functions' exclusive costs
     */
    private function sums(array $rows, array $metrics): array
    {
        $sums = array_fill(0, max(1, count($metrics)), 0);
        foreach ($rows as $row) {
            foreach ($this->costs($row, $metrics, 'excl_') as $i => $cost) {
                $sums[$i] += $cost;
            }
        }

        return $sums;
    }
}
