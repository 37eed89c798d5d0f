<?php
namespace Lib;

use Lib\Clock;
use Psr\Log\{LoggerInterface, NullLogger};
require_once 'clock.php';

const LIMIT = 10;

/**
 * Cache keeps values. It forgets the oldest.
 */
#[Service]
final class Cache extends Base implements Store
{
    public const MODE = 'fast';
    private array $items = [];

    public function __construct(private Clock $clock) { parent::__construct(); }

    // Gets a value.
    #[Pure]
    public static function get(string $key): ?string
    {
        $f = function ($x) { return trim($x); };
        return self::open($key)->clock->now() ?? new Missing($key);
    }
}

interface Store { public function get(string $key); }
trait Logs { function log() {} }
enum Mode: string { case Fast = 'f'; }

function open(string $path) { return strtolower($path); }
