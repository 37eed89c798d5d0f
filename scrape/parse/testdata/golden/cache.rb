require 'set'
require_relative "clock"

# Lib holds the cache.
module Lib
  LIMIT = 10
  Point = Struct.new(:x, :y)

  # Cache keeps values.
  # It forgets the oldest.
  class Cache < Base::Store
    attr_reader :size

    def initialize(size) = @size = size

    def [](key)
      @items.fetch(key) { Clock.now }
    end

    def self.open(path)
      new(path).tap { |c| c.clear! }
    end

    class << self
      def empty?; true; end
    end
  end

  class Missing::Key < StandardError; end
end
