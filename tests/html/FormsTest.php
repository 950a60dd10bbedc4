<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\Attributes\DataProvider;
use XHProf\Run\RunId;
use XHProf\Store\Label;
use XHProf\Store\RunFolder;
use XHProf\Tests\Lib\Support\RunFiles;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/../lib/Support/RunFiles.php';

/** Changes: only by a form of these pages, and only those that it states. */
final class FormsTest extends PagesTestCase
{
    private const COOKIE = 'xhprof_csrf';
    private const RUN = Fixtures::BEFORE . '.shop';

    private static string $token;

    public static function setUpBeforeClass(): void
    {
        parent::setUpBeforeClass();
        self::$token = str_repeat('0123456789abcdef', 4);
    }

    public function testThePageGivesATokenAndItsCookie(): void
    {
        $page = self::open('index.php');
        $token = $page->attributes('//form[@data-picker]/input[@name="csrf"]', 'value')[0];
        self::assertMatchesRegularExpression('/\A[0-9a-f]{64}\z/', $token);
        $cookie = self::COOKIE . "=$token; HttpOnly; SameSite=Strict";
        self::assertSame($cookie, $page->headers['set-cookie']);
        // Known already: it stays.
        $again = self::$server->get('index.php', 'GET', null, ['Cookie: ' . self::COOKIE . "=$token"]);
        self::assertSame([$token], array_values(array_unique($again->attributes('//input[@name="csrf"]', 'value'))));
        self::assertArrayNotHasKey('set-cookie', $again->headers);
        $bad = self::$server->get('index.php', 'GET', null, ['Cookie: ' . self::COOKIE . '="><script>']);
        self::assertMatchesRegularExpression('/\A[0-9a-f]{64}\z/', $bad->attributes('//input[@name="csrf"]', 'value')[0]);
        self::assertStringNotContainsString('csrf', self::$server->get('typeahead.php?run=nope')->headers['set-cookie'] ?? '');
    }

    /** @return array<string, array{array<string, string>, list<string>}> fields, headers */
    public static function forgeries(): array
    {
        $token = str_repeat('0123456789abcdef', 4);
        $cookie = 'Cookie: ' . self::COOKIE . "=$token";

        return [
            'no cookie' => [['csrf' => $token], []],
            'no token' => [[], [$cookie]],
            'another token' => [['csrf' => strrev($token)], [$cookie]],
            'a token as an array' => [['csrf[]' => $token], [$cookie]],
            'an empty pair' => [['csrf' => ''], ['Cookie: ' . self::COOKIE . '=']],
            'a cookie as an array' => [['csrf' => $token], ['Cookie: ' . self::COOKIE . "[]=$token"]],
            'another site' => [['csrf' => $token], [$cookie, 'Sec-Fetch-Site: cross-site']],
            'another port of this machine' => [['csrf' => $token], [$cookie, 'Sec-Fetch-Site: same-site']],
            'another origin' => [['csrf' => $token], [$cookie, 'Origin: http://127.0.0.1:1']],
            'an origin that begins like ours' => [['csrf' => $token], [$cookie, 'Origin: http://127.0.0.1.evil.example']],
            'no origin to speak of' => [['csrf' => $token], [$cookie, 'Origin: null']],
        ];
    }

    /**
     * @param array<string, string> $fields
     * @param list<string> $headers
     */
    #[DataProvider('forgeries')]
    public function testAForgedFormChangesNothing(array $fields, array $headers): void
    {
        foreach (['delete' => ['sure' => '1'], 'pin' => [], 'tag' => ['tag' => 'forged']] as $do => $more) {
            $body = http_build_query(['do' => $do, 'pick' => [self::RUN]] + $more + $fields);
            $page = self::$server->post('index.php', $body, $headers);
            self::assertContains($page->status, [400, 403]);
            self::assertSound($page, $do);
        }
        self::assertTrue(self::store()->has(RunId::fromText(self::RUN)));
        self::assertTrue(self::store()->label(RunId::fromText(self::RUN))->isEmpty());
    }

