package lang

import "patina/store/text"

// A Scope has the rules by which names of a language are seen: where imports lead, what a call may
// mean, and what the text shows about types. With the zero value an import is a path, and calls
// that a rule would make certain stay candidates.
//
// It applies to a family of languages that call each other. code/xref uses it.
type Scope struct {
	Modules Modules
	// ModulePlaces returns the paths of a module's file, without its extension. It must not be nil
	// for NamedModules.
	ModulePlaces func(module string) []string
	// ModuleRoot is a folder below which such paths are looked for first, or "".
	ModuleRoot string
	// FileEnding is the extension of imports that are files. Others name packages of the build. ""
	// means any.
	FileEnding string
	// Library are the modules that come with the language.
	Library *text.WordSet

	// ByPath says that imports name things by a path of names, as calls do.
	ByPath bool
	// BindsModules says that an import without a name inside the module binds the module itself,
	// and not the last name of its path.
	BindsModules bool
	// LocalAliases says that a name may mean another one without an import: a namespace.
	LocalAliases bool
	// NamesModules says that a file names its module itself, so that "M" of "M.f" adds nothing to
	// the import. FullNames says that a name before a function is that of its module in full, or
	// the end of it.
	NamesModules, FullNames bool
	// RelativePackages says that a name may begin in the packages around the file.
	RelativePackages bool

	ImplicitThis bool // f() may be a method of the enclosing type
	SharesFolder bool // the files of a folder see each other's names
	MustImport   bool // a bare name of another file must have been imported
	// ClosedModules says that x.f() means something outside types only if an import says that x
	// contains it.
	ClosedModules bool
	// StrictPackages says that folders of sources and tests may be one package, and that a type
	// inside another one is seen by an import or a base alone. FileIsClass says that a file means
	// the class with its name.
	StrictPackages, FileIsClass bool
	// SaysOutside says that a method which the library also has is more likely the library's.
	SaysOutside bool

	DeclaredTypes bool // declared types tell calls apart
	// LooseTypes says that a variable may have another type than the declared one, because an
	// interface of another package may contain a type of this one without saying so.
	LooseTypes bool
	// StrictTypes says that only the text gives the type of a variable: one whose value is not
	// followed may have any type.
	StrictTypes bool
	// NominalTypes says that a type has the bases that its head names, and no others.
	NominalTypes bool
	// ClosedNames says that a name of a type which the view does not define is from outside it.
	ClosedNames bool
	// Namespaced says that files keep the namespaces that they declare.
	Namespaced bool
	// FollowsTypes says that types are followed to their fields and bases in other files by
	// imports. LocatesTypes says that they are found by the definitions of their name.
	FollowsTypes, LocatesTypes bool
	// SharedVariables says that variables outside functions are seen in other files.
	SharedVariables bool
	// ExtensionMethods says that a method may belong to the type of its parameter "this".
	ExtensionMethods bool
	// ExpectedMethods says that one platform implements a method which common code expects.
	ExpectedMethods bool
	// ReopensTypes says that several definitions of a name may be parts of one type.
	ReopensTypes bool
	// BasesAfterLess says that "<" separates a type from its base, and opens no parameters.
	BasesAfterLess bool

	Results       Results
	TypeFirst     bool // the type of a parameter is before its name
	TypeReceivers TypeReceivers
	// CapitalsAreTypes says that a name of only capitals may be a type too. PropertiesAreTypes says
	// that a property may be written like a type. PrimitivesAreTypes says that a primitive type has
	// methods of its own.
	CapitalsAreTypes, PropertiesAreTypes, PrimitivesAreTypes bool
	// Constructors are the names of constructors, if they are not named like the type.
	// HiddenConstructors says that a type may have more than the text defines.
	Constructors       []string
	HiddenConstructors bool

	// BuiltinMethods are methods of the language's own values: a call on a variable more likely
	// means one of them. BuiltinTypes are its types and modules.
	BuiltinMethods, BuiltinTypes *text.WordSet
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

// Results says where a signature has the type of its result.
type Results uint8

// The places of a result.
const (
	ResultAfterColon Results = iota
	ResultFirst              // before the name
	ResultAfterArrow
	ResultLast // after the parameters, without a mark
)

// TypeReceivers says when the name before a call is that of a type.
type TypeReceivers uint8

// The forms of such names.
const (
	CapitalTypes TypeReceivers = iota // it begins with a capital
	NoTypes                           // never: it may be a variable as well
	ColonTypes                        // a "::" follows it
	ClassTypes                        // a "::" follows it, and it is no variable
)

// Names returns the rules of the family of a language, never nil.
func (l *Language) Names() *Scope {
	if l.Family != "" {
		return &Named(l.Family).Scope
	}
	return &l.Scope
}
