<?php

declare(strict_types=1);

namespace XHProf\Tests\Inspector;

use PHPUnit\Framework\Assert;

/** A snapshot as JSON lines, all of it in memory. */
final class Snapshot
{
    /** @var array<string, mixed> */
    public readonly array $header;
    /** @var array<int, array<string, mixed>> by address */
    public readonly array $nodes;
    /** @var array<string, mixed> */
    public readonly array $summary;

    public function __construct(string $file)
    {
        $lines = explode("\n", rtrim((string) file_get_contents($file), "\n"));
        $this->header = self::decode((string) array_shift($lines));
        $footer = self::decode((string) array_pop($lines));
        Assert::assertSame(1, $this->header['xhprof_heap'] ?? null);
        Assert::assertTrue($footer['end'] ?? null, 'there is no footer');
        $this->summary = $footer['summary'];
        $nodes = [];
        foreach ($lines as $line) {
            $node = self::decode($line);
            Assert::assertArrayNotHasKey($node['a'], $nodes, 'a node is there twice');
            $nodes[$node['a']] = $node;
        }
        $this->nodes = $nodes;
    }

    /** @return list<array<string, mixed>> nodes of a type, of a class or name */
    public function all(string $type, ?string $class = null): array
    {
        return array_values(array_filter(
            $this->nodes,
            static fn (array $node): bool => $node['t'] === $type && ($class === null || ($node['c'] ?? null) === $class),
        ));
    }

    /**
     * @param array<string, mixed> $node
     * @return array<string, mixed> the node that a reference of it leads to
     */
    public function follow(array $node, string|int $reference): array
    {
        foreach ($node['e'] ?? [] as $edge) {
            if ($edge[0] === $reference && $edge[1] !== null) {
                return $this->nodes[$edge[1]] ?? Assert::fail("$reference leads to no node");
            }
        }
        Assert::fail("{$node['t']} has no reference $reference");
    }

    /** @return list<string> the names of the running calls, with their lines, the innermost first */
    public function calls(): array
    {
        $calls = [];
        foreach ($this->nodes[1]['e'] ?? [] as $edge) {
            if (is_int($edge[0])) {
                $frame = $this->nodes[$edge[1]];
                $calls[$edge[0]] = $frame['c'] . (isset($frame['l']) ? ":{$frame['l']}" : '');
            }
        }
        ksort($calls);

        return array_values($calls);
    }

    /** @return array<string, mixed> */
    private static function decode(string $line): array
    {
        $data = json_decode($line, true, 64, JSON_THROW_ON_ERROR);
        Assert::assertIsArray($data);

        return $data;
    }
}
