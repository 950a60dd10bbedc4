<?php

declare(strict_types=1);

namespace XHProf\Profile;

use XHProf\Exception\InvalidProfile;

/**
 * Collects call stacks, each as its innermost function and the stack that called it. Stack 0 is main() alone.
 *
 * @internal
 */
final class SampleStacks
{
    private const ROOT = 'main()';

    /** @var array<string, int> text of a stack => its number */
    private array $known = [];

    /** Stacks are its nodes. */
    public readonly CallTreeBuilder $tree;

    public function __construct(private readonly int $maxDepth)
    {
        $this->tree = new CallTreeBuilder();
        $this->tree->node(CallTreeBuilder::NONE, $this->tree->name(self::ROOT));
    }

    /**
     * @param string $text "main()==>f==>f@1==>g"
     *
     * @return int number of the stack
     *
     * @throws InvalidProfile
     */
    public function add(string $text): int
    {
        if (isset($this->known[$text])) {
            return $this->known[$text];
        }
        $frames = explode(EdgeKey::SEPARATOR, $text, $this->maxDepth + 1);
        if (count($frames) > $this->maxDepth) {
            throw new InvalidProfile('a call stack of the samples is too deep');
        }
        if ($frames[0] === self::ROOT) {
            array_shift($frames);
        }
        $stack = 0;
        $running = [];
        foreach ($frames as $frame) {
            $name = $frame === '' ? '' : self::withoutLevel($frame, $running);
            if (!EdgeKey::isName($name)) {
                throw new InvalidProfile('a call stack of the samples names no function');
            }
            $running["\0$name"] = ($running["\0$name"] ?? 0) + 1;
            $stack = $this->tree->node($stack, $this->tree->name($name));
        }

        return $this->known[$text] = $stack;
    }

    /**
     * "f@2" becomes f if two calls of f are on the stack already: a function's own name may end like that.
     *
     * @param array<string, int> $running name, marked by a NUL before it => how often it is on the stack
     */
    private static function withoutLevel(string $frame, array $running): string
    {
        $name = EdgeKey::stripRecursion($frame);
        $level = $name === $frame ? 0 : (int) substr($frame, strlen($name) + 1);

        return $level > 0 && ($running["\0$name"] ?? 0) === $level ? $name : $frame;
    }
}
