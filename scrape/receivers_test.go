package scrape_test

import (
	"strings"
	"testing"
)

// In each file only one type has the method. A function whose name contains "yes" calls it on a
// receiver whose type the text gives. One whose name contains "no" calls a method with the same
// name of a type from elsewhere.
const receivers = `
-- go.mod --
module example.org/app
-- go/lamp.go --
package lamp

import (
	"sync"

	"example.com/shop"
)

type Lamp struct{}

func (l *Lamp) Glow() {}

func Make() (*Lamp, error) { return nil, nil }

type Room struct {
	lamp  *Lamp
	other shop.Lamp
	pool  sync.Map
	Lamp
}

var spare = shop.Make()

func yesMade()           { l, _ := Make(); l.Glow() }
func yesAlias(r *Room)   { l := r.lamp; l.Glow() }
func yesAssert(v any)    { v.(*Lamp).Glow() }
func (r *Room) yesField() { r.lamp.Glow() }
func yesEmbedded(r Room) { r.Glow() }
func noMade()            { l := shop.Make(); l.Glow() }
func noSecond()          { _, err := Make(); err.Glow() }
func (r *Room) noField() { r.other.Glow() }
func (r *Room) noPool()  { r.pool.Glow() }
func noParam(l shop.Lamp) { l.Glow() }
func noShared()          { spare.Glow() }
func noChain()           { shop.Make().Glow() }
-- go/other.go --
package lamp

func noSharedElsewhere() { spare.Glow() }
-- cs/Lamp.cs --
namespace Home {
public class Lamp { public void GlowC() {} public static void LightC() {} }
public static class Ext { public static void DimC(this Lamp l) {} }
public class Use {
  Foreign f; Lamp own;
  public Lamp Prop { get; set; }
  void YesNew() { var l = new Lamp(); l.GlowC(); }
  void YesField() { own.GlowC(); }
  void YesProp() { this.Prop.GlowC(); }
  void YesCast(object o) { ((Lamp)o).GlowC(); }
  void YesPattern(object o) { if (o is Lamp l) l.GlowC(); }
  void YesOut() { Make(out Lamp l); l.GlowC(); }
  void NoNew() { var l = new Foreign(); l.GlowC(); }
  void NoField() { f.GlowC(); }
  void NoCast(object o) { (o as Foreign).GlowC(); }
  void NoText() { "a".GlowC(); }
  void NoCaught() { try {} catch (Foreign e) { e.GlowC(); } }
  void YesStatic() { Lamp.LightC(); }
  void YesStaticPath() { Home.Lamp.LightC(); }
  void NoStatic() { Shop.Lamp.LightC(); int.LightC(); Foreign.LightC(); }
}
}
-- java/home/Lamp.java --
package home;
public class Lamp { public void glowJ() {} public static void lightJ() {} static Lamp make() { return null; } }
-- java/home/Use.java --
package home;
import other.Foreign;
class Use {
  Foreign f; Lamp own;
  void yesVar() { var l = new Lamp(); l.glowJ(); }
  void yesMade() { var l = Lamp.make(); l.glowJ(); }
  void yesChain() { Lamp.make().glowJ(); }
  void yesCast(Object o) { ((Lamp) o).glowJ(); }
  void yesMatch(Object o) { if (o instanceof Lamp l) l.glowJ(); }
  void noVar() { var l = new Foreign(); l.glowJ(); }
  void noMade() { var l = Foreign.make(); l.glowJ(); }
  void noText() { "a".glowJ(); }
  void noCaught() { try { f(); } catch (Foreign | Other e) { e.glowJ(); } }
  void yesStatic() { Lamp.lightJ(); }
  void noStatic() { shop.Lamp.lightJ(); java.util.UUID.lightJ(); Foreign.lightJ(); Unknown.lightJ(); }
}
-- php/Lamp.php --
<?php
namespace Home;
class Lamp { function glowP() {} static function lightP() {} static function make(): static {} }
class Room {
  private Lamp $own; private \Shop\Lamp $f;
  function __construct(private Lamp $kept, private Foreign $foreign) {}
  function yesField() { $this->own->glowP(); }
  function yesPromoted() { $this->kept->glowP(); }
  function yesParam(?Lamp $l) { $l->glowP(); }
  function yesNew() { $l = new Lamp(); $l->glowP(); }
  function noField() { $this->f->glowP(); }
  function noPromoted() { $this->foreign->glowP(); }
  function noNew() { $l = new \Shop\Lamp(); $l->glowP(); }
  function yesStatic() { Lamp::lightP(); }
  function noStatic() { \Shop\Lamp::lightP(); \Lamp::lightP(); Foreign::lightP(); }
}
-- kt/Lamp.kt --
package home
class Lamp {
    fun glowK() {}
    companion object { fun lightK() {} }
}
class Use(private val f: Foreign, val own: Lamp) {
    fun yesField() { own.glowK() }
    fun yesMade() { val l = Lamp(); l.glowK() }
    fun yesChain() { Lamp().glowK() }
    fun yesCast(o: Any) { (o as Lamp).glowK() }
    fun noField() { f.glowK() }
    fun noMade() { val l = Foreign(); l.glowK() }
    fun noText() { "a".glowK() }
    fun noParam(l: shop.Lamp) { l.glowK() }
}
-- scala/Lamp.scala --
package home
class Lamp { def glowS() = 1 }
class Use(f: Foreign, own: Lamp) {
  def yesField() = own.glowS()
  def yesNew() = { val l = new Lamp; l.glowS() }
  def yesChain() = new Lamp().glowS()
  def noField() = f.glowS()
  def noNew() = { val l = new Foreign(); l.glowS() }
  def noText() = "a".glowS()
  def noName() = Foreign.glowS()
}
-- swift/Lamp.swift --
struct Lamp { func glowW() {}; static func lightW() {} }
struct Use {
  let f: Foreign
  let own: Lamp
  func yesField() { own.glowW() }
  func yesSelf() { self.own.glowW() }
  func yesMade() { let l = Lamp(); l.glowW() }
  func yesChain() { Lamp().glowW() }
  func noField() { f.glowW() }
  func noMade() { let l = Foreign(); l.glowW() }
  func noCast(o: Any) { (o as! Foreign).glowW() }
  func yesStatic() { Lamp.lightW() }
  func noStatic() { Foreign.lightW() }
}
-- ts/lamp.ts --
import { Foreign } from "foreign";
export class Lamp { glowT() {} static lightT() {} }
function make(): Lamp { return new Lamp() }
async function later(): Promise<Lamp> { return new Lamp() }
export const shared = new Map<string, Lamp>();
export class Use {
  private kept;
  constructor(private f: Foreign, private own: Lamp) { this.kept = new Lamp(); }
  yesField() { this.own.glowT(); }
  yesMade() { const l = make(); l.glowT(); }
  yesChain() { make().glowT(); }
  async yesLater() { const l = await later(); l.glowT(); }
  yesCast(o: any) { (o as Lamp).glowT(); }
  yesKept() { this.kept.glowT(); }
  noField() { this.f.glowT(); }
  noMade() { const l = Foreign.make(); l.glowT(); }
  noUnion(l: Lamp2 | Foreign) { l.glowT(); }
  noArray(l: Lamp[]) { l.glowT(); }
  noText() { "a".glowT(); [1].glowT(); }
  yesStatic() { Lamp.lightT(); }
  noStatic() { Unknown.lightT(); Number.lightT(); }
}
-- ts/use.ts --
import { shared } from "./lamp";
export function noShared() { shared.glowT(); }
-- py/lamp.py --
from foreign import Foreign
import foreign

class Lamp:
    def glow_p(self): pass
    @classmethod
    def light_p(cls): pass

def make() -> Lamp:
    return Lamp()

class Use:
    def __init__(self, own: Lamp, other: Foreign):
        self.own = own
        self.other = other
        self.kept = Lamp()
    def yes_field(self): self.own.glow_p()
    def yes_kept(self): self.kept.glow_p()
    def no_field(self): self.other.glow_p()

def yes_made(): l = make(); l.glow_p()
def yes_chain(): Lamp().glow_p()
def yes_optional(l: "Optional[Lamp]" = None): l.glow_p()
def no_made(): l = foreign.make(); l.glow_p()
def no_chain(): foreign.Lamp().glow_p()
def no_text(): "a".glow_p()
def no_list(): [1].glow_p()
def yes_static(): Lamp.light_p()
def no_static(): Foreign.light_p(); foreign.Lamp.light_p()
-- rb/lamp.rb --
module Home
  class Lamp; def glow_r; end; def self.light_r; end; end
  class Use
    def initialize; @own = Lamp.new; @f = Foreign.new; end
    def yes_field; @own.glow_r; end
    def yes_made; l = Lamp.new; l.glow_r; end
    def yes_chain; Lamp.new.glow_r; end
    def no_field; @f.glow_r; end
    def no_made; l = Foreign.new; l.glow_r; end
    def no_text; "a".glow_r; end
    def yes_static; Lamp.light_r; Home::Lamp.light_r; end
    def no_static; Shop::Lamp.light_r; Time.light_r; end
  end
end
-- cpp/lamp.cpp --
namespace home {
struct Lamp { void glowX() {} static void lightX() {} };
Lamp* make() { return nullptr; }
struct Use {
  Lamp* own; shop::Lamp* f;
  void yesField() { own->glowX(); }
  void yesMade() { auto l = make(); l->glowX(); }
  void yesNew() { auto* l = new Lamp(); l->glowX(); }
  void yesCast(void* o) { static_cast<Lamp*>(o)->glowX(); }
  void noField() { f->glowX(); }
  void noMade() { auto l = shop::make(); l->glowX(); }
  void noLoop() { for (Foreign& l : all) l.glowX(); }
  void yesStatic() { Lamp::lightX(); home::Lamp::lightX(); }
  void noStatic() { shop::Lamp::lightX(); Foreign::lightX(); }
};
}
-- ex/lamp.ex --
defmodule Home.Lamp do
  def light_e(_), do: 1
end
defmodule Use do
  def yes_path, do: Home.Lamp.light_e(1)
  def no_path, do: Shop.Lamp.light_e(1)
  def no_name, do: Date.light_e(1)
end
-- lua/lamp.lua --
local Lamp = {}
function Lamp.light_l() end
local function yes_own() Lamp.light_l() end
local function no_library() string.light_l() end
return Lamp
`

