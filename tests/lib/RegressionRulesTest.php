<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use XHProf\Exception\StoreError;
use XHProf\Fleet\Question\RegressionRules;
use XHProf\Fleet\Rejected;
use XHProf\Fleet\Ship\Backoff;
use XHProf\Fleet\Ship\Clock;
use XHProf\Fleet\Ship\Webhook;
use XHProf\Fleet\Unavailable;
use XHProf\Fleet\WrongAddress;
use XHProf\Tests\Lib\Support\StoreServer;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/StoreServer.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** Who owns a regression, which are muted, and where they are posted. */
final class RegressionRulesTest extends TestCase
{
    use TemporaryFolder;

    public function testTheLongestPrefixOwnsAFile(): void
    {
        $owners = ['/srv/' => 'all', '/srv/shop/src/Cart/' => 'cart', '/srv/shop/' => 'shop', '12' => 'n'];
        $rules = $this->rules(['owners' => $owners]);
        self::assertSame('cart', $rules->owner('/srv/shop/src/Cart/Total.php'));
        self::assertSame('shop', $rules->owner('/srv/shop/src/Cart.php'));
        self::assertSame('all', $rules->owner('/srv/x.php'));
        self::assertSame('n', $rules->owner('123'));
        self::assertSame(['', ''], [$rules->owner('/other/srv/'), $rules->owner('')]);
    }

    public function testAMuteEndsAfterItsLastDay(): void
    {
        $rules = $this->rules(['mutes' => [
            ['function' => 'f', 'until' => '2026-11-27', 'reason' => 'one'],
            ['route' => 'GET /', 'function' => 'g', 'until' => '2026-12-01', 'reason' => 'two'],
            ['route' => 'GET /old', 'until' => '2026-12-01', 'reason' => 'three'],
        ]]);
        $last = (int) strtotime('2026-11-27 23:59:59');
        self::assertSame('one', $rules->mute('any', 'f', $last)?->reason);
        self::assertNull($rules->mute('any', 'f', $last + 1));
        self::assertSame('two', $rules->mute('GET /', 'g', $last)?->reason);
        self::assertNull($rules->mute('GET /other', 'g', $last));
        self::assertSame('three', $rules->mute('GET /old', 'g', $last)?->reason);
        self::assertSame([], $rules->ended($last));
        self::assertSame('one', $rules->ended($last + 1)[0]->reason);
        self::assertNull(RegressionRules::none()->mute('any', 'f', $last));
    }

    /** @return iterable<string, array{string, string}> */
    public static function wrong(): iterable
    {
        yield 'no JSON' => ['{', 'is not JSON'];
        yield 'another key' => ['{"owner": {}}', 'not "owner"'];
        yield 'a list of owners' => ['{"owners": "me"}', 'not "owners"'];
        yield 'an owner without a name' => ['{"owners": {"/srv/": ""}}', 'an owner is'];
        yield 'an owner of everything' => ['{"owners": {"": "me"}}', 'an owner is'];
        $mutes = [
            'for ever' => '{"function": "f", "reason": "r"}', 'without a reason' => '{"function": "f", "until": "2026-12-31"}',
            'of everything' => '{"until": "2026-12-31", "reason": "r"}', 'that is no object' => '"f"',
            'until no day' => '{"function": "f", "until": "2026-02-30", "reason": "r"}',
            'with a number' => '{"function": 1, "route": "r", "until": "2026-12-31", "reason": "r"}',
            'with another key' => '{"function": "f", "until": "2026-12-31", "reason": "r", "host": "h"}',
        ];
        foreach ($mutes as $what => $mute) {
            yield "a mute $what" => ["{\"mutes\": [$mute]}", 'mute 1 needs'];
        }
    }

    #[DataProvider('wrong')]
    public function testAFileThatIsNotUnderstoodIsRefused(string $text, string $why): void
    {
        file_put_contents("$this->folder/rules.json", $text);
        $this->expectException(StoreError::class);
        $this->expectExceptionMessage($why);
        RegressionRules::ofFile("$this->folder/rules.json");
    }

    public function testAWebhookGetsJsonAndIsTriedThreeTimes(): void
    {
        $server = StoreServer::start("$this->folder/server");
        $server->answers('503 Retry-After: 7', '500');
        $clock = self::clock();
        $this->webhook("http://$server->address/hook/S3CRET?a=b", $clock)->post(['text' => 'ü/', 'n' => 1.0]);
        self::assertSame([7.0, 2.0], $clock->pauses);
        $requests = $server->requests();
        self::assertCount(3, $requests);
        self::assertSame('/hook/S3CRET?a=b', $requests[2]['path']);
        self::assertSame('application/json', $requests[2]['headers']['content-type']);
        self::assertSame('{"text":"ü/","n":1.0}', $requests[2]['body']);
        self::assertArrayNotHasKey('authorization', $requests[2]['headers']);

        $server->answers('500', '500', '500', '400');
        foreach ([Unavailable::class, Rejected::class] as $expected) {
            try {
                $this->webhook("http://$server->address/hook/S3CRET", self::clock())->post([]);
                self::fail('it was delivered');
            } catch (Unavailable | Rejected $e) {
                self::assertSame($expected, $e::class);
                self::assertStringContainsString("the webhook at $server->address", $e->getMessage());
            }
        }
        self::assertCount(7, $server->requests());
        $server->stop();
        try {
            $this->webhook("http://$server->address/hook/S3CRET?a=b", self::clock())->post([]);
            self::fail('it was delivered');
        } catch (Unavailable $e) {
            self::assertStringContainsString("the webhook at $server->address does not answer", $e->getMessage());
            self::assertStringNotContainsString('S3CRET', $e->getMessage());
        }
    }

    public function testAWebhookHasNoPassword(): void
    {
        foreach (['https://user:pass@chat.example/x', 'https://token@chat.example/', 'ftp://chat.example/', 'chat', ''] as $url) {
            try {
                $this->webhook($url, self::clock());
                self::fail("$url is an address");
            } catch (WrongAddress $e) {
                self::assertStringNotContainsString('pass@', $e->getMessage());
            }
        }
    }

    /** @param array<string, mixed> $data */
    private function rules(array $data): RegressionRules
    {
        file_put_contents("$this->folder/rules.json", json_encode($data));

        return RegressionRules::ofFile("$this->folder/rules.json");
    }

    private function webhook(string $url, Clock $clock): Webhook
    {
        return Webhook::fromUrl($url, null, $clock, new Backoff(static fn (): float => 0.0));
    }

    /** @return Clock&object{pauses: list<float>} */
    private static function clock(): Clock
    {
        return new class () implements Clock {
            /** @var list<float> */
            public array $pauses = [];

            public function now(): float
            {
                return 0.0;
            }

            public function sleep(float $seconds): void
            {
                $this->pauses[] = $seconds;
            }
        };
    }
}
