<?php

declare(strict_types=1);

namespace XHProf\Tests\Html;

require_once __DIR__ . '/PagesTestCase.php';
require_once __DIR__ . '/HeapFixtures.php';

/** A folder of runs with the heap snapshots of HeapFixtures, and a folder of indexes that are made anew. */
abstract class HeapTestCase extends PagesTestCase
{
    protected const LIST = 'index.php?view=heap';
    protected const DIFF = self::LIST . '&heap1=' . HeapFixtures::BEFORE . '&heap2=' . HeapFixtures::AFTER;

    protected static string $cache;
    private static string|false $cacheBefore;

    public static function setUpBeforeClass(): void
    {
        // Indexes are made anew, and removed afterwards.
        self::$cache = self::folder();
        self::$cacheBefore = getenv('XDG_CACHE_HOME');
        putenv('XDG_CACHE_HOME=' . self::$cache);
        parent::setUpBeforeClass();
        HeapFixtures::build(self::$runs);
    }

    public static function tearDownAfterClass(): void
    {
        putenv(self::$cacheBefore === false ? 'XDG_CACHE_HOME' : 'XDG_CACHE_HOME=' . self::$cacheBefore);
        if (is_dir(self::$cache . '/xhprof')) {
            self::remove(self::$cache . '/xhprof');
        }
        self::remove(self::$cache);
        parent::tearDownAfterClass();
    }
}