    public function testOwnOriginIsWelcome(): void
    {
        $origin = rtrim(self::$server->url, '/');
        foreach (["Origin: $origin", 'Sec-Fetch-Site: same-origin'] as $header) {
            self::assertSame(303, self::send(['do' => 'unpin'], [$header])->status);
        }
    }

    public function testAFormTooLargeIsSaid(): void
    {
        $server = new PageServer(self::ROOT, self::$runs, ['post_max_size=1K']);
        $cookie = 'Cookie: ' . self::COOKIE . '=' . self::$token;
        $page = $server->post('index.php', 'csrf=' . self::$token . '&x=' . str_repeat('x', 2000), [$cookie]);
        self::assertSame(413, $page->status);
    }

    public function testOnlyTheListTakesForms(): void
    {
        foreach (['callgraph.php', 'typeahead.php', 'api.php?get=runs'] as $path) {
            self::assertSame(405, self::$server->post($path, 'csrf=' . self::$token, [])->status, $path);
        }
        self::assertSame(405, self::post('index.php?view=flame', ['do' => 'pin'])->status);
    }

    public function testPinTagNoteAndBack(): void
    {
        $id = RunId::fromText(self::RUN);
        $answer = self::send(['do' => 'tag', 'tag' => ' slow, release 42 ,', 'back' => 'q=orders&sort=wt&page=3&evil=1']);
        self::assertSame([303, 'index.php?q=orders&sort=wt&page=3'], [$answer->status, $answer->headers['location']]);
        self::assertSame(['release 42', 'slow'], self::store()->label($id)->tags);
        self::send(['do' => 'pin']);
        self::send(['do' => 'untag', 'tag' => 'slow']);
        $label = self::store()->label($id);
        self::assertSame([true, ['release 42'], ''], [$label->pinned, $label->tags, $label->note]);
        self::send(['do' => 'label', 'tags' => 'a,b', 'note' => "one\r\ntwo <b>"]);
        $label = self::store()->label($id);
        self::assertSame([false, ['a', 'b'], "one\ntwo <b>"], [$label->pinned, $label->tags, $label->note]);
        $page = self::open('index.php?q=two');
        self::assertSame('one two <b>', $page->text('//*[@class="remark"]'));
        self::send(['do' => 'label', 'tags' => '', 'note' => ' ']);
        self::assertFileDoesNotExist(self::$runs . '/' . $id->fileName('label.json'));
    }

    public function testBackLeadsNowhereElse(): void
    {
        $backs = ['//evil.example/', 'http://evil.example', "\r\nLocation: http://evil.example", 'q[]=1&page[]=2', 'x',
            str_repeat('q=', 9999)];
        foreach ($backs as $back) {
            $location = self::send(['do' => 'unpin', 'back' => $back])->headers['location'];
            self::assertMatchesRegularExpression('/\Aindex\.php(\?q=[^&]*)?\z/', $location);
        }
    }

    public function testTheResultIsShownOnceAndOtherSitesCannotForgeIt(): void
    {
        $answer = self::send(['do' => 'unpin']);
        $cookie = 'xhprof_flash=unpinned.1.0; Max-Age=60; HttpOnly; SameSite=Strict';
        self::assertSame($cookie, $answer->headers['set-cookie']);
        $cookies = 'Cookie: xhprof_flash=unpinned.1.0; ' . self::COOKIE . '=' . self::$token;
        $page = self::$server->get('index.php', 'GET', null, [$cookies]);
        self::assertSame('Unpinned 1 run.', $page->text('//p[@role="status"]'));
        self::assertStringContainsString('xhprof_flash=; Max-Age=0', $page->headers['set-cookie']);
        foreach (['<b>.1.0', 'hello.1.0', 'deleted.99999999.0', 'deleted.9999999.0', 'deleted.1', 'deleted.x.0'] as $words) {
            $page = self::$server->get('index.php?flash=hello', 'GET', null, ["Cookie: xhprof_flash=$words"]);
            self::assertSame([], $page->find('//p[@role="status"]'), $words);
        }
    }

