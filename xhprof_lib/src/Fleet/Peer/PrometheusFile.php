<?php

declare(strict_types=1);

namespace XHProf\Fleet\Peer;

use XHProf\Exception\StoreError;
use XHProf\File\Folder;
use XHProf\File\OpenFile;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Output;
use XHProf\Fleet\Unavailable;
use XHProf\Fleet\WrongAddress;

/**
 * A file for the textfile collector of Prometheus' node_exporter: counters that grow with every window. It holds the keys of the
 * runs that were added last, so that runs that are sent again, in whichever batches, count once.
 */
final class PrometheusFile implements Output
{
    public const SCHEME = 'prometheus-text';

    private const PREFIX = 'xhprof_';
    private const KEYS = '# xhprof keys ';
    private const LEFT_OUT = 'xhprof_series_left_out_total';

    /** Bytes of the longest line. */
    private const MAX_BYTES = 1 << 20;

    /** Keys that stay, the newest; those of a larger batch all stay. In lines of a bounded length. */
    private const MOST_KEYS = 1000;
    private const KEYS_OF_LINE = 100;

    /** Series; figures of further ones are left out and counted. */
    private const MOST_SERIES = 10000;

    private readonly string $path;

    /** @throws WrongAddress if it names no file of that kind */
    public function __construct(Destination $to)
    {
        $this->path = substr($to->url, strlen(self::SCHEME) + 1);
        if (!str_starts_with($this->path, '/') || !str_ends_with($this->path, '.prom')) {
            throw new WrongAddress('--to=' . self::SCHEME . ':FILE takes an absolute path that ends in ".prom"');
        }
    }

    public function name(): string
    {
        return self::SCHEME . ":$this->path";
    }

    public function send(array $shipments): void
    {
        try {
            [$series, $keys] = $this->read();
            foreach ($shipments as $shipment) {
                $isKnown = isset($keys[$shipment->key]);
                // Behind the others: it was sent last.
                unset($keys[$shipment->key]);
                $keys[$shipment->key] = true;
                foreach ($isKnown ? [] : WindowFigures::fromShipment($shipment) as [$name, $labels, $value]) {
                    $key = Exposition::series(self::PREFIX . self::counter($name), $labels);
                    if (!isset($series[$key]) && count($series) >= self::MOST_SERIES) {
                        $key = self::LEFT_OUT . '{}';
                        $value = 1;
                    }
                    $series[$key] = ($series[$key] ?? 0) + $value;
                }
            }
            $kept = max(self::MOST_KEYS, count($shipments));
            $this->write($series, array_slice($keys, -$kept, preserve_keys: true));
        } catch (StoreError $e) {
            throw new Unavailable($e->getMessage(), null, $e);
        }
    }

    /** Counters end in _total, parts of a histogram do not. */
    private static function counter(string $name): string
    {
        return str_starts_with($name, WindowFigures::HISTOGRAM . '_') ? $name : "{$name}_total";
    }

    /**
     * @return array{array<string, int|float>, array<string, true>} values by series, and keys of the runs that came last, the
     *     newest last
     *
     * @throws StoreError
     */
    private function read(): array
    {
        if (!file_exists($this->path)) {
            return [[], []];
        }
        $series = $keys = [];
        $file = OpenFile::named($this->path);
        while (($line = fgets($file->stream, self::MAX_BYTES)) !== false) {
            $line = rtrim($line, "\n");
            if (str_starts_with($line, self::KEYS)) {
                $list = json_decode(substr($line, strlen(self::KEYS)), true, 2);
                $keys += array_fill_keys(array_filter(is_array($list) ? $list : [], is_string(...)), true);
            } elseif (preg_match('/\A(' . self::PREFIX . '.*\}) ([0-9.]+)\z/s', $line, $match) === 1) {
                $series[$match[1]] = str_contains($match[2], '.') ? (float) $match[2] : (int) $match[2];
            }
        }

        return [$series, $keys];
    }

    /**
     * @param array<string, int|float> $series
     * @param array<string, true>      $keys
     *
     * @throws StoreError
     */
    private function write(array $series, array $keys): void
    {
        ksort($series);
        $text = '';
        foreach (array_chunk(array_map(strval(...), array_keys($keys)), self::KEYS_OF_LINE) as $part) {
            $text .= self::KEYS . json_encode($part, JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR) . "\n";
        }
        $last = '';
        foreach ($series as $key => $value) {
            $name = (string) strtok($key, '{');
            $histogram = self::PREFIX . WindowFigures::HISTOGRAM;
            $family = str_starts_with($name, $histogram) ? $histogram : $name;
            if ($family !== $last) {
                $help = WindowFigures::HELP[(string) preg_replace('/\A' . self::PREFIX . '|_total\z/', '', $family)]
                    ?? 'Figures of series for which there was no room.';
                $text .= "# HELP $family $help\n# TYPE $family " . ($family === $name ? 'counter' : 'histogram') . "\n";
                $last = $family;
            }
            $text .= "$key " . Exposition::number($value) . "\n";
        }
        // node_exporter runs as another user.
        Folder::replace($this->path, $text, true);
    }
}
