<?php

declare(strict_types=1);

namespace XHProf\Report;

/** What a finding asks for; programs have the word. */
enum Level: string
{
    /** Nothing. */
    case Ok = 'ok';
    /** To be known. */
    case Note = 'note';
    /** To be changed: a command that checks fails. */
    case Wrong = 'wrong';
    /** To be done: says what, of another finding. */
    case Todo = 'todo';
}
