<?php

declare(strict_types=1);

namespace XHProf\Web\Run;

use XHProf\Web\Http\Request;

/** What a page is about, which the parameters of its address name. */
enum Subject
{
    /** run1 and run2: A (before) and B (after). */
    case Comparison;
    /** run: one, or several with commas. */
    case Run;
    /** The runs of the folder, and all else. */
    case Folder;
    /** Nothing that parameters choose: a file of its own answers, whose name stands for the view. */
    case File;

    public static function named(Request $request): self
    {
        return match (true) {
            $request->has('run1'), $request->has('run2') => self::Comparison,
            $request->has('run') => self::Run,
            default => self::Folder,
        };
    }
}
