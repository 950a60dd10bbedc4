<?php

declare(strict_types=1);

namespace XHProf\Bridge\Symfony;

use Symfony\Bundle\FrameworkBundle\DataCollector\AbstractDataCollector;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\RequestStack;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\DataCollector\LateDataCollectorInterface;
use XHProf\Bridge\Extension;
use XHProf\Bridge\Recorder;

/**
 * What the web profiler keeps of a request: the id of its run. The run itself is read when its panel is opened; where settings
 * record it, it is saved only after this.
 */
final class XHProfDataCollector extends AbstractDataCollector implements LateDataCollectorInterface
{
    public const NAME = 'xhprof';

    public function __construct(private readonly ?Recorder $recorder = null, private readonly ?RequestStack $requests = null)
    {
    }

    public function collect(Request $request, Response $response, ?\Throwable $exception = null): void
    {
        $this->data = [
            'is_main' => $this->requests?->getParentRequest() === null,
            'back' => $request->isMethod('GET') ? $request->getRequestUri() : '',
        ];
    }

    public function lateCollect(): void
    {
        $recorder = $this->recorder;
        if ($recorder !== null && ($this->data['is_main'] ?? false) === true) {
            $this->data += [
                'run' => $recorder->runId(),
                'by_settings' => $recorder->runId() !== null && $recorder->runId() === Extension::runId(),
                'source' => $recorder->source(),
                'problem' => $recorder->problem() ?? Extension::problem(),
            ];
        }
    }

    public function getName(): string
    {
        return self::NAME;
    }

    /** @return string the id of the request's run; '' for none */
    public function getRun(): string
    {
        return $this->text('run');
    }

    public function getSource(): string
    {
        return $this->text('source');
    }

    /** @return string why nothing can be recorded, or was not, as a sentence; '' for nothing */
    public function getProblem(): string
    {
        return $this->text('problem');
    }

    /** Whether settings of php.ini record the request: its run is saved after this, if they keep it. */
    public function isBySettings(): bool
    {
        return ($this->data['by_settings'] ?? false) === true;
    }

    public function isMain(): bool
    {
        return ($this->data['is_main'] ?? true) === true;
    }

    /** @return string the address of the request, to be opened once more; '' where it was a form */
    public function getBack(): string
    {
        return $this->text('back');
    }

    private function text(string $name): string
    {
        $value = $this->data[$name] ?? '';

        return is_string($value) ? $value : '';
    }
}
