<?php

declare(strict_types=1);

namespace XHProf\Status;

use XHProf\Format\Text;
use XHProf\Format\Units;
use XHProf\Report\Finding;
use XHProf\Report\FindingList;
use XHProf\Run\OriginText;

/** Findings about php.ini, or about pools with the same settings over it. */
final class CheckedSetup
{
    /**
     * @param list<FpmPool> $pools    none for php.ini alone
     * @param list<Finding> $settings
     * @param list<Finding> $files
     */
    public function __construct(
        public readonly array $pools,
        public readonly PhpSetup $php,
        public readonly FolderState $folder,
        private readonly array $settings,
        private readonly array $files,
    ) {
    }

    /**
     * @param list<string> $lead above the settings
     *
     * @return list<FindingList> of the settings, and of the folder
     */
    public function lists(array $lead): array
    {
        $files = implode(', ', array_unique(array_column($this->pools, 'file')));
        $names = $this->pools === [] ? [] : [ucfirst($this->names()) . ", $files"];

        return [
            new FindingList($this->settings, lead: [...$lead, ...$names]),
            new FindingList($this->files, lead: ["Runs in {$this->folder->path}"], below: $this->contents()),
        ];
    }

    /** "pool www", "pools api and www"; '' for none. */
    private function names(): string
    {
        $names = array_column($this->pools, 'name');
        $last = (string) array_pop($names);

        return $names === [] ? ($last === '' ? '' : "pool $last") : 'pools ' . implode(', ', $names) . " and $last";
    }

    /** @return list<string> what to do, with the names of the pools if there are others */
    public function todo(bool $isOne): array
    {
        $todo = array_values(array_filter(array_column([...$this->settings, ...$this->files], 'todo')));

        return $isOne ? array_map(fn (string $line): string => "{$this->names()}: $line", $todo) : $todo;
    }

    /** @return list<string> contents of the folder, printable */
    private function contents(): array
    {
        $folder = $this->folder;
        if (!$folder->exists) {
            return [];
        }
        if (!$folder->isReadable) {
            return ['only its owner may list the runs'];
        }
        if (!$folder->isListable) {
            return ['runs that this PHP cannot list'];
        }
        if ($folder->newest === null) {
            return ['no runs yet'];
        }
        $share = static fn (int $count, int $most): string
            => $most > 0 ? ' (' . Units::percent($count, $most) . ' of the limit)' : '';
        $kinds = [];
        foreach ($folder->starts as $start => $count) {
            $kinds[] = (OriginText::start($start)['text'] ?? 'by the program') . ' ' . Units::count($count);
        }
        $newest = $folder->newest;
        $when = $newest->time > 0 ? Check::ago(time() - (int) $newest->time) : 'time unknown';

        return [
            Units::counted($folder->runs, 'run') . $share($folder->runs, $this->php->number('max_runs')) . ', '
                . Units::bytes($folder->bytes) . $share($folder->bytes, $this->php->number('max_bytes')),
            implode(', ', $kinds),
            "newest: $when  " . Text::printable($newest->title),
        ];
    }

    /** @return array<string, mixed> */
    public function json(): array
    {
        [$php, $folder] = [$this->php, $this->folder];
        $secret = ['xhprof.trigger_value' => $php->text('trigger_value') === '' ? '' : '(set)'];

        return [
            'settings' => $php->settings === [] ? new \stdClass() : $secret + $php->settings,
            'folder' => [
                'path' => $folder->path,
                'exists' => $folder->exists,
                'readable' => $folder->exists && $folder->isReadable && $folder->isListable,
                'writable' => $folder->isWritable,
                'runs' => $folder->runs,
                'bytes' => $folder->bytes,
                'starts' => (object) $folder->starts,
                'newest' => $folder->newest === null ? null : ['id' => $folder->newest->id->id, 'time' => $folder->newest->time],
                'spools' => $folder->spools,
            ],
            'findings' => (new FindingList([...$this->settings, ...$this->files]))->json(),
        ];
    }
}
