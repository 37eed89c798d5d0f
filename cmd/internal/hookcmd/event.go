package hookcmd

// An EventKind says when a client ran the hook.
type EventKind int

// The kinds of events. Clients have others, which are UnknownKind.
const (
	UnknownKind EventKind = iota
	SessionStart
	BeforeTool
	AfterTool
	PromptSubmitted
	BeforeCompaction
	AfterCompaction
	SessionEnd
)

// A ToolKind is the purpose of a tool, which clients name in many ways.
type ToolKind int

// The kinds of tools.
const (
	OtherTool  ToolKind = iota
	EditTool            // changes parts of files
	WriteTool           // writes whole files
	ShellTool           // runs a command
	SearchTool          // looks for a pattern in files
)

// A StartReason says why a session begins.
type StartReason string

// The reasons. Startup is the default.
const (
	Startup StartReason = "startup"
	Resume  StartReason = "resume"
	Clear   StartReason = "clear"
	Compact StartReason = "compact"
)

// An Event is something that happened in a client's session, in the same words for all clients. A
// field that the client does not tell is empty. The texts are as the client wrote them: nothing in
// them may be believed or printed as if it were ours.
type Event struct {
	Kind    EventKind
	Client  string // a name of agentcmd, such as "claude"
	Name    string // the client's name of the event
	Session string
	Cwd     string // the folder of the session, absolute

	Reason StartReason // of SessionStart
	Prompt string      // of PromptSubmitted

	// Of BeforeTool and AfterTool.
	Tool     ToolKind
	ToolName string   // the client's name of the tool
	Paths    []string // the files that an EditTool or a WriteTool changes; absolute or from Cwd
	Old, New []string // the texts that it replaces, and those that it writes
	Command  string   // of a ShellTool

	// Of AfterTool.
	Output   string
	ExitCode int  // 0 if the client does not tell it
	Failed   bool // the client says so, or the exit code is not 0
}
