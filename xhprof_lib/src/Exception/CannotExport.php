<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** A format needs data that the run does not have: call paths, or a metric. */
final class CannotExport extends \RuntimeException implements XHProfException
{
}
