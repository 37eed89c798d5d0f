package lib
package cache

import lib.clock.Clock
import lib.log.{Log, Level => LogLevel}
import lib.helpers._
import scala.collection.mutable

/** Cache keeps values. It forgets the oldest. */
@deprecated("use Store", "1.0")
class Cache[K](clock: Clock, val size: Int = Cache.Limit) extends Base(clock) with Store[K] {
  private val items = mutable.Map.empty[K, String]
  var reads = 0

  // Gets a value.
  @inline
  override def get(key: K): Option[String] = {
    def trim(s: String) = s.trim
    items.get(key).map(v => trim(v)).orElse(fallback(key))
  }

  def this(path: String) = this(Clock.open(path))

  def +=(key: K): Unit = items.put(key, clock.now().text)

  type Key = K
}

/** Makes caches. */
object Cache {
  val Limit = 10
  final val Mode: String = "fast"

  def apply(path: String): Cache[String] = new Cache(path)

  implicit class Ops(s: String) {
    def shorten(n: Int): String = s.take(n)
  }
}

trait Store[K] {
  def get(key: K): Option[String]
  type Elem
}

sealed abstract class Result
case class Found(value: String) extends Result
case object Missing extends Result

package object helpers {
  def each[T](items: List[T])(f: T => Unit): Unit = items foreach f
}

object Main extends App {
  val cache = Cache("a")
  println(cache.get("b"))
}
