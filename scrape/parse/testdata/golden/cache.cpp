#include <map>
LIB_BEGIN_EXPORT

namespace lib {

/// Cache keeps values.
template <typename K>
class LIB_API Cache : public Base {
 public:
  explicit Cache(int size) : size_(size) {}
  ~Cache();
  V get(const K& key) const;
  bool operator==(const Cache& o) const { return size_ == o.size_; }
  operator bool() const { return size_ > 0; }
  struct Node { int key; };
 private:
  int size_;
};

using Key = std::string;
enum class Mode { fast, safe };
constexpr int limit = 10;

template <typename K>
V Cache<K>::get(const K& key) const {
  auto f = [&](int x) { return other::find<K>(x); };
  return items_.at(key).value(f);
}

inline LIB_INLINE void open() { static_cast<void>(std::make_unique<Key>()); }

}  // namespace lib
