--TEST--
OpenTelemetry's active span is the trace context, by its classes' names and shapes (a stand-in; tests/lib has the real packages)
--FILE--
<?php
namespace OpenTelemetry\Context {
    final class ContextStorageHead { public ?ContextStorageNode $node = null; public function __construct(public object $storage) {} }
    final class ContextStorageNode {
        public function __construct(public object $context, public ContextStorageHead $head, private ?ContextStorageNode $previous = null) {}
        public function detach(): void { $this->head->node = $this->previous; }
    }
    final class ContextStorage {
        private ContextStorageHead $current; private ContextStorageHead $main; private array $forks = [];
        public function __construct() { $this->current = $this->main = new ContextStorageHead($this); }
        public function fork($id): void { $this->forks[$id] = clone $this->current; }
        public function switch($id): void { $this->current = $this->forks[$id] ?? $this->main; }
        public function attach(object $context) { return $this->current->node = new ContextStorageNode($context, $this->current, $this->current->node); }
    }
    final class FiberBoundContextStorage {
        private \WeakMap $heads;
        public function __construct() { $this->heads = new \WeakMap(); $this->heads[$this] = new ContextStorageHead($this); }
        public function attach(object $context) {
            $head = $this->heads[\Fiber::getCurrent() ?? $this] ??= new ContextStorageHead($this);
            return $head->node = new ContextStorageNode($context, $head, $head->node);
        }
    }
    final class FiberBoundContextStorageExecutionAwareBC {
        private readonly FiberBoundContextStorage $storage; private ?ContextStorage $bc = null;
        public function __construct() { $this->storage = new FiberBoundContextStorage(); }
        public function attach(object $context) { return ($this->bc ?? $this->storage)->attach($context); }
        public function bc(): ContextStorage { return $this->bc ??= new ContextStorage(); }
    }
    final class Context {
        private static mixed $storage;
        public function __construct(private ?object $span) {}
        public static function setStorage(mixed $storage): void { self::$storage = $storage; }
        public static function storage(): mixed { return self::$storage ??= new FiberBoundContextStorageExecutionAwareBC(); }
    }
}
namespace {
    require __DIR__ . '/context.inc';

    final class SpanContext { public function __construct(private mixed $traceId, private mixed $spanId) {} public function __get($n) { echo "code ran\n"; } }
    abstract class Span { private string $context = 'not this one'; public function __get($n) { echo "code ran\n"; } }
    final class SdkSpan extends Span { public function __construct(private object $context) {} }

    function attach(int $number): object
    {
        return OpenTelemetry\Context\Context::storage()->attach(new OpenTelemetry\Context\Context(new SdkSpan(new SpanContext(...ids($number)))));
    }

    /** The context, without setting one: that would come before OpenTelemetry's. */
    function seen(): string
    {
        $before = xhprof_context(null, null);
        return shown($before);
    }

    foreach (['fiber-bound', 'plain', 'forks'] as $kind) {
        $storage = match ($kind) {
            'fiber-bound' => new OpenTelemetry\Context\FiberBoundContextStorageExecutionAwareBC(),
            'plain' => new OpenTelemetry\Context\ContextStorage(),
            'forks' => new OpenTelemetry\Context\FiberBoundContextStorageExecutionAwareBC(),
        };
        OpenTelemetry\Context\Context::setStorage($storage);
        $kind === 'forks' && $storage->bc();
        $seen = [seen()];
        $outer = attach(1);
        $seen[] = seen();
        $inner = attach(2);
        $seen[] = seen();
        set(3); // comes before it, until it is cleared
        $seen[] = now();
        set(0);
        $seen[] = seen();
        $inner->detach();
        $seen[] = seen();
        $fiber = new Fiber(function () use (&$seen, $kind): void {
            $seen[] = 'in a fiber ' . seen();
            $scope = $kind === 'fiber-bound' ? attach(4) : null;
            $seen[] = seen();
            Fiber::suspend();
            $seen[] = seen();
            $scope?->detach();
        });
        $fiber->start();
        $seen[] = 'outside ' . seen();
        $fiber->resume();
        $outer->detach();
        $seen[] = seen();
        echo "$kind: ", implode(' ', $seen), "\n";
    }
    // A fiber that has attached none has that of the code that made it.
    OpenTelemetry\Context\Context::setStorage(new OpenTelemetry\Context\FiberBoundContextStorage());
    $scope = attach(5);
    $fiber = new Fiber(static fn () => print 'inherited ' . now() . "\n");
    $scope->detach();
    $fiber->start();
    // Objects of other shapes have no context, and their code does not run.
    $odd = [
        new SpanContext('', ''), new SpanContext(null, []), new SpanContext(1, 2), new SpanContext(...array_reverse(ids(1))),
        new SpanContext(str_repeat('0', 32), str_repeat('0', 16)), new stdClass(), new ArrayObject(['traceId' => ids(1)[0]]),
    ];
    foreach ($odd as $context) {
        $scope = OpenTelemetry\Context\Context::storage()->attach(new OpenTelemetry\Context\Context(new SdkSpan($context)));
        echo seen();
        $scope->detach();
    }
    foreach ([null, 7, new stdClass(), new WeakMap(), new ArrayObject()] as $storage) {
        OpenTelemetry\Context\Context::setStorage($storage);
        echo seen();
    }
    echo "\n";
}
?>
--EXPECT--
fiber-bound: - 1 2 3 2 1 in a fiber 1 4 outside 1 4 -
plain: - 1 2 3 2 1 in a fiber 1 1 outside 1 1 -
forks: - 1 2 3 2 1 in a fiber 1 1 outside 1 1 -
inherited 5
------------
