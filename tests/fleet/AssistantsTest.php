<?php

declare(strict_types=1);

namespace XHProf\Tests\Fleet;

use XHProf\Demo\Fleet\Plan;
use XHProf\Demo\Fleet\Simulation;
use XHProf\Mcp\Tools\Desk;
use XHProf\Mcp\Tools\Tool;
use XHProf\Mcp\Tools\Tools;
use XHProf\Mcp\Tools\Words;

require_once __DIR__ . '/FleetTestCase.php';

/** Assistants ask the store by the tool fleet of `xhprof mcp`: each question has an answer, and leads from services to a function. */
final class AssistantsTest extends FleetTestCase
{
    public function testEachQuestionIsAnsweredAndProposesTheNext(): void
    {
        $this->init();
        $this->send(self::listed((new Simulation(self::real(), new Plan(5, hosts: 2, windows: 2, badHosts: 0)))->runs()));
        $tools = new Tools(new Desk(sys_get_temp_dir(), new Words(), null, $this->client('reader')));
        $questions = ['services', 'routes', 'trend', 'functions', 'hosts', 'releases', 'leaks', 'regressions', 'status'];
        foreach ($questions as $question) {
            $answer = $tools->call('fleet', ['question' => $question, 'service' => Plan::SERVICE]);
            self::assertFalse($answer->isError, "$question: $answer->text");
            self::assertLessThanOrEqual(Tool::USUAL_BYTES, strlen($answer->text), $question);
        }

        $asked = [];
        $arguments = ['question' => 'services'];
        while ($arguments !== null && count($asked) < 4) {
            $asked[] = $arguments['question'];
            $answer = $tools->call('fleet', $arguments);
            self::assertFalse($answer->isError, $answer->text);
            $found = preg_match('/^next: fleet (\{.*\}) - [^}]*$/m', $answer->text, $next) === 1;
            $arguments = $found ? json_decode($next[1], true, 8, JSON_THROW_ON_ERROR) : null;
        }
        self::assertSame(['services', 'routes', 'functions', 'function'], $asked);
    }

    public function testAQuestionWithoutItsServiceSaysWhatToAskFirst(): void
    {
        $this->init();
        $tools = new Tools(new Desk(sys_get_temp_dir(), new Words(), null, $this->client('reader')));
        $answer = $tools->call('fleet', ['question' => 'routes']);
        self::assertTrue($answer->isError);
        self::assertStringContainsString('next: fleet {"question":"services"}', $answer->text);
        $answer = $tools->call('fleet', ['question' => 'function', 'service' => Plan::SERVICE, 'function' => 'no such function']);
        self::assertTrue($answer->isError);
        self::assertStringContainsString('no host has sent a function of this name', $answer->text);
    }
}
