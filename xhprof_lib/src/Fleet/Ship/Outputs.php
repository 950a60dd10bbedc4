<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Fleet\ClickHouse\ClickHouseOutput;
use XHProf\Fleet\ClickHouse\Client;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Output;
use XHProf\Fleet\Peer\OtlpCollector;
use XHProf\Fleet\Peer\PrometheusFile;
use XHProf\Fleet\Peer\PrometheusImport;
use XHProf\Fleet\Peer\Pyroscope;
use XHProf\Fleet\WrongAddress;

/** The outputs that there are, by the schemes of their addresses. */
final class Outputs
{
    /**
     * An output is a line here: every scheme of its addresses, and what makes it.
     *
     * @return array<string, \Closure(Destination): Output>
     */
    private static function all(): array
    {
        $pyroscope = static fn (Destination $to): Output => new Pyroscope($to);
        $otlp = static fn (Destination $to): Output => new OtlpCollector($to);
        $import = static fn (Destination $to): Output => new PrometheusImport($to);

        return [
            ...array_fill_keys(Client::schemes(), static fn (Destination $to): Output => ClickHouseOutput::fromDestination($to)),
            ...array_fill_keys(Pyroscope::SCHEMES, $pyroscope),
            ...array_fill_keys(OtlpCollector::SCHEMES, $otlp),
            ...array_fill_keys(PrometheusImport::SCHEMES, $import),
            PrometheusFile::SCHEME => static fn (Destination $to): Output => new PrometheusFile($to),
        ];
    }

    /** @return list<string> */
    public static function schemes(): array
    {
        return array_keys(self::all());
    }

    /**
     * @param bool $experimental whether it may be one whose format can change with versions
     *
     * @throws WrongAddress if the address is not one of an output
     */
    public static function choose(Destination $to, bool $experimental = false): Output
    {
        if (!$experimental && in_array($to->scheme(), OtlpCollector::SCHEMES, true)) {
            throw new WrongAddress(OtlpCollector::ALPHA . ': --experimental sends them');
        }
        $make = self::all()[$to->scheme()]
            ?? throw new WrongAddress('--to takes an address that begins with ' . implode(', ', array_map(
                static fn (string $scheme): string => "$scheme:",
                self::schemes(),
            )));

        return $make($to);
    }
}
