<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** An exported file would exceed its receiver's limit in bytes. */
final class ExportTooLarge extends \RuntimeException implements XHProfException
{
}
