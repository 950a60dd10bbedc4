--TEST--
The functions have the promised signatures, the constants the promised values
--FILE--
<?php
declare(strict_types=1);

foreach (
    ['xhprof_enable', 'xhprof_disable', 'xhprof_call_tree', 'xhprof_save', 'xhprof_sample_enable',
        'xhprof_sample_disable', 'xhprof_begin_span', 'xhprof_end_span', 'xhprof_span', 'xhprof_alloc_mark', 'xhprof_alloc_dump', 'memprof_enable', 'memprof_disable',
        'memprof_enabled', 'memprof_enabled_flags', 'memprof_dump_array', 'memprof_dump_callgrind',
        'memprof_dump_pprof', 'memprof_version'] as $name
) {
    $function = new ReflectionFunction($name);
    $parameters = [];
    foreach ($function->getParameters() as $p) {
        $parameters[] = trim($p->getType() . ' $' . $p->getName())
            . ($p->isOptional() ? ' = ' . json_encode($p->getDefaultValue()) : '');
    }
    printf("%s(%s): %s\n", $name, implode(', ', $parameters), $function->getReturnType());
}
$constants = (new ReflectionExtension('xhprof'))->getConstants();
ksort($constants);
foreach ($constants as $name => $value) {
    if (str_starts_with($name, 'XHPROF_FLAGS_')) {
        echo "$name=", var_export($value, true), "\n";
    }
}
?>
--EXPECT--
xhprof_enable(int $flags = 0, ?array $options = null): void
xhprof_disable(): ?array
xhprof_call_tree(): ?array
xhprof_save(string $source = "xhprof", array $meta = []): string
xhprof_sample_enable(?array $options = null): void
xhprof_sample_disable(): ?array
xhprof_begin_span(string $name, array $meta = []): bool
xhprof_end_span(): ?string
xhprof_span(string $name, array $meta = []): XHProfSpan
xhprof_alloc_mark(): int|false
xhprof_alloc_dump($stream, string $format = "json", array $options = []): bool
memprof_enable(): bool
memprof_disable(): bool
memprof_enabled(): bool
memprof_enabled_flags(): array
memprof_dump_array(): array
memprof_dump_callgrind($handle): void
memprof_dump_pprof($handle): void
memprof_version(): string
XHPROF_FLAGS_ALLOC=8
XHPROF_FLAGS_CPU=2
XHPROF_FLAGS_MEMORY=4
XHPROF_FLAGS_NO_BUILTINS=1
XHPROF_FLAGS_TIMELINE=16
