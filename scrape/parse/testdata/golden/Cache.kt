@file:JvmName("Caches")
package lib.cache

import lib.Clock
import lib.log.Log as Logger
import lib.helpers.*

/** Entries at most. */
const val LIMIT = 10
private val names = listOf("a")
var count = 0

typealias Key = String

/**
 * Cache keeps values. It forgets the oldest.
 */
@Service
open class Cache<K>(private val clock: Clock, val size: Int = LIMIT) : Base(clock), Store<K> {
    private val items = HashMap<K, String>()

    init {
        items.clear()
    }

    constructor(path: String) : this(Clock.open(path)) {
        load(path)
    }

    // Gets a value.
    @Synchronized
    override fun get(key: K): String? {
        fun trim(s: String) = s.trim()
        return items[key]?.let { trim(it) } ?: clock.now().toText()
    }

    val isEmpty: Boolean
        get() = items.isEmpty()

    companion object {
        const val MODE = "fast"

        @JvmStatic
        fun open(path: String) = Cache<String>(path)
    }

    inner class Entry(val key: K)
}

interface Store<K> {
    fun get(key: K): String?
}

enum class Mode(val code: Int) {
    FAST(1) {
        override fun label() = "fast"
    },
    SLOW(2);

    open fun label(): String = name
}

sealed interface Result
data class Found(val value: String) : Result
object Missing : Result

/** Shortens a text. */
fun String.shorten(limit: Int): String = take(limit)

suspend fun <T> List<T>.each(f: suspend (T) -> Unit) {
    for (x in this) f(x)
}

val String.first: Char get() = this[0]

fun interface Visitor { fun visit(x: Any) }

annotation class Service
