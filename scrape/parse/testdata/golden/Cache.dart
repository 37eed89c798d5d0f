import 'dart:async';

/// Entries at most.
const limit = 10;

/// Cache keeps values. It forgets the oldest.
class Cache<K> extends Base {
  final Map<K, String> items = {};

  Cache(this.size);

  // Gets a value.
  @override
  Future<String?> get(K key) async {
    if (items.isEmpty) {
      return null;
    }

    return items[key];
  }

  bool get isEmpty => items.isEmpty;
}

void main(List<String> args) {
  print(Cache(1));
}
