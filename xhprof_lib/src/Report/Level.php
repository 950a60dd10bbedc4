<?php

declare(strict_types=1);

namespace XHProf\Report;

/** What a finding asks for, and the word that programs have: nothing, to know it, to change it; or it says what to do. */
enum Level: string
{
    case Ok = 'ok';
    case Note = 'note';
    case Wrong = 'wrong';
    case Todo = 'todo';
}
