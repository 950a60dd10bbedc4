<?php

declare(strict_types=1);

namespace XHProf\Tests\Lib\Support;

use PhpParser\NodeTraverser;
use PhpParser\ParserFactory;
use PhpParser\PrettyPrinter\Standard;

/** Counts what code does, of classes that are loaded by it: the same on every machine and at any time. */
final class Work
{
    /** Turns of loops, and calls. */
    public static int $steps = 0;

    /** Bytes and entries that functions of PHP have read. */
    public static int $read = 0;

    /** Loads the classes of a namespace so that they count. They must not be loaded yet. */
    public static function countIn(string $namespace, string $folder): void
    {
        spl_autoload_register(static function (string $class) use ($namespace, $folder): void {
            $path = $folder . '/' . strtr(substr($class, strlen($namespace)), '\\', '/') . '.php';
            if (str_starts_with($class, $namespace) && is_file($path)) {
                self::load($path);
            }
        }, true, true);
    }

    public static function load(string $path): void
    {
        $nodes = (new ParserFactory())->createForHostVersion()->parse((string) file_get_contents($path)) ?? [];
        eval((new Standard())->prettyPrint((new NodeTraverser(new WorkVisitor()))->traverse($nodes)));
    }

    /**
     * @template T
     *
     * @param T $value
     *
     * @return T
     */
    public static function given(mixed $value): mixed
    {
        self::$read += is_string($value) ? strlen($value) : (is_array($value) ? count($value) : 0);

        return $value;
    }

    /**
     * @template T
     *
     * @param T $result
     *
     * @return T
     */
    public static function first(mixed $result, mixed $value): mixed
    {
        self::given($value);

        return $result;
    }

    /**
     * @param \Closure(): void $code
     *
     * @return array{steps: int, read: int, allocated: int} the last in bytes
     */
    public static function of(\Closure $code): array
    {
        self::$steps = self::$read = 0;
        xhprof_enable(XHPROF_FLAGS_ALLOC | XHPROF_FLAGS_NO_BUILTINS);
        $code();
        xhprof_disable();
        $allocated = array_sum(xhprof_call_tree()['self']['allocated_bytes'] ?? []);

        return ['steps' => self::$steps, 'read' => self::$read, 'allocated' => $allocated];
    }
}
