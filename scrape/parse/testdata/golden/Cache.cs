using System.Collections.Generic;
using Log = Lib.Logging.Logger;

namespace Lib
{
    /// <summary>
    /// Cache keeps values. It forgets the oldest.
    /// </summary>
    [Serializable]
    public sealed class Cache<K> : Base, IStore where K : class
    {
        public const int Limit = 10;
        private static readonly object Gate = new object();
        private int size, used;
        public int Size { get; set; }

        public Cache(int size) : base(size) { }

        [Pure]
        public async Task<V> Get(K key)
        {
            int Local(int x) => x + 1;
            return await items.Find<K>(key)?.Load(() => Clock.Now());
        }

#if NET8_0_OR_GREATER
        [Obsolete("Ask Get.")]
#endif
        public V Peek(K key) => items[key];

        public static bool operator ==(Cache<K> a, Cache<K> b) => true;
        public static implicit operator int(Cache<K> c) => c.size;
    }

    public interface IStore { void Put(object key); }
    public record Point(int X, int Y);
    public enum Mode { Fast, Safe }
    public delegate void Dropped(object key);
    struct Node { }
}
