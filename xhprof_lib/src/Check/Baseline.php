<?php

declare(strict_types=1);

namespace XHProf\Check;

use XHProf\Exception\InvalidCheck;
use XHProf\Findings\Findings;
use XHProf\Findings\Rule;
use XHProf\Format\ClosestWord;
use XHProf\Format\JsonNode;
use XHProf\Format\JsonReader;
use XHProf\Format\JsonText;
use XHProf\Format\Text;

/**
 * What runs were before a change: counts, findings, and where a limit asks for them times with their spread. A file for version
 * control: sorted, a line for each figure, and nothing in it changes unless the program does.
 */
final class Baseline
{
    private const VERSION = 1;
    private const HEAD = 'xhprof_baseline';
    private const SUBJECTS = 'subjects';

    private const OF_SUBJECT = ['php', 'flags', 'runs', 'figures', 'findings'];
    private const OF_SPREAD = ['mean', 'deviation', 'runs'];
    private const OF_FINDING = ['rule', 'where', 'what', 'times'];

    public const OPTION = '--write-baseline';

    /**
     * @param array<string, BaselineSubject> $subjects by name
     * @param string $writes what writes it, for messages
     */
    public function __construct(
        public readonly array $subjects = [],
        public readonly string $file = '',
        public readonly string $writes = self::OPTION,
    ) {
    }

    /** @throws InvalidCheck */
    public static function read(string $file, string $writes = self::OPTION): self
    {
        return self::parse(BudgetsFile::contents($file, 'baseline'), $file, $writes);
    }

    /** @throws InvalidCheck */
    public static function parse(string $json, string $file, string $writes = self::OPTION): self
    {
        $top = JsonReader::read($json, $file);
        BudgetsFile::expect($top, JsonNode::OBJECT, 'the baseline');
        $version = $top->members[self::HEAD] ?? throw BudgetsFile::wrong($top, 'this is no baseline of xhprof check');
        if ($version->value !== self::VERSION) {
            throw BudgetsFile::wrong($version, 'this is a baseline of another version; write it again with ' . $writes);
        }
        BudgetsFile::knows($top, [self::HEAD, self::SUBJECTS], 'key');
        $subjects = $top->members[self::SUBJECTS] ?? throw BudgetsFile::wrong($top, 'the key "subjects" is missing');
        BudgetsFile::expect($subjects, JsonNode::OBJECT, '"subjects"');
        $found = [];
        foreach ($subjects->members as $name => $node) {
            $found[(string) $name] = self::subject($node);
        }

        return new self($found, $file, $writes);
    }

    private static function subject(JsonNode $node): BaselineSubject
    {
        BudgetsFile::expect($node, JsonNode::OBJECT, 'a subject');
        BudgetsFile::knows($node, self::OF_SUBJECT, 'key of a subject');
        foreach (['php' => JsonNode::TEXT, 'flags' => JsonNode::TEXT, 'runs' => JsonNode::NUMBER] as $key => $kind) {
            isset($node->members[$key]) && BudgetsFile::expect($node->members[$key], $kind, "\"$key\"");
        }
        $figures = $node->members['figures'] ?? throw BudgetsFile::wrong($node, 'the key "figures" is missing');
        BudgetsFile::expect($figures, JsonNode::OBJECT, '"figures"');
        $spreads = [];
        foreach ($figures->members as $key => $value) {
            $figure = FigureName::parse((string) $key);
            $spreads[(string) $key] = is_string($figure) ? throw BudgetsFile::wrong($value, $figure) : self::spread($value);
        }
        $list = $node->members['findings'] ?? throw BudgetsFile::wrong($node, 'the key "findings" is missing');
        BudgetsFile::expect($list, JsonNode::LIST, '"findings"');
        $findings = [];
        foreach ($list->members as $one) {
            [$known, $times] = self::finding($one);
            $findings[$known->key()] = [$known, $times];
        }

        return new BaselineSubject(
            (string) ($node->members['php']->value ?? ''),
            (string) ($node->members['flags']->value ?? ''),
            (int) ($node->members['runs']->value ?? 1),
            $spreads,
            $findings,
            $node->line,
        );
    }

    private static function spread(JsonNode $node): Spread
    {
        if ($node->kind === JsonNode::NUMBER) {
            return new Spread(self::number($node));
        }
        BudgetsFile::expect($node, JsonNode::OBJECT, 'a figure');
        BudgetsFile::knows($node, self::OF_SPREAD, 'key of a figure');
        foreach (self::OF_SPREAD as $key) {
            $one = $node->members[$key] ?? throw BudgetsFile::wrong($node, "the key \"$key\" is missing");
            BudgetsFile::expect($one, JsonNode::NUMBER, "\"$key\"");
        }
        $runs = $node->members['runs'];
        if (!is_int($runs->value) || $runs->value < 1) {
            throw BudgetsFile::wrong($runs, '"runs" must be a whole number from 1');
        }

        return new Spread(self::number($node->members['mean']), (float) self::number($node->members['deviation']), $runs->value);
    }

    private static function number(JsonNode $node): int|float
    {
        return is_int($node->value) || (is_float($node->value) && is_finite($node->value))
            ? $node->value
            : throw BudgetsFile::wrong($node, 'this is no number');
    }

    /** @return array{KnownFinding, int} */
    private static function finding(JsonNode $node): array
    {
        BudgetsFile::expect($node, JsonNode::OBJECT, 'a finding');
        BudgetsFile::knows($node, self::OF_FINDING, 'key of a finding');
        $texts = [];
        foreach (['rule', 'where', 'what'] as $key) {
            $one = $node->members[$key] ?? throw BudgetsFile::wrong($node, "the key \"$key\" is missing");
            BudgetsFile::expect($one, JsonNode::TEXT, "\"$key\"");
            $texts[] = (string) $one->value;
        }
        $rules = array_map(static fn (Rule $rule): string => $rule::NAME, Findings::rules());
        if (!in_array($texts[0], $rules, true)) {
            $hint = ClosestWord::hint($texts[0], $rules);
            throw BudgetsFile::wrong($node->members['rule'], 'unknown rule "' . Text::printable($texts[0]) . "\"$hint");
        }
        $times = $node->members['times'] ?? null;
        if ($times !== null && (!is_int($times->value) || $times->value < 1)) {
            throw BudgetsFile::wrong($times, '"times" must be a whole number from 1');
        }

        return [new KnownFinding(...$texts), (int) ($times->value ?? 1)];
    }

    public function json(): string
    {
        $subjects = $this->subjects;
        ksort($subjects, SORT_STRING);
        $all = array_map(static fn (BaselineSubject $subject): array => $subject->json(), $subjects);
        $flags = JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;

        return JsonText::visible(JsonText::encode([self::HEAD => self::VERSION, self::SUBJECTS => (object) $all], $flags)) . "\n";
    }
}
