<?php

declare(strict_types=1);

namespace XHProf\Cli;

use XHProf\Format\Text;
use XHProf\Profile\CallTree;
use XHProf\Profile\Profile;
use XHProf\Store\RunId;
use XHProf\Store\RunMeta;
use XHProf\Store\RunStore;

/** A run that was found and read, from the run folder or from a file elsewhere. */
final class OpenedRun
{
    /**
     * @param RunId|null $id   null for a file that is not named like a run
     * @param string     $file path of the .xhprof file
     */
    public function __construct(
        public readonly Profile $profile,
        public readonly RunMeta $meta,
        public readonly ?RunId $id,
        public readonly string $file,
        private readonly RunStore $store,
    ) {
    }

    /** The call tree, null when none was saved with the run. */
    public function tree(): ?CallTree
    {
        return $this->id === null ? null : $this->store->tree($this->id);
    }

    /** One printable line: "4f0c91ab (xhprof) php a.php". */
    public function title(): string
    {
        if ($this->id === null) {
            return Text::printable($this->file);
        }
        $title = $this->meta->title();

        return sprintf('%s (%s)', $this->id->id, $this->id->source) . ($title === $this->id->source ? '' : "  $title");
    }

    /** @return array<string, mixed> for --json */
    public function describe(): array
    {
        return ['id' => $this->id?->id, 'source' => $this->id?->source, 'file' => $this->file]
            + ['meta' => $this->meta->toArray()];
    }
}
