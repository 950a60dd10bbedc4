<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

use PHPUnit\Framework\TestCase;
use XHProf\Functions\NameSearch;

/** A search text finds the same functions in PHP as in the pages' scripts. */
final class NameSearchTest extends TestCase
{
    private const NAMES = [
        'main()', 'strlen', 'App\Kernel::boot', 'App\kernel', 'load::/app/src/Kernel.php', 'run_init::src/a.php', 'PDO::query',
        'Ärger::über', '{closure:/app/a.php:12}', 'f@1', 'a.b', 'a+b', '_x9', "two\nlines", "tab\there", "a\u{2028}b",
        "nbsp\u{A0}x", 'ßtraße', '', 'aaa', 'abab', '7', "\u{1F600}smile", '[x]', 'u41', 'k<n>', '$cash', 'a|b', '-', ']',
        'x{2}', 'xx', 'x4', 'c1',
    ];

    private const TEXTS = [
        '', ' ', 'kernel', ' KERNEL ', 'ÜBER', 'a.b', '\\', '/', '//', '/i', '/app/', '/APP/i', '/^load::/', '/php$/',
        '/^main\(\)$/', '/^[A-Z]/', '/[^a-z]/', '/\d/', '/\D/', '/\w+/', '/^\w+$/', '/^\W/', '/\s/', '/^\S+$/', '/\bb/',
        '/\Bb/', '/App\\\\K/', '/\K/', '/\A/', '/\z/', '/\Q.\E/', '/a.b/', '/a\.b/', '/a{3}/', '/a{2,}/', '/a{,3}/', '/x{2}/',
        '/x\{2}/', '/{/', '/}/', '/]/', '/[]/', '/[^]/', '/[]]/', '/[\]]/', '/[[]/', '/(ab)\1/', '/(?:ab){2}/',
        '/(?<n>ab)\k<n>/', '/\k<n>/', '/(x)?\1strlen/', '/(?i)app/', '/(?>a)/', '/a++/', '/a*+/', '/*a/', '/a**/', '/(/',
        '/)/', '/[/', '/[b-a]/', '/a{3,2}/', '/\\/', '/^*/', '/(?=a)*b/', '/(?<=a)b/', '/(?<!a)b/', '/(?<=a)*b/', '/a(?!b)/',
        '/\x61/', '/\x4/', '/\u0061{3}/', '/\u{41}/', '/\u41/', '/\ud83d\ude00/', '/\t/', '/\n/', '/\cI/', '/\c1/', '/\0/',
        '/\7/', '/\101/', '/\8/', '/[\d-z]/', '/[\w-]/', '/[a-\d]/', '/[\b]/', '/[\W]/', '/[^\W]/', '/[\S\s]/', '/ü/i', '/Ü/i',
        '/[ä-ü]/i', '/a|^$/', '/|/', '/(?:)/', '/()/', '/~/', '/#/', '/ /', '/^.{2}$/', '/s$/', '/a/x', '/a/ii', '/a/I',
        '/(?<n>a)(?<n>b)/', '/(?<1>a)/', '/(?<>a)/', '/(?<n>a)\k<m>/', '/\k/', '/(?<n>a)\k/', '/(?#x)a/', '/[[:alpha:]]/',
        '/\p{L}/', '/\h/', '/\R/', '/\X/', '/\G/', '/a{0}/', '/\-/', '/[\-]/', '/[a\-z]/', '/[-a]/', '/[a-]/', '/$./', '/.^/',
        '/\$/', '/(a)|b\1/', '/[^\d\D]/', '/\//', '/::|@/',
    ];

    public function testPhpAndTheScriptsFindTheSame(): void
    {
        $found = array_map(self::found(...), self::TEXTS);
        self::assertSame(array_combine(self::TEXTS, self::scripts(self::TEXTS)), array_combine(self::TEXTS, $found));
    }

    public function testMadeUpPatternsFindTheSame(): void
    {
        mt_srand(20);
        $parts = [
            'a', 'b', 'x', '.', '*', '+', '?', '(', ')', '(?:', '(?=', '(?!', '[', ']', '^', '$', '|', '\\', '\d', '\w', '\b',
            '\1', '{', '}', '{2}', '{1,2}', ',', '-', '1', '2', 'n', '(?<n>', '\k<n>', '\s', '\W', '[^', ':', '@', 'k', 'c',
            '\x', '\u', '0',
        ];
        $texts = [];
        for ($i = 0; $i < 3000; $i++) {
            $text = '';
            for ($n = mt_rand(1, 9); $n > 0; $n--) {
                $text .= $parts[mt_rand(0, count($parts) - 1)];
            }
            $texts["/$text/" . (mt_rand(0, 1) === 1 ? 'i' : '')] = true;
        }
        $texts = array_keys($texts);
        $expected = array_combine($texts, self::scripts($texts));
        self::assertSame($expected, array_combine($texts, array_map(self::found(...), $texts)));
        $read = array_filter($expected, is_array(...));
        self::assertGreaterThan(500, count($read));
    }

    public function testBytesThatAreNoUtf8AreReplacedAsForTheScripts(): void
    {
        self::assertTrue((new NameSearch("/^a\u{FFFD}b$/"))->matches("a\xFFb"));
        self::assertTrue((new NameSearch("A\xFF"))->matches("a\xFFb"));
    }

    public function testAPatternThatTakesTooLongFindsNothing(): void
    {
        $search = new NameSearch('/^(a+)+$/');
        self::assertSame([], $search->among([str_repeat('a', 3000) . 'b' => 1, 'aa' => 1]));
        self::assertSame('This regular expression takes too long.', $search->none());
    }

    public function testWhatIsNoPatternHasItsReason(): void
    {
        self::assertSame("This is no regular expression: Unmatched ')'.", (new NameSearch('/)/'))->none());
        self::assertSame('No function matches.', (new NameSearch('/a/'))->none());
    }

    /** @return list<string>|string */
    private static function found(string $text): array|string
    {
        $search = new NameSearch($text);
        $names = array_values(array_filter(self::NAMES, $search->matches(...)));

        return $search->problem === '' ? $names : 'no pattern';
    }

    /**
     * @param list<string> $texts
     *
     * @return list<list<string>|string>
     */
    private static function scripts(array $texts): array
    {
        $node = proc_open(['node', dirname(__DIR__) . '/js/name-search.mjs'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        self::assertIsResource($node);
        fwrite($pipes[0], (string) json_encode(['names' => self::NAMES, 'texts' => $texts]));
        fclose($pipes[0]);
        $found = json_decode((string) stream_get_contents($pipes[1]), true);
        self::assertSame(0, proc_close($node));

        return $found;
    }
}
