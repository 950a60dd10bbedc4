<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** The beginning of an id, or an id without its source, matches several runs. */
final class AmbiguousRun extends \RuntimeException implements XHProfException
{
}
