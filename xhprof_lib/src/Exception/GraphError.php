<?php

declare(strict_types=1);

namespace XHProf\Exception;

/**
 * Graphviz is missing, failed, or took too long.
 */
final class GraphError extends \RuntimeException implements XHProfException
{
}
