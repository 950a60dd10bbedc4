<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;
use XHProf\Exception\SendError;
use XHProf\Fleet\Credentials;
use XHProf\Fleet\Ship\CleanTexts;
use XHProf\Fleet\Ship\Labels;
use XHProf\Fleet\Ship\RunKind;
use XHProf\Profile\CallTree;
use XHProf\Secret\Redact;
use XHProf\Tests\Lib\Support\AutomaticRuns;
use XHProf\Tests\Lib\Support\ShipBench;
use XHProf\Tests\Lib\Support\TemporaryFolder;

require_once __DIR__ . '/Support/AutomaticRuns.php';
require_once __DIR__ . '/Support/ShipBench.php';
require_once __DIR__ . '/Support/TemporaryFolder.php';

/** No secret of a run leaves the host, and labels are those that were allowed. */
final class ShipSecretsTest extends TestCase
{
    use TemporaryFolder;

    private const SECRET = 'Zq81secret';

    private const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.Zq81secret';

    /** @return list<string> those of all the texts of a value that show the secret */
    private static function lines(mixed $value): array
    {
        return array_values(preg_grep('/' . self::SECRET . '/', explode("\n", print_r($value, true))) ?: []);
    }

    public function testSecretsInRoutesNamesOfSpansDetailsFilesAndLabelsStay(): void
    {
        $labels = Labels::parse('shop', 'live', 'v1 password=' . self::SECRET, 'web-1 token=' . self::SECRET, [
            'team=a', 'note=token=' . self::SECRET, 'order', 'api_token', 'where',
        ]);
        $bench = new ShipBench("$this->folder/runs", "$this->folder/state", $labels, [RunKind::Window, RunKind::Triggered]);
        // As an older version, or another tool, may have left them.
        $bench->window('a1', 'GET /in/token=' . self::SECRET . '/x');
        $bench->window('a2', 'job mail --password ' . self::SECRET);
        $bench->window('a3', 'GET /', [], 'PDO::query#SELECT 1 WHERE token=' . self::SECRET);
        $bench->window('a4', 'job ' . self::JWT);
        $bench->window('a5', 'GET /', [], 'fetch https://ann:' . self::SECRET . '@db.example/x');
        $tree = CallTree::fromArray([
            'names' => ['main()', 'f'], 'fn' => [0, 1], 'depth' => [0, 1], 'ct' => [1, 1], 'self' => ['wt' => [1, 2]],
            'files' => ['/app/token=' . self::SECRET . '/f.php'], 'file' => [-1, 0], 'line' => [0, 3], 'last_line' => [0, 4],
        ]);
        AutomaticRuns::write($bench->runFolder, 't1', [
            'ts' => 1763680000, 'start' => 'trigger', 'mode' => 'exact', 'url' => '/x?token=' . self::SECRET,
            'name' => 'job token=' . self::SECRET, 'totals' => ['wt' => 3], 'duration_us' => 3, 'git' => 'abc',
            'meta' => ['order' => 4711, 'api_token' => self::SECRET, 'where' => self::JWT, 'other' => self::SECRET],
        ], $tree, [], null);
        self::assertTrue($bench->shipper()->pass());
        self::assertCount(6, $bench->shipments);
        self::assertSame([], self::lines($bench->shipments));
        self::assertSame([], self::lines(file($bench->state()->path())));
        self::assertSame('GET /in/{id}/x', $bench->shipments['a1']->tree()->names[1]);
        self::assertSame(3, $bench->shipments['a1']->run->meta()->window?->routeStats('GET /in/{id}/x')?->requests);
        self::assertSame('job mail --password REDACTED', $bench->shipments['a2']->tree()->names[1]);
        self::assertSame('PDO::query#SELECT 1 WHERE token=REDACTED', $bench->shipments['a3']->tree()->names[2]);
        self::assertSame('/app/token=REDACTED', $bench->shipments['t1']->tree()->places->at(1)?->file);
        self::assertSame(
            ['team' => 'a', 'note' => 'token=REDACTED', 'order' => '4711', 'api_token' => 'REDACTED', 'where' => 'REDACTED'],
            $bench->shipments['t1']->labels,
        );
        self::assertSame('v1 password=REDACTED', $bench->shipments['t1']->run->meta()->origin->release);
        self::assertSame('web-1 token=REDACTED', $bench->shipments['t1']->run->meta()->origin->host);
    }

