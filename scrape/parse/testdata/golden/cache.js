'use strict';
const fs = require('fs');
import clock from './clock.js';

/** Entries at most. */
const LIMIT = 10, SMALL = 2;

/**
 * Cache keeps values. It forgets the oldest.
 * @param {number} size
 */
export class Cache extends Map {
  #size = 0;
  onDrop = (key) => { drop(key); };

  static of(size) {
    return new Cache(size);
  }

  get [Symbol.iterator]() { return this; }
}

// Opens it.
export const open = async (path) => {
  const read = () => fs.promises.readFile(path);
  return (await read()).toString();
};

var app = exports = module.exports = {};

app.use = function use(fn) {
  each(fn, function visit(x) {
    x();
  });
};

Cache.prototype.clear = function () {};
exports.helper = function () {};

const table = {
  look(key) { return this[key]; },
  'by-name': (name) => name,
};

function* keys() {}

(function () {
  function hidden() {
    return 1;
  }
})();

register(class Entry extends Node {
  touch() {}
});
