<?php

declare(strict_types=1);

namespace XHProf\Memory;

use XHProf\Exception\InvalidProfile;
use XHProf\Profile\SavedColumns;

/** The jobs of a worker that have ended with marks, and the size of PHP's heap at each mark. */
final class MarkedJobs
{
    /** A mark that no job has ended with. */
    private const NONE = -1;

    /**
     * @param list<string> $names
     * @param list<int> $job  per mark, the first one at 0: an index of a name, or NONE
     * @param list<int> $size per mark: bytes of PHP's heap
     */
    private function __construct(public readonly array $names, private readonly array $job, private readonly array $size)
    {
    }

    /**
     * @param array<mixed> $data the document "memory" of a run
     *
     * @return self|null null where no job has ended with a mark
     *
     * @throws InvalidProfile
     */
    public static function fromArray(array $data, int $marks): ?self
    {
        $columns = $data['at_marks'] ?? null;
        if (!is_array($columns)) {
            return null;
        }
        $names = $data['jobs'] ?? null;
        // Programs name their spans: unlike a function's, a name may be a number, or empty.
        if (!is_array($names) || !array_is_list($names) || array_filter($names, is_string(...)) !== $names) {
            throw new InvalidProfile('the list of jobs has no names');
        }
        $job = SavedColumns::integers($columns['job'] ?? null, '"job" of the marks', self::NONE, null, count($names) - 1);
        if (count($job) > $marks) {
            throw new InvalidProfile('it has more jobs than marks');
        }

        return new self($names, $job, SavedColumns::integers($columns['size'] ?? null, '"size" of the marks', 0, count($job)));
    }

    /** @return int|null index of the job that has ended with this mark, the first one is 1; null: none, or not known */
    public function of(int $mark): ?int
    {
        $job = $this->job[$mark - 1] ?? self::NONE;

        return $job === self::NONE ? null : $job;
    }

    /** @return int|null bytes by which the heap has grown from the mark before to this one; null: not known */
    public function growth(int $mark): ?int
    {
        return isset($this->size[$mark - 1], $this->size[$mark - 2]) ? $this->size[$mark - 1] - $this->size[$mark - 2] : null;
    }
}
