<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Exception\InvalidCheck;
use XHProf\Findings\Findings;
use XHProf\Findings\Rule;
use XHProf\Format\ClosestWord;
use XHProf\Format\JsonNode;
use XHProf\Format\JsonReader;
use XHProf\Format\Text;

/** Reads a file of budgets. What is unknown in it is refused with its line: a misspelt limit must not pass. */
final class BudgetsFile
{
    private const SCHEMA = '$schema';
    private const BUDGETS = 'budgets';

    private const OF_BUDGET = ['name', ...Selector::KEYS, 'meta', 'optional', 'limits', 'findings'];

    /**
     * @return non-empty-list<Budget>
     *
     * @throws InvalidCheck
     */
    public static function read(string $file): array
    {
        return self::parse(self::contents($file, 'budgets'), $file);
    }

    /**
     * @param string $what in a message: "budgets", "baseline"
     *
     * @throws InvalidCheck
     */
    public static function contents(string $file, string $what): string
    {
        $text = is_file($file) && is_readable($file) ? file_get_contents($file) : false;

        return $text === false ? throw new InvalidCheck("the $what file " . Text::printable($file) . ' cannot be read') : $text;
    }

    /**
     * @return non-empty-list<Budget>
     *
     * @throws InvalidCheck
     */
    public static function parse(string $json, string $file): array
    {
        $top = JsonReader::read($json, $file);
        self::expect($top, JsonNode::OBJECT, 'the file of budgets');
        self::knows($top, [self::SCHEMA, self::BUDGETS], 'key');
        $list = $top->members[self::BUDGETS] ?? throw self::wrong($top, 'the key "budgets" is missing');
        self::expect($list, JsonNode::LIST, '"budgets"');
        $budgets = array_map(self::budget(...), array_values($list->members));

        return $budgets === [] ? throw self::wrong($list, 'there is no budget') : $budgets;
    }

    private static function budget(JsonNode $node): Budget
    {
        self::expect($node, JsonNode::OBJECT, 'a budget');
        self::knows($node, self::OF_BUDGET, 'key');
        $patterns = [];
        $line = $node->line;
        foreach (Selector::KEYS as $key) {
            $value = $node->members[$key] ?? null;
            if ($value !== null) {
                $line = $patterns === [] ? $value->line : $line;
                $patterns[$key] = self::pattern($value, $key);
            }
        }
        $meta = $node->members['meta'] ?? null;
        $meta === null || self::expect($meta, JsonNode::OBJECT, '"meta"');
        foreach ($meta->members ?? [] as $key => $value) {
            $patterns["meta.$key"] = self::pattern($value, "meta.$key");
        }
        $optional = $node->members['optional'] ?? null;
        $optional === null || self::expect($optional, JsonNode::BOOL, '"optional"');
        $name = $node->members['name'] ?? null;
        $name === null || self::expect($name, JsonNode::TEXT, '"name"');
        $limits = self::limits($node->members['limits'] ?? null);
        $findings = self::findings($node->members['findings'] ?? null);
        if ($limits === [] && $findings === null) {
            throw self::wrong($node, 'this budget has neither limits nor findings');
        }

        return new Budget(
            (string) ($name->value ?? ''),
            new Selector($patterns),
            $limits,
            $findings,
            $optional?->value === true,
            $node->file,
            $line,
        );
    }

    private static function pattern(JsonNode $node, string $key): Pattern
    {
        self::expect($node, JsonNode::TEXT, "\"$key\"");
        $pattern = Pattern::parse((string) $node->value, $key === Selector::URL);

        return is_string($pattern) ? throw self::wrong($node, "\"$key\": $pattern") : $pattern;
    }

    /** @return list<Limit> */
    private static function limits(?JsonNode $node): array
    {
        if ($node === null) {
            return [];
        }
        self::expect($node, JsonNode::OBJECT, '"limits"');
        $limits = [];
        foreach ($node->members as $key => $value) {
            $figure = FigureName::parse((string) $key);
            if (is_string($figure)) {
                throw self::wrong($value, $figure);
            }
            $bounds = [];
            foreach ($value->kind === JsonNode::LIST ? $value->members : [$value] as $one) {
                $bound = Bound::read($figure, $one);
                $bounds[] = is_string($bound) ? throw self::wrong($one, $bound) : $bound;
            }
            $limits[] = $bounds === [] ? throw self::wrong($value, "\"$figure->text\" has no bound") : new Limit($figure, $bounds);
        }

        return $limits;
    }

    private static function findings(?JsonNode $node): ?FindingsAllowed
    {
        if ($node === null) {
            return null;
        }
        if ($node->kind !== JsonNode::OBJECT) {
            return FindingsAllowed::all(self::allowed($node), $node->file, $node->line);
        }
        $rules = array_map(static fn (Rule $rule): string => $rule::NAME, Findings::rules());
        self::knows($node, $rules, 'rule of findings');

        return FindingsAllowed::byRule(array_map(self::allowed(...), self::named($node)), $node->file, $node->line);
    }

    /** @return array<string, JsonNode> */
    private static function named(JsonNode $node): array
    {
        return array_combine($node->keys(), array_values($node->members));
    }

    /** @return FindingsAllowed::NONE|FindingsAllowed::NONE_NEW|FindingsAllowed::ANY */
    private static function allowed(JsonNode $node): string
    {
        $at = array_search($node->value, FindingsAllowed::WORDS, true);
        if ($at === false) {
            $given = is_string($node->value) ? '"' . Text::printable($node->value) . '"' : $node->article();
            $hint = is_string($node->value) ? ClosestWord::hint($node->value, FindingsAllowed::WORDS) : '';
            throw self::wrong($node, "\"findings\" takes \"none\", \"none new\" or \"any\", not $given$hint");
        }

        return FindingsAllowed::WORDS[$at];
    }

    /**
     * @param list<string> $known
     *
     * @throws InvalidCheck for a key that is not known
     */
    public static function knows(JsonNode $node, array $known, string $what): void
    {
        foreach ($node->keys() as $key) {
            if (!in_array($key, $known, true)) {
                // A figure or a rule that stands one level too high.
                $isFigure = $what === 'key' && in_array('limits', $known, true) && !is_string(FigureName::parse($key));
                $hint = $isFigure ? '; it belongs into "limits"' : ClosestWord::hint($key, $known);
                $text = Text::printable($key);
                $hint = $hint ?: '; known are ' . implode(', ', $known);
                throw self::wrong($node->members[$key], "unknown $what \"$text\"$hint");
            }
        }
    }

    /**
     * @param JsonNode::* $kind
     *
     * @throws InvalidCheck for another kind of value
     */
    public static function expect(JsonNode $node, string $kind, string $what): void
    {
        if ($node->kind !== $kind) {
            $article = match ($kind) {
                JsonNode::OBJECT => 'an object',
                JsonNode::BOOL => 'true or false',
                default => "a $kind",
            };
            throw self::wrong($node, "$what is {$node->article()}, and must be $article");
        }
    }

    public static function wrong(JsonNode $node, string $what): InvalidCheck
    {
        return new InvalidCheck("{$node->place()}: $what");
    }
}