func TestReceiversOfOneMethod(t *testing.T) {
	r := project(t, receivers)
	for name := range strings.FieldsSeq(`Glow GlowC LightC glowJ lightJ glowP lightP glowK glowS glowW lightW glowT
		lightT glow_p light_p glow_r light_r glowX lightX light_e light_l`) {
		called := make(map[string]bool)
		for _, f := range ask(t, r, "callers", name).Facts {
			last := strings.ToLower(f.Symbol[strings.LastIndexByte(f.Symbol, '.')+1:])
			switch {
			case f.Candidate:
			case !strings.HasPrefix(last, "yes"):
				t.Errorf("%s: %s is a certain caller: %s, %s", name, f.Symbol, f.Written, f.Reason)
			default:
				called[f.DocID] = true
			}
		}
		for _, f := range ask(t, r, "functions", "**").Facts {
			last := strings.ToLower(f.Symbol[strings.LastIndexByte(f.Symbol, '.')+1:])
			static := strings.Contains(last, "static") || strings.HasPrefix(last, "yes_path") ||
				strings.HasPrefix(last, "yes_own")
			if strings.HasPrefix(last, "yes") && static == strings.HasPrefix(strings.ToLower(name), "light") &&
				sameFolder(f.Path, ask(t, r, "functions", name).Facts[0].Path) && !called[f.DocID] {
				t.Errorf("%s: %s is no certain caller", name, f.Symbol)
			}
		}
	}
}

func sameFolder(a, b string) bool {
	a, _, _ = strings.Cut(a, "/")
	b, _, _ = strings.Cut(b, "/")
	return a == b
}
