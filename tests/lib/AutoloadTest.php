<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib;

use PHPUnit\Framework\TestCase;

final class AutoloadTest extends TestCase
{
    /**
     * Every class of the library proper loads by its name, without Composer.
     */
    public function testEveryClassLoads(): void
    {
        $src = dirname(__DIR__, 2) . '/xhprof_lib/src';
        $count = 0;
        foreach (['Exception', 'Format', 'Graph', 'Profile', 'Report', 'Store'] as $folder) {
            foreach (glob("$src/$folder/*.php") ?: [] as $file) {
                $name = "XHProf\\$folder\\" . basename($file, '.php');
                self::assertTrue(class_exists($name) || interface_exists($name), $name);
                $count++;
            }
        }
        self::assertGreaterThan(30, $count);
    }

    public function testUnknownClassesAreLeftToOthers(): void
    {
        $names = ['XHProf\\Nothing', 'XHProf', 'XHProfRuns', 'XHProf\\..\\..\\x'];
        self::assertSame([], array_values(array_filter($names, class_exists(...))));
    }

    public function testExceptionsShareAnInterface(): void
    {
        foreach (glob(dirname(__DIR__, 2) . '/xhprof_lib/src/Exception/*.php') ?: [] as $file) {
            $name = 'XHProf\\Exception\\' . basename($file, '.php');
            self::assertTrue(is_a($name, \XHProf\Exception\XHProfException::class, true), $name);
        }
    }
}
