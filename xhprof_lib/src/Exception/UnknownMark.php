<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * A report was asked for marks that the run did not make, or in the wrong order.
 */
final class UnknownMark extends \InvalidArgumentException implements XHProfException
{
}