    public function testNamesOfFunctionsStayAsTheyAre(): void
    {
        $texts = new CleanTexts(Redact::here());
        foreach (
            [
                'main()', 'App\Auth\Token::validate', 'load::auth/Password.php', '{closure:src/Auth/secret.php:12}',
                'App\Kernel::handle{closure#2}', '(garbage collection)', 'apply_filters(the_content)', 'class@anonymous',
                'GET /orders/{id}', 'POST /cart', "eval::x.php(3) : eval()'d code", 'Größe::messen',
            ] as $name
        ) {
            self::assertSame($name, $texts->of($name));
        }
        self::assertSame('a\x07b', $texts->of("a\x07b"));
        self::assertSame('a\xFFb', $texts->of("a\xFFb"));
        $cut = $texts->of(str_repeat('ü', 600));
        self::assertSame([1000, 1], [strlen($cut), preg_match('//u', $cut)]);
    }

    public function testRoutesOfAScannerHaveABound(): void
    {
        $bench = new ShipBench("$this->folder/runs", "$this->folder/state");
        $bench->window('r0');
        self::assertTrue($bench->shipper()->pass());
        $state = $bench->state();
        $routes = array_map(static fn (int $number): string => "GET /scan$number", range(1, Labels::MOST_VALUES['route'] - 1));
        $state->done([], ['route' => ['GET /', ...$routes]]);
        $bench->window('r1', 'GET /.env');
        $bench->window('r2', 'GET /');
        self::assertTrue($bench->shipper()->pass());
        self::assertSame('(other)', $bench->shipments['r1']->tree()->names[1]);
        self::assertSame(['(other)'], $bench->shipments['r1']->run->meta()->window?->routes());
        self::assertSame('GET /', $bench->shipments['r2']->tree()->names[1]);
        self::assertSame(1, $bench->state()->counters->others);
    }

    public function testRoutesThatBecomeOneAreAddedUp(): void
    {
        $bench = new ShipBench("$this->folder/runs", "$this->folder/state");
        $bench->window('r1', 'GET /in/token=aaaa', ['aggregate' => ['seconds' => 60, 'from' => 1, 'to' => 61, 'routes' => [
            'GET /in/token=aaaa' => ['requests' => 3, 'wall_us' => 5],
            'GET /in/token=bbbb' => ['requests' => 4, 'wall_us' => 6],
        ]]]);
        self::assertTrue($bench->shipper()->pass());
        $window = $bench->shipments['r1']->run->meta()->window;
        self::assertSame(['GET /in/{id}'], $window?->routes());
        self::assertSame([7, 11], [$window->routeStats('GET /in/{id}')?->requests, $window->wall()]);
    }

    public function testLabelsHaveNamesOfTheirOwn(): void
    {
        foreach (['route=x', 'le', 'a b=c', '=x', '1x', str_repeat('a', 64)] as $label) {
            try {
                Labels::parse(null, '', null, '', [$label]);
                self::fail("$label was taken");
            } catch (SendError $e) {
                self::assertStringStartsWith('--label takes NAME', $e->getMessage());
            }
        }
    }

    public function testCredentialsAreReadOnlyWhereOthersCannotReadThem(): void
    {
        $file = "$this->folder/credentials";
        file_put_contents($file, "user=shipper\npassword= a=b c \n\n");
        chmod($file, 0600);
        $credentials = Credentials::ofFile($file);
        self::assertSame(['shipper', ' a=b c '], [$credentials->user, $credentials->password]);
        foreach ([0604, 0644, 0666] as $mode) {
            chmod($file, $mode);
            self::assertStringContainsString('can be read by all users', self::refusal($file));
        }
        chmod($file, 0640);
        self::assertSame('shipper', Credentials::ofFile($file)->user);
        file_put_contents($file, 'hunter2');
        self::assertStringNotContainsString('hunter2', self::refusal($file));
        self::assertStringContainsString('does not exist', self::refusal("$file.gone"));
    }

    private static function refusal(string $file): string
    {
        try {
            Credentials::ofFile($file);
        } catch (SendError $e) {
            return $e->getMessage();
        }
        self::fail('it was read');
    }
}
