package parse

import (
	"slices"
	"testing"
)

// Methods that a class makes by calls must be found by their names, and no method may be made up.
func TestMethodsThatRubyMakes(t *testing.T) {
	got := definitionsOf(`class Lamp
  attr_accessor :size, "shape"
  attr_writer :colour
  private attr_reader :secret
  define_method(:glow) { light }
  define_method "fade" do |by|
    def helper; end
    light(by)
  end
  alias_method :shine, :glow
  alias gleam glow
  delegate :length, :width, to: :size, allow_nil: true
  scope :lit, -> { where(on: true) }
  has_many :bulbs, dependent: :destroy
  belongs_to :owner, optional: true
  enum mode: { on: 1 }
  enum :state, [:a]
  def_delegators :@list, :each, :map
  Point = Struct.new(:x, :y) do
    def far; x; end
  end
  Pair = Data.define(:left)
  included do
    has_one :cover
  end
  def run
    scope :inner
    delegate :other, to: :x
  end
  attr_reader *NAMES
  delegate name, to: :x
end
scope :outside, -> { 1 }
list.delegate :no, to: :x
`, "lamp.rb")
	want := []string{
		"type Lamp", "method Lamp.size", "method Lamp.shape", "method Lamp.colour=", "method Lamp.secret",
		"method Lamp.glow", "method Lamp.fade", "function helper", "method Lamp.shine", "method Lamp.gleam",
		"method Lamp.length", "method Lamp.width", "method Lamp.lit", "method Lamp.bulbs", "method Lamp.owner",
		"method Lamp.mode", "method Lamp.state", "method Lamp.each", "method Lamp.map", "type Lamp.Point",
		"method Point.x", "method Point.y", "method Point.far", "type Lamp.Pair", "method Pair.left",
		"method Lamp.cover", "method Lamp.run",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A heredoc inside a heredoc must end at its own mark, and its text must define nothing.
func TestHeredocsInHeredocs(t *testing.T) {
	for text, want := range map[string][]string{
		"a =\n  <<~ONE\n    x\n    #{\n      <<~TWO\n        def phantom(a)\n        end\n      TWO\n    }\n    y\n" +
			"  ONE\n\nclass Behind\n  def one; 1; end\nend\n": {"type Behind", "method Behind.one"},
		"def both\n  call(<<~A, <<-'B')\n    def no; end\n  A\n    def none; end\n  B\nend\ndef after; end\n": {"function both", "function after"},
		"a = <<~ONE\n  #{f(<<~TWO, <<~SIX)}\n    def no\n  TWO\n    #{<<~TEN}\n      def none\n    TEN\n  SIX\n  x\n" +
			"ONE\ndef after; end\n": {"function after"},
		"a = [1 <<-2]\ndef after; end\nc = <<~ONE\n  d <<~NEVER\nONE\ndef last; end\n": {
			"function after", "function last",
		},
		"def first\n  <<~A\n    one\n  A\nend\ndef second\n  <<~B\n    two\n  B\nend\n": {
			"function first", "function second",
		},
	} {
		if got := definitionsOf(text, "a.rb"); !slices.Equal(got, want) {
			t.Errorf("%s\ngot %q, want %q", text, got, want)
		}
	}
}
