<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use Opentelemetry\Proto\Collector\Profiles\V1development\ExportProfilesPartialSuccess;
use Opentelemetry\Proto\Collector\Profiles\V1development\ExportProfilesServiceRequest;
use Opentelemetry\Proto\Collector\Profiles\V1development\ExportProfilesServiceResponse;
use Opentelemetry\Proto\Profiles\V1development\Profile;
use Opentelemetry\Proto\Profiles\V1development\ProfilesDictionary;
use PHPUnit\Framework\TestCase;
use XHProf\Export\Otlp;
use XHProf\Fleet\Destination;
use XHProf\Fleet\Peer\OtlpCollector;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Ship\Outputs;
use XHProf\Fleet\Shipment;
use XHProf\Fleet\Unavailable;
use XHProf\Fleet\WrongAddress;
use XHProf\Profile\CallTree;
use XHProf\Run\MadeRun;
use XHProf\Run\RunId;
use XHProf\Run\RunMeta;
use XHProf\Tests\Lib\Support\StoreServer;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/StoreServer.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Runs as OpenTelemetry's profiles: read with the classes that its own definition generates. */
final class ShipOtlpTest extends TestCase
{
    use TemporaryFolder;

    private const FROM = 1763680000.25;

    /** @param array<string, int> $more of its metadata */
    private static function shipped(CallTree $tree, bool $isSingle = false, array $more = []): Shipment
    {
        $of = $isSingle ? [
            'mode' => 'exact', 'route' => 'GET /x',
            'trace_id' => '4bf92f3577b34da6a3ce929d0e0e4736', 'span_id' => '00f067aa0ba902b7',
        ] : [
            'mode' => 'aggregate', 'samples' => 15, 'sample_interval_us' => 10000,
            'aggregate' => ['seconds' => 60, 'from' => 1763680000, 'to' => 1763680060, 'routes' => []],
        ];
        $meta = RunMeta::fromArray(
            ['ts' => self::FROM, 'duration_us' => 60_000_000, 'host' => 'web-1', 'php' => '8.2.36'] + $of + $more,
        );
        $run = new MadeRun(RunId::fromStrings('r1', 'web'), 'r1', $meta, $tree);

        return new Shipment('web-1/r1', 'shop', 'live', ['team' => "a\"b\\\n"], $run);
    }

    private static function window(): CallTree
    {
        return CallTree::fromArray([
            'names' => ['main()', 'GET /', 'f', 'GET /x', "g\xFF"],
            'fn' => [0, 1, 2, 4, 2, 3, 2],
            'depth' => [0, 1, 2, 3, 4, 1, 2],
            'ct' => [0, 0, 1, 2, 4, 0, 8],
            'self' => ['wt' => [0, 5_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000, 0, 8_000_000_000]],
        ]);
    }

    /** @param non-empty-list<Shipment> $runs */
    private function sent(array $runs, string ...$answers): StoreServer
    {
        $server = StoreServer::start("$this->folder/server");
        try {
            $server->answers(...$answers);
            (new OtlpCollector(new Destination("otlp+http://$server->address/")))->send($runs);
        } finally {
            $server->stop();
        }

        return $server;
    }

    private static function request(StoreServer $server, int $index = 0): ExportProfilesServiceRequest
    {
        $request = new ExportProfilesServiceRequest();
        $request->mergeFromString((string) gzdecode($server->requests()[$index]['body']));

        return $request;
    }

    private static function dictionary(ExportProfilesServiceRequest $request): ProfilesDictionary
    {
        return $request->getDictionary() ?? throw new \LogicException('there is no dictionary');
    }

    /** @return array<string, string> */
    private static function resource(ExportProfilesServiceRequest $request): array
    {
        $found = [];
        foreach ($request->getResourceProfiles()[0]->getResource()?->getAttributes() ?? [] as $attribute) {
            $found[$attribute->getKey()] = (string) $attribute->getValue()?->getStringValue();
        }

        return $found;
    }

    /** @return array<string, Profile> by "type/unit" */
    private static function profiles(ExportProfilesServiceRequest $request): array
    {
        self::assertCount(1, $request->getResourceProfiles());
        self::assertCount(1, $request->getResourceProfiles()[0]->getScopeProfiles());
        $strings = self::dictionary($request)->getStringTable();
        $found = [];
        foreach ($request->getResourceProfiles()[0]->getScopeProfiles()[0]->getProfiles() as $profile) {
            $type = $profile->getSampleType();
            self::assertNotNull($type);
            $found[$strings[$type->getTypeStrindex()] . '/' . $strings[$type->getUnitStrindex()]] = $profile;
        }

        return $found;
    }

