<?php

declare(strict_types=1);

namespace XHProf\Fleet\Ship;

use XHProf\Run\RunMeta;

/** Kinds of runs that can be shipped. */
enum RunKind: string
{
    case Window = 'aggregate';
    case Triggered = 'triggered';
    case Slow = 'slow';

    /** @return self|null null for runs that stay on their host: those of a program's own, of some requests by chance... */
    public static function fromMeta(RunMeta $meta): ?self
    {
        $recording = $meta->recording;

        return match (true) {
            $meta->recording->start === 'aggregate' && $meta->window !== null => self::Window,
            $meta->recording->start === 'trigger' => self::Triggered,
            // With start_with_request=yes only those above save_slower_than_ms are saved, if that is set.
            $recording->savedIf !== null, $recording->start === 'yes' && $recording->mode !== 'alloc' => self::Slow,
            default => null,
        };
    }
}
