<?php

declare(strict_types=1);

namespace XHProf\Exception;

/** The mean of several runs was asked for what only one run has. */
final class NotOfMean extends \RuntimeException implements XHProfException
{
}