    public function testDeletingAsksFirstAndTakesAllFilesOfTheRunOnly(): void
    {
        $store = self::store();
        $edges = ['main()' => ['ct' => 1, 'wt' => 5]];
        foreach (['gone', 'gone2', 'stays'] as $id) {
            $store->save($edges, 'del', $id);
        }
        $store->save($edges, 'del.other', 'gone');
        $store->setLabel(RunId::fromStrings('stays', 'del'), Label::fromInput(true, ['x'], ''));
        RunFiles::put(self::$runs, 'gone.del', ['tree' => []]);
        file_put_contents(self::$runs . '/gone.del.notes.txt', 'mine');
        $picks = ['gone.del', 'gone2.del', 'stays.del'];

        $page = self::send(['do' => 'delete', 'pick' => $picks]);
        self::assertSame([200, 'Delete these 3 runs?'], [$page->status, $page->text('//h1')]);
        self::assertSame($picks, $page->attributes('//form//input[@name="pick[]"]', 'value'));
        self::assertTrue($store->has(RunId::fromText('gone.del')));

        $answer = self::send(['do' => 'delete', 'pick' => [...$picks, 'nosuch.run'], 'sure' => '1']);
        self::assertStringContainsString('xhprof_flash=deleted.2.1', $answer->headers['set-cookie']);
        $isOurs = static fn (string $name): bool => str_contains($name, '.del.');
        $left = array_values(array_filter(scandir(self::$runs) ?: [], $isOurs));
        self::assertSame([
            'gone.del.notes.txt', RunFiles::file('gone.del.other'), 'stays.del.label.json', RunFiles::file('stays.del'),
        ], $left);
        self::send(['do' => 'delete', 'pick' => $picks, 'sure' => '1', 'pinned_too' => '1']);
        self::assertFalse($store->has(RunId::fromText('stays.del')));
    }

    /** @return array<string, array{array<string, mixed>, int, string}> */
    public static function wrongForms(): array
    {
        return [
            'nothing picked' => [['do' => 'pin', 'pick' => []], 400, 'Pick at least one run first.'],
            'nothing to do' => [['do' => 'explode'], 400, 'This form has no known action.'],
            'traversal' => [['do' => 'delete', 'pick' => ['../../etc/passwd'], 'sure' => '1'], 400, 'A picked run must be named'],
            'NUL' => [['do' => 'pin', 'pick' => ["a\0.b"]], 400, 'A picked run must be named'],
            'too many' => [
                ['do' => 'pin', 'pick' => array_map(static fn (int $i): string => "a$i.b", range(1, 1100))],
                400,
                'At most 1000 runs at a time.',
            ],
            'no tag' => [['do' => 'tag', 'tag' => ' , '], 400, 'Type the tag first.'],
            'a tag of markup' => [['do' => 'tag', 'tag' => '<b>'], 400, 'A tag has at most 40 characters'],
            'a tag that turns the text' => [['do' => 'tag', 'tag' => "a\u{202E}b"], 400, 'A tag has at most 40 characters'],
            'a long tag' => [['do' => 'tag', 'tag' => str_repeat('x', 41)], 400, 'A tag has at most 40 characters'],
            'many tags' => [['do' => 'tag', 'tag' => implode(',', range(1, 21))], 400, 'A run has at most 20 tags.'],
            'label of no run' => [['do' => 'label', 'pick' => ['nosuch.run']], 404, 'There is no run nosuch'],
            'two to compare' => [['do' => 'compare'], 400, 'Pick exactly two runs'],
        ];
    }

    /** @param array<string, mixed> $fields */
    #[DataProvider('wrongForms')]
    public function testAWrongFormIsExplained(array $fields, int $status, string $sentence): void
    {
        $server = new PageServer(self::ROOT, self::$runs, ['max_input_vars=2000']);
        $page = self::post('index.php', $fields + ['pick' => [self::RUN]], [], $server);
        self::assertSame($status, $page->status);
        self::assertSound($page, $sentence);
        self::assertStringContainsString($sentence, $page->text('//p[@class="empty"]'));
        self::assertTrue(self::store()->label(RunId::fromText(self::RUN))->isEmpty());
    }

