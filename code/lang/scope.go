package lang

import "cmp"

// A Scope holds the rules by which names of a language are seen: where imports lead, what a call
// may mean, and what the text says of types. With the zero value an import is a path, and what a
// rule would make certain stays a candidate.
//
// It holds for a family of languages that call each other. code/xref goes by it.
type Scope struct {
	Modules Modules
	// ModulePlaces returns the paths of the file of a module, without its ending, for NamedModules.
	ModulePlaces func(module string) []string
	// ModuleRoot is a folder below which such paths are looked for first.
	ModuleRoot string
	// FileEnding is that of imports that are files; others name packages of the build. "" is any.
	FileEnding string
	// Library are the modules that come with the language.
	Library map[string]bool

	// ByPath says that imports name things by a path of names, as calls do.
	ByPath bool
	// BindsModules says that an import without a name inside the module binds the module itself, not
	// the last name of its path.
	BindsModules bool
	// LocalAliases says that a name may stand for another one without an import: a namespace.
	LocalAliases bool
	// NamesModules says that a file names its module itself: "M" of "M.f" says nothing that the
	// import does not. FullNames says that a name before a function is that of its module in full,
	// or the end of it.
	NamesModules, FullNames bool
	// RelativePackages says that a name may begin in the packages around the file.
	RelativePackages bool

	ImplicitThis bool // f() may be a method of the enclosing type
	SharesFolder bool // the files of a folder see each other's names
	MustImport   bool // a bare name of another file must have been imported
	// ClosedModules says that x.f() means something outside of types only if an import says that x
	// holds it.
	ClosedModules bool
	// StrictPackages says that folders of sources and tests may be one package, and that a type
	// inside another one is seen by an import or a base alone. FileIsClass says that a file stands for
	// the class of its name.
	StrictPackages, FileIsClass bool
	// SaysOutside says that a method which the library has too is likelier the library's.
	SaysOutside bool

	DeclaredTypes bool // declared types tell calls apart
	// LooseTypes says that a variable may hold what its declared type does not name: an interface of
	// another package holds a type of this one without saying so.
	LooseTypes bool
	// StrictTypes says that nothing but the text says the type of a variable: one whose value is not
	// followed may hold anything.
	StrictTypes bool
	// NominalTypes says that a type has the bases that its head names, and no others.
	NominalTypes bool
	// ClosedNames says that a name of a type which the view does not define is from outside of it.
	ClosedNames bool
	// Namespaced says that files keep the namespaces that they declare.
	Namespaced bool
	// FollowsTypes says that types are followed to their fields and bases in other files by imports,
	// LocatesTypes that they are found by the definitions of their name.
	FollowsTypes, LocatesTypes bool
	// SharedVariables says that variables outside of functions are seen in other files.
	SharedVariables bool
	// ExtensionMethods says that a method may belong to the type of its parameter "this".
	ExtensionMethods bool
	// ExpectedMethods says that one platform gives a method which common code expects.
	ExpectedMethods bool
	// ReopensTypes says that several definitions of a name may be parts of one type.
	ReopensTypes bool
	// BasesAfterLess says that "<" stands between a type and its base, and opens no parameters.
	BasesAfterLess bool

	Results       Results
	TypeFirst     bool // the type of a parameter stands before its name
	TypeReceivers TypeReceivers
	// CapitalsAreTypes says that a name in capitals alone is that of a type, too. PropertiesAreTypes
	// says that a property may be written like a type. PrimitivesAreTypes says that a primitive type
	// has methods of its own.
	CapitalsAreTypes, PropertiesAreTypes, PrimitivesAreTypes bool
	// Constructors are their names, where they are not named like the type. HiddenConstructors says
	// that a type may have more than the text defines.
	Constructors       []string
	HiddenConstructors bool

	// BuiltinMethods are methods that values of the language itself have: a call on a variable more
	// likely means those. BuiltinTypes are its types and modules.
	BuiltinMethods, BuiltinTypes map[string]bool
}

// Modules says what an import names. code/xref follows each in its own way.
type Modules uint8

// The ways to import.
const (
	PathModules      Modules = iota // a path, from the file or from the root
	FolderPackages                  // a package, which is a folder below the path of its module
	DottedModules                   // a file or a folder by names with dots, from where projects begin
	ScriptModules                   // a path, or a package by its manifest
	CrateModules                    // a path of modules, from the own crate or another one
	DeclaredPackages                // a package, which each of its files declares, and a name in it
	ClassNamespaces                 // a class by its namespace, or a file
	HeaderIncludes                  // a header, which brings all that it includes
	OpaqueNamespaces                // a namespace, which is no file and no folder
	LoadPaths                       // a file, from folders that are not known
	SourceFolders                   // a module, which is a folder of sources
	NamedModules                    // a file by the name of its module
)

// Results says where a signature writes what a function returns.
type Results uint8

// The places of a result.
const (
	ResultAfterColon Results = iota
	ResultFirst              // before the name
	ResultAfterArrow
	ResultLast // behind the parameters, without a mark
)

// TypeReceivers says when the name before a call is that of a type.
type TypeReceivers uint8

// The forms of such names.
const (
	CapitalTypes TypeReceivers = iota // it begins with a capital
	NoTypes                           // never: it may be a variable as well
	ColonTypes                        // a "::" stands behind it
	ClassTypes                        // a "::" stands behind it, and it is no variable
)

// FamilyName returns the name under which languages that call each other are known.
func (l *Language) FamilyName() string { return cmp.Or(l.Family, l.Name) }

// Names returns the rules of the family of a language.
func (l *Language) Names() *Scope {
	if l.Family != "" {
		return &Named(l.Family).Scope
	}
	return &l.Scope
}
