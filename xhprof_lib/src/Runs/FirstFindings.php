<?php

declare(strict_types=1);

namespace XHProf\Runs;

use XHProf\Exception\XHProfException;
use XHProf\Findings\Finding;
use XHProf\Findings\Findings;
use XHProf\Format\Text;
use XHProf\Store\RunEntry;
use XHProf\Store\RunFolder;

/**
 * The first finding of runs in a few words, for lists. It is computed when it is asked for, and kept in the folder's index until
 * the run or the rules change.
 *
 * @phpstan-type Brief array{text: string, rule: string, function: string}
 */
final class FirstFindings
{
    /** Bytes of runs that are read while a page is made: some 0.1 s. Scripts ask for the rest. */
    public const FOR_PAGE = 4 << 20;

    /** Likewise by one request of a script, and by a command. */
    public const FOR_REQUEST = 32 << 20;
    public const FOR_COMMAND = 64 << 20;

    /** Bytes of a run that is not read for a list: its own page has its findings. */
    public const TOO_LARGE = 128 << 20;

    /** What a run takes beside its bytes, in bytes that would take as long. */
    private const EACH = 32 << 10;

    /** Characters of a text: it is part of a line. */
    private const LONGEST = 100;

    /** Characters of a name. */
    private const LONGEST_NAME = 500;

    /** @var array<string, Brief|null> by "id.source"; null for a run that has none */
    private array $known = [];

    public function __construct(private readonly RunFolder $store)
    {
    }

    /**
     * Looks for the findings of runs, those that are known already at once.
     *
     * @param list<RunEntry> $runs
     * @param int            $budget  bytes of new runs to read: a bound of time that does not change with how busy the machine is
     *
     * @throws \XHProf\Exception\StoreError if the folder cannot be read
     */
    public function read(array $runs, int $budget): void
    {
        $isFirst = $budget > self::FOR_PAGE;
        $maker = Findings::version();
        foreach ($this->store->catalog()->notes($runs, $maker) as $name => $note) {
            $kept = json_decode($note, true);
            $this->known[$name] = self::brief(is_array($kept) ? $kept : []);
        }
        $new = [];
        foreach ($runs as $run) {
            $name = (string) $run->id;
            if (array_key_exists($name, $this->known)) {
                continue;
            }
            if ($run->error !== null) {
                $this->known[$name] = null;
                continue;
            }
            $cost = $run->size + self::EACH;
            // Asked for again and again, even the largest gets its turn.
            if (self::isTooLarge($run) || ($cost > $budget && !$isFirst)) {
                continue;
            }
            $isFirst = false;
            $budget -= $cost;
            $this->known[$name] = $this->find($run);
            $new[] = [$run, (string) json_encode($this->known[$name] ?? [], JSON_INVALID_UTF8_SUBSTITUTE)];
        }
        $this->store->catalog()->keepNotes($new, $maker);
    }

    /** @return Brief|null null also where it is not known */
    public function of(RunEntry $run): ?array
    {
        return $this->known[(string) $run->id] ?? null;
    }

    /** Whether it is so large that only its own page has its findings. */
    public static function isTooLarge(RunEntry $run): bool
    {
        return $run->size > self::TOO_LARGE;
    }

    /** Whether the run was looked at. */
    public function knows(RunEntry $run): bool
    {
        return array_key_exists((string) $run->id, $this->known);
    }

    /** @return Brief|null */
    private function find(RunEntry $run): ?array
    {
        try {
            $found = Findings::of($this->store->open($run->id));
        } catch (XHProfException) {
            return null; // its page says what is wrong with it
        }

        // What the machine did is nothing to look at in a program.
        $first = array_values(array_filter($found, static fn (Finding $one): bool => $one->isProgram))[0] ?? null;

        return $first === null ? null : [
            'text' => self::cut($first->brief(), self::LONGEST),
            'rule' => $first->rule,
            'function' => self::cut(Text::utf8($first->symbol), self::LONGEST_NAME),
        ];
    }

    private static function cut(string $text, int $most): string
    {
        return mb_strlen($text, 'UTF-8') > $most ? mb_substr($text, 0, $most - 1, 'UTF-8') . '…' : $text;
    }

    /**
     * @param array<mixed> $kept
     *
     * @return Brief|null
     */
    private static function brief(array $kept): ?array
    {
        [$text, $rule, $function] = [$kept['text'] ?? '', $kept['rule'] ?? '', $kept['function'] ?? ''];

        return is_string($text) && is_string($rule) && is_string($function) && $text !== ''
            ? ['text' => $text, 'rule' => $rule, 'function' => $function]
            : null;
    }
}