    public function testAWrongLabelIsShownAgain(): void
    {
        $note = str_repeat('long ', 1000);
        $page = self::send(['do' => 'label', 'tags' => 'a,<b>', 'note' => $note, 'pinned' => '1']);
        self::assertSame(400, $page->status);
        self::assertSound($page, 'label');
        self::assertSame('a,<b>', $page->attributes('//input[@name="tags"]', 'value')[0]);
        self::assertSame(trim($note), $page->text('//textarea'));
        self::assertSame(['checked'], $page->attributes('//input[@name="pinned"]', 'checked'));
        self::assertStringContainsString('A tag has at most', $page->text('//p[@class="warning"]'));
        foreach (["bad\xFFutf", "n\0ul"] as $bad) {
            $page = self::send(['do' => 'label', 'note' => $bad]);
            self::assertSame(400, $page->status);
            self::assertSound($page, $bad);
        }
    }

    public function testADamagedLabelIsSaidAndReplaced(): void
    {
        $id = RunId::fromStrings(Fixtures::AFTER, 'shop');
        $file = self::$runs . '/' . $id->fileName('label.json');
        $damaged = ['{', '[]', '{"v":2}', '{"v":1,"tags":"x"}', str_repeat('[', 5000), '{"v":1,"tags":["<script>"]}',
            '{"v":1,"note":"' . str_repeat('x', 70000) . '"}', '{"v":1,"pinned":"yes"}'];
        foreach ($damaged as $json) {
            file_put_contents($file, $json);
            $list = self::open('index.php?q=' . Fixtures::AFTER);
            self::assertStringStartsWith('Its label cannot be read', $list->attributes('//*[@class="pin"]', 'title')[0]);
            $page = self::open('index.php?view=label&run=' . Fixtures::AFTER . '&source=shop');
            self::assertStringContainsString('saving replaces it', $page->text('//p[@class="warning"]'));
        }
        self::send(['do' => 'label', 'pick' => [(string) $id], 'note' => '']);
        self::assertFileDoesNotExist($file);
    }

    public function testAFolderThatMayOnlyBeReadIsReadOnly(): void
    {
        if (posix_geteuid() === 0) {
            // Root can write anywhere: so this tests only a folder that does not exist.
            self::assertFalse((new RunFolder(self::$runs . '/nowhere'))->isWritable());

            return;
        }
        chmod(self::$runs, 0500);
        $list = self::open('index.php');
        $answer = self::send(['do' => 'pin']);
        chmod(self::$runs, 0700);
        self::assertSame([], $list->find('//button[@value="delete"]'));
        self::assertStringContainsString('Read only', $list->text('//div[@class="actions"]'));
        self::assertSame(403, $answer->status);
    }

    public function testNoErrorOrWarningWasLogged(): void
    {
        self::assertDoesNotMatchRegularExpression('/PHP (Warning|Notice|Deprecated|Fatal)|xhprof_html:/', self::$server->log());
    }

    private static function store(): RunFolder
    {
        return new RunFolder(self::$runs);
    }

    /**
     * @param array<string, mixed> $fields
     * @param list<string> $headers
     */
    private static function send(array $fields, array $headers = []): Page
    {
        return self::post('index.php', $fields + ['pick' => [self::RUN]], $headers);
    }

    /**
     * Sends the fields like the page's own form.
     *
     * @param array<string, mixed> $fields
     * @param list<string> $headers
     */
    private static function post(string $path, array $fields, array $headers = [], ?PageServer $server = null): Page
    {
        $cookie = 'Cookie: ' . self::COOKIE . '=' . self::$token;

        $body = http_build_query($fields + ['csrf' => self::$token]);

        return ($server ?? self::$server)->post($path, $body, [$cookie, ...$headers]);
    }
}