    /** @return array<string, int> by "leaf:line < caller:line {attribute=value}" */
    private static function samples(Profile $profile, ProfilesDictionary $all): array
    {
        $strings = $all->getStringTable();
        $found = [];
        foreach ($profile->getSamples() as $sample) {
            $frames = [];
            foreach ($all->getStackTable()[$sample->getStackIndex()]->getLocationIndices() as $index) {
                $line = $all->getLocationTable()[$index]->getLines()[0];
                $function = $all->getFunctionTable()[$line->getFunctionIndex()];
                $frames[] = $strings[$function->getNameStrindex()] . ($line->getLine() > 0 ? ":{$line->getLine()}" : '');
            }
            $text = implode(' < ', $frames);
            foreach ($sample->getAttributeIndices() as $index) {
                $attribute = $all->getAttributeTable()[$index];
                $text .= " {{$strings[$attribute->getKeyStrindex()]}={$attribute->getValue()?->getStringValue()}}";
            }
            self::assertArrayNotHasKey($text, $found);
            self::assertCount(1, $sample->getValues());
            $found[$text] = (int) $sample->getValues()[0];
        }

        return $found;
    }

    public function testAWindowHasAProfileForEachMetricAndItsRoutesAsAttributes(): void
    {
        $server = $this->sent([self::shipped(self::window())]);
        [$posted] = $server->requests();
        self::assertSame('/v1development/profiles', $posted['path']);
        self::assertSame('application/x-protobuf', $posted['headers']['content-type']);
        self::assertSame('gzip', $posted['headers']['content-encoding']);
        $request = self::request($server);
        self::assertSame([
            'service.name' => 'shop', 'deployment.environment.name' => 'live', 'host.name' => 'web-1',
            'process.runtime.name' => 'php', 'process.runtime.version' => '8.2.36', 'xhprof.source' => 'web',
            'xhprof.label.team' => "a\"b\\\n",
        ], self::resource($request));
        $profiles = self::profiles($request);
        self::assertSame(['wall/nanoseconds', 'calls/count'], array_keys($profiles));
        $wall = $profiles['wall/nanoseconds'];
        self::assertSame([
            'GET / < main() {route=GET /}' => 5_000_000,
            'f < GET / < main() {route=GET /}' => 1_000_000_000,
            'g\xFF < f < GET / < main() {route=GET /}' => 2_000_000_000,
            'f < g\xFF < f < GET / < main() {route=GET /}' => 4_000_000_000,
            'f < GET /x < main() {route=GET /x}' => 8_000_000_000,
        ], self::samples($wall, self::dictionary($request)));
        self::assertSame([1, 2, 4, 8], array_values(self::samples($profiles['calls/count'], self::dictionary($request))));
        self::assertSame(1763680000250000000, (int) $wall->getTimeUnixNano());
        self::assertSame(60_000_000_000, (int) $wall->getDurationNano());
        self::assertSame(10_000_000, (int) $wall->getPeriod());
        self::assertSame(16, strlen($wall->getProfileId()));
        self::assertNotSame($wall->getProfileId(), $profiles['calls/count']->getProfileId());
    }

    /** By what the definition says of index 0, of duplicates and of what nothing refers to. */
    public function testTheDictionaryIsAsItsDefinitionWants(): void
    {
        $all = self::dictionary(self::request($this->sent([self::shipped(self::window())])));
        $tables = [
            $all->getMappingTable(), $all->getLocationTable(), $all->getFunctionTable(), $all->getAttributeTable(),
            $all->getStackTable(),
        ];
        foreach ($tables as $table) {
            self::assertSame('', $table[0]->serializeToString());
            $entries = array_map(static fn (object $entry): string => $entry->serializeToString(), iterator_to_array($table));
            self::assertSame($entries, array_unique($entries));
        }
        self::assertSame('', $all->getStringTable()[0]);
        self::assertSame([16, 8], [
            strlen($all->getLinkTable()[0]->getTraceId()), strlen($all->getLinkTable()[0]->getSpanId()),
        ]);
        self::assertCount(1, $all->getMappingTable());
        self::assertCount(6, $all->getFunctionTable());
        self::assertCount(6, $all->getStackTable());
        self::assertCount(3, $all->getAttributeTable());
        self::assertCount(1, $all->getLinkTable());
    }

