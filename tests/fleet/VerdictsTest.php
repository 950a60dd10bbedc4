<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Tests\Lib\Support\StoreServer;
use XHProf\Tools\Servers\Folder;

require_once __DIR__ . '/FleetTestCase.php';
require_once __DIR__ . '/../lib/Support/StoreServer.php';

/** What got slower is posted once, has an owner, and can be muted. */
final class VerdictsTest extends FleetTestCase
{
    private const ROUTE = 'GET /products/{id}';
    private const FUNCTION = 'PDO::prepare';

    public function testWhatIsNewIsPostedAndWhatIsMutedIsNot(): void
    {
        $this->init();
        $plan = new Plan(41, hosts: 6, windows: 4, route: self::ROUTE, function: self::FUNCTION, growth: 1.0, badHosts: 0);
        $this->send(self::listed((new Simulation(self::real(), $plan))->runs()));
        $folder = new Folder();
        $server = StoreServer::start("$folder->path/server");
        $hook = ["--webhook=http://$server->address/T0KEN", '--save'];

        // Refused: nothing is saved, so it is posted the next time.
        $server->answers('400');
        $text = $this->judge($hook, 4);
        self::assertStringContainsString("not delivered: the webhook at $server->address refuses", $text);
        self::assertStringNotContainsString('T0KEN', $text);
        self::assertSame([], $this->json(['verdicts'])['rows']);

        self::assertStringContainsString(self::FUNCTION, $this->judge([...$hook, '--fail-on-regressions'], 3));
        $posted = json_decode($server->requests()[1]['body'], true);
        self::assertIsArray($posted);
        self::assertSame([Plan::SERVICE, Plan::OLD, Plan::NEW, 1, 0], [
            $posted['service'], $posted['base'], $posted['release'], $posted['slower_total'], $posted['muted_total'],
        ]);
        self::assertSame([self::ROUTE, self::FUNCTION], [$posted['slower'][0]['route'], $posted['slower'][0]['function']]);
        self::assertStringContainsString(self::FUNCTION . ' of ' . self::ROUTE . ': +', $posted['text']);
        $verdict = ((array) $this->json(['verdicts', '--service=shop'])['rows'])[0];
        self::assertSame([self::ROUTE, self::FUNCTION, Plan::NEW, 'slower', ''], [
            $verdict['route'], $verdict['function'], $verdict['release'], $verdict['state'], $verdict['note'],
        ]);
        // It is known now.
        $this->judge([...$hook, '--fail-on-regressions'], 3);
        self::assertCount(2, $server->requests());
        // Without --save it is posted each time.
        $this->ask(['regressions', '--service=shop', $hook[0]]);
        self::assertCount(3, $server->requests());

        $mute = ['function' => self::FUNCTION, 'until' => '2999-01-01', 'reason' => 'ticket 7'];
        $old = ['route' => 'GET /', 'until' => '2001-01-01', 'reason' => 'long ago'];
        file_put_contents("$folder->path/rules.json", json_encode(['mutes' => [$mute, $old]]));
        $rules = "--rules=$folder->path/rules.json";
        $text = $this->judge([...$hook, $rules, '--fail-on-regressions'], 0);
        self::assertStringContainsString('Muted until 2999-01-01: ' . self::FUNCTION . ' of ' . self::ROUTE . ' (ticket 7)', $text);
        self::assertStringContainsString('A mute has ended on 2001-01-01: GET / (long ago)', $text);
        self::assertCount(3, $server->requests());
        $verdict = ((array) $this->json(['verdicts', '--service=shop'])['rows'])[0];
        self::assertSame(['muted', 'ticket 7'], [$verdict['state'], $verdict['note']]);
        $report = $this->json(['regressions', '--service=shop', $rules]);
        self::assertSame([[], 'ticket 7', 0], [$report['rows'], $report['muted'][0]['reason'], $report['slower_total']]);
        // When the mute is gone it is new.
        $this->judge($hook, 0);
        self::assertCount(4, $server->requests());
        $server->stop();

        $denied = strtolower($this->ask(['regressions', '--service=shop', '--save'], 1));
        self::assertStringContainsString('not enough privileges', $denied);
        self::assertStringContainsString('user or a password', $this->ask(
            ['regressions', '--service=shop', '--webhook=https://u:p@chat.example/'],
            2,
        ));
        self::assertStringContainsString('does not exist', $this->ask(['regressions', '--service=shop', '--rules=/none'], 1));
    }

    /** @param list<string> $arguments */
    private function judge(array $arguments, int $code): string
    {
        $to = '--to=' . self::server()->url($this->database);

        return $this->fleet('judge', ['regressions', '--service=shop', $to, ...$arguments], $code);
    }
}
