package lib

import lib.clock.{given, *}

/** How fast. */
enum Mode(val code: Int):
  case Fast extends Mode(1)
  case Slow extends Mode(2)

  def label: String = toString.toLowerCase

trait Show[A]:
  extension (a: A) def show: String

given Show[Int] with
  extension (a: Int) def show = a.toString

given intOrd: Ordering[Int] = Ordering.natural

extension (s: String)
  /** Shortens a text. */
  def shorten(n: Int): String = s.take(n)

opaque type Key = String

class Cache(clock: Clock):
  private val items = List.empty[Key]

  def get(key: Key): Option[String] =
    val found = items.find(_ == key)
    found.map(clock.stamp)
end Cache

def topLevel(x: Int) = helper(x)

val limit = 10

@main def run(): Unit =
  println(topLevel(limit))
