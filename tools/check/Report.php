<?php

declare(strict_types=1);

namespace XHProf\Tools\Check;

/** What a suite leaves for its counts and the names of its failures. */
enum Report
{
    /** Its exit code: it is one check, which passes with 0 and is skipped with 77, as in Automake. */
    case ExitCode;
    /** TAP on its output: of Node's test runner, which adds totals; or of several programs in a row, each with a plan. */
    case Tap;
    /** "N passed, N failed[, N skipped]" on its output, "FAIL name" and "again: name" before it; or another make check. */
    case Totals;
    /** The file build/log/NAME.xml, by PHPUnit and run-tests.php. */
    case JUnit;
}
