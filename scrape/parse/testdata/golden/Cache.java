package lib;

import java.util.Map;
import static java.lang.Math.*;

/**
 * Cache keeps values. It forgets the oldest.
 *
 * @param <K> the key
 */
@Deprecated
public final class Cache<K> extends Base implements Store {
    public static final int LIMIT = 10;
    private Map<K, String> items;

    public Cache(int size) { super(size); }

    /** Gets a value. */
    @Override
    @SuppressWarnings("unchecked")
    public <T> String get(K key) throws Missing {
        Runnable r = new Runnable() {
            public void run() { drop(key); }
        };
        return items.get(key).trim();
    }

    interface Listener { void dropped(Object key); int WAIT = 5; }
    enum Mode { FAST, SAFE; Mode next() { return SAFE; } }
    record Point(int x, int y) { Point { check(x); } }
    @interface Marked { String value(); }
}
