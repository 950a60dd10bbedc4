<?php

declare(strict_types=1);

namespace XHProf\Source;

/** Where a closure is written. */
final class ClosurePosition
{
    /**
     * @param string $class   the class or trait around it, '' for none; "class@anonymous" of one without a name
     * @param string $within  "map{closure#2}": the second closure of the method or function map, "{closure#1}": the first of the
     *     file's own code or of the class, "map{closure#2}{closure#1}": the first within that closure
     */
    public function __construct(
        public readonly string $class,
        public readonly bool $isTrait,
        public readonly string $within,
    ) {
    }

    /**
     * @param string $scope class that the run names before the closure, '' for none
     * @param string $file  "dir/file.php", as the run names it
     *
     * @return string "Class::map{closure#2}", "helper{closure#1}", "dir/file.php{closure#1}"
     */
    public function name(string $scope, string $file): string
    {
        // Methods of a trait run as methods of the class that uses it.
        $isAnonymous = $this->class === 'class@anonymous' && str_ends_with($scope, '@anonymous');
        $class = $isAnonymous || ($this->isTrait && $scope !== '') ? $scope : $this->class;
        $within = match (true) {
            $class !== '' && str_starts_with($this->within, '{') => "$class$this->within",
            $class !== '' => "$class::$this->within",
            str_starts_with($this->within, '{') => "$file$this->within",
            default => $this->within,
        };

        // Closure::bind() has given it another class.
        return $scope === $class || $scope === '' ? $within : "$scope::$within";
    }
}
