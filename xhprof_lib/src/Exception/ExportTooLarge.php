<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * An exported file would have more bytes than its receiver takes.
 */
final class ExportTooLarge extends \RuntimeException implements XHProfException
{
}