    public function testASingleRunHasLinesPlacesItsTraceAndFreedMemory(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f', 'g'], 'fn' => [0, 1, 2, 2], 'depth' => [0, 1, 2, 1], 'ct' => [1, 2, 3, 4],
            'self' => ['wt' => [1, 2, 3, 4], 'mu' => [0, 100, -70, 0]], 'call_line' => [0, 7, 8, 9],
            'files' => ['/app/f.php'], 'file' => [-1, 0, -1], 'line' => [0, 3, 0], 'last_line' => [0, 9, 0],
        ]);
        $request = self::request($this->sent([self::shipped($tree, true)]));
        $all = self::dictionary($request);
        $profiles = self::profiles($request);
        self::assertSame(
            ['main()' => 1, 'f < main():7' => 2, 'g < f:8 < main():7' => 3, 'g < main():9' => 4],
            self::samples($profiles['wall/nanoseconds'], $all),
        );
        self::assertSame(['f < main():7' => 100, 'g < f:8 < main():7' => -70], self::samples($profiles['memory/bytes'], $all));
        self::assertSame(0, (int) $profiles['wall/nanoseconds']->getPeriod());
        $places = [];
        foreach ($all->getFunctionTable() as $function) {
            $name = $all->getStringTable()[$function->getNameStrindex()];
            $places[$name] = [$all->getStringTable()[$function->getFilenameStrindex()], (int) $function->getStartLine()];
        }
        self::assertEquals(['' => ['', 0], 'main()' => ['', 0], 'f' => ['/app/f.php', 3], 'g' => ['', 0]], $places);
        $link = $all->getLinkTable()[$profiles['wall/nanoseconds']->getSamples()[0]->getLinkIndex()];
        self::assertSame(
            ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'],
            [bin2hex($link->getTraceId()), bin2hex($link->getSpanId())],
        );
        self::assertSame('GET /x', self::resource($request)['xhprof.route']);
    }

    public function testATimeInWhichARunWasSuspendedIsAnAttributeOfItsProfiles(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 2],
            'self' => ['wt' => [1, 2], 'cpu' => [1, 1]],
        ]);
        $server = $this->sent([
            self::shipped($tree, true, ['elapsed_us' => 90_000_100, 'suspended_us' => 30_000_000]), self::shipped($tree, true),
        ]);
        $request = self::request($server);
        $all = self::dictionary($request);
        $profiles = self::profiles($request);
        self::assertSame(['wall/nanoseconds', 'cpu/nanoseconds', 'calls/count'], array_keys($profiles));
        foreach ($profiles as $profile) {
            [$index] = iterator_to_array($profile->getAttributeIndices());
            $attribute = $all->getAttributeTable()[$index];
            self::assertSame(['xhprof.suspended', 30_000_000_000, 'nanoseconds'], [
                $all->getStringTable()[$attribute->getKeyStrindex()], (int) $attribute->getValue()?->getIntValue(),
                $all->getStringTable()[$attribute->getUnitStrindex()],
            ]);
            // From begin to end.
            self::assertSame(90_000_000_000, (int) $profile->getDurationNano());
        }
        self::assertCount(2, $all->getAttributeTable());
        $never = self::profiles(self::request($server, 1))['wall/nanoseconds'];
        self::assertSame([0, 60_000_000_000], [count($never->getAttributeIndices()), (int) $never->getDurationNano()]);
    }

    public function testARunThatComesAgainHasTheSameProfileIds(): void
    {
        $run = self::shipped(self::window());
        $server = $this->sent([$run, $run]);
        self::assertSame($server->requests()[0]['body'], $server->requests()[1]['body']);
    }

    public function testVeryDeepPathsEndInDeeper(): void
    {
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f'], 'fn' => [0, ...array_fill(0, 1200, 1)], 'depth' => range(0, 1200),
            'ct' => array_fill(0, 1201, 1), 'self' => ['wt' => array_fill(0, 1201, 1)],
        ]);
        $request = self::request($this->sent([self::shipped($tree, true)]));
        $longest = 0;
        foreach (self::dictionary($request)->getStackTable() as $stack) {
            $longest = max($longest, count($stack->getLocationIndices()));
        }
        self::assertSame(961, $longest);
        self::assertContains('(deeper)', iterator_to_array(self::dictionary($request)->getStringTable()));
    }

    public function testWhatTheReceiverRefusesIsRejected(): void
    {
        $part = new ExportProfilesPartialSuccess();
        $part->setRejectedProfiles(2);
        $part->setErrorMessage('too old');
        $answer = new ExportProfilesServiceResponse();
        $answer->setPartialSuccess($part);
        $this->expectException(Rejected::class);
        $this->expectExceptionMessage('has refused 2 profiles of run r1');
        $this->sent([self::shipped(self::window())], "200\t" . addcslashes($answer->serializeToString(), "\0..\37\\"));
    }

    public function testAWarningOfTheReceiverIsNoRefusal(): void
    {
        $part = new ExportProfilesPartialSuccess();
        $part->setErrorMessage('be careful');
        $answer = new ExportProfilesServiceResponse();
        $answer->setPartialSuccess($part);
        self::assertSame(0, Otlp::refused($answer->serializeToString()));
        $others = ['', 'so', "\x0A", "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", "\x0A\x02\x08", '<html>'];
        foreach ($others as $garbage) {
            self::assertSame(0, Otlp::refused($garbage));
        }
    }

    public function testAReceiverThatIsAwayIsTriedAgain(): void
    {
        $this->expectException(Unavailable::class);
        $this->sent([self::shipped(self::window())], '503');
    }

    public function testOnlyWhoAsksForItSendsAFormatThatMayChange(): void
    {
        $to = new Destination('otlp+https://collector.example');
        self::assertSame('otlp+https://collector.example', Outputs::choose($to, true)->name());
        $this->expectException(WrongAddress::class);
        $this->expectExceptionMessage('profiles in OTLP are alpha (opentelemetry-proto 1.11.1): --experimental sends them');
        Outputs::choose($to);
    }
}
